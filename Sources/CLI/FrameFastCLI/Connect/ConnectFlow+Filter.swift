import FrameFastAPI
import TerminalUI

/// The filter of the list of makers. The last row, "not sure", matches every filter.
extension ConnectFlow {
    /// The rows of the open list that match the filter. Empty if no list is open.
    var choices: [ChoiceListView.Row] {
        let rows = allChoices
        return filteredIndices(of: rows).map { rows[$0] }
    }

    /// The rows of the open list. Empty if no list is open.
    private var allChoices: [ChoiceListView.Row] {
        switch stage {
        case .maker: ConnectChoices.makers(makers ?? [])
        case .session: ConnectChoices.session(runningSession)
        case .uploadMode: UploadModeChoices.rows(status?.destinations ?? [])
        case .connection: ConnectChoices.connections
        case .network: ConnectChoices.network
        case .found(let reply): ConnectChoices.foundCameras(reply)
        default: []
        }
    }

    /// Whether the open list can be filtered.
    var canFilter: Bool { stage == .maker }

    /// Chooses a row by its position in the filtered list.
    mutating func chooseRow(at place: Int) -> [Action] {
        let shown = filteredIndices(of: allChoices)
        return shown.indices.contains(place) ? choose(shown[place]) : []
    }

    private func filteredIndices(of rows: [ChoiceListView.Row]) -> [Int] {
        guard canFilter, let filter else { return Array(rows.indices) }
        return rows.indices.filter { $0 == rows.count - 1 || filter.matches(rows[$0]) }
    }

    mutating func startFilter() {
        filter = ListFilter(text: filter?.text ?? "")
        cursor = nil
    }

    mutating func endFilter() {
        filter = nil
        cursor = 0
    }

    /// Handles a key for the filter.
    ///
    /// - Returns: The actions, or `nil` if the key does not belong to the filter.
    mutating func typeFilter(_ key: Key) -> [Action]? {
        guard var filter, filter.isTyping else { return nil }
        switch key {
        case .up, .down: return nil
        case .escape: endFilter()
        case .backspace where filter.text.isEmpty: endFilter()
        case .enter:
            filter.isTyping = false
            self.filter = filter
            // Focus the first row only if a maker matches. The row "not sure" is never a default.
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
