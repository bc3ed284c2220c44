import TerminalUI

/// The filter of the picker of makers. Not being sure is always a choice.
extension ConnectFlow {
    /// Rows of the list that is open and pass the filter; empty when none is open.
    var choices: [ChoiceListView.Row] {
        let rows = ConnectChoices.rows(self)
        return shown(rows).map { rows[$0] }
    }

    /// Whether the list that is open can be filtered.
    var canFilter: Bool { stage == .maker }

    /// Takes the row at a place of the list as it is shown.
    mutating func pick(_ place: Int) -> [Action] {
        let shown = shown(ConnectChoices.rows(self))
        return shown.indices.contains(place) ? choose(shown[place]) : []
    }

    private func shown(_ rows: [ChoiceListView.Row]) -> [Int] {
        guard canFilter, let filter else { return Array(rows.indices) }
        return rows.indices.filter { $0 == rows.count - 1 || filter.takes(rows[$0]) }
    }

    mutating func startFilter() {
        filter = ListFilter(text: filter?.text ?? "")
        cursor = nil
    }

    mutating func endFilter() {
        filter = nil
        cursor = 0
    }

    /// Keys while a filter is typed; `nil` for those that are not for it.
    mutating func typeFilter(_ key: Key) -> [Action]? {
        guard var filter, filter.isTyping else { return nil }
        switch key {
        case .up, .down: return nil
        case .escape: endFilter()
        case .backspace where filter.text.isEmpty: endFilter()
        case .enter:
            filter.isTyping = false
            self.filter = filter
            // Only what was looked for gets the focus: not being sure is never a default.
            if cursor == nil, choices.count > 1 { cursor = 0 }
        default:
            switch key {
            case .backspace: filter.text.removeLast()
            case .clear: filter.text = ""
            case .character(let letter) where filter.text.count < ListFilter.lengthMax:
                filter.text.append(letter)
            default: return []
            }
            self.filter = filter
            cursor = nil
        }
        return []
    }
}
