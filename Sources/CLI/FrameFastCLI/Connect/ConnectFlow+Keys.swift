import FrameFastAPI
import TerminalUI

/// The handling of typed keys and lines.
extension ConnectFlow {
    /// Whether the screen has a text field.
    var isTyping: Bool { stage == .sessionName || stage == .address }

    mutating func press(_ key: Key) -> [Action] {
        hasPressedKey = true
        if isTyping { return typeText(key) }
        if case .ready(let camera) = stage {
            switch key {
            case .enter, .character("q"): return [.finish(camera)]
            case .character("n"): return connectAnotherCamera()
            default: return []
            }
        }
        if let actions = typeFilter(key) { return actions }
        switch key {
        case .character("/") where canFilter:
            startFilter()
            return []
        case .escape where filter != nil:
            endFilter()
            return []
        case .character("q"): return [.leave]
        case .escape, .backspace: return goBack()
        default: break
        }
        let count = choices.count
        guard count > 0 else {
            scrollSteps(key)
            return []
        }
        switch key {
        case .up, .character("k"): cursor = cursor.map { max(0, $0 - 1) } ?? count - 1
        case .down, .character("j"): cursor = cursor.map { min(count - 1, $0 + 1) } ?? 0
        case .home, .character("g"): cursor = 0
        case .end, .character("G"): cursor = count - 1
        case .enter:
            guard let cursor else {
                errorMessage = "Choose a row first."
                return []
            }
            return chooseRow(at: cursor)
        case .character(let character):
            guard let digit = character.wholeNumberValue, character.isASCII else { return [] }
            return typeDigit(digit, count: count)
        default: return []
        }
        draft = ""
        errorMessage = nil
        return []
    }

    /// The number of lines that Page Up and Page Down scroll.
    private static let pageLines = 10

    /// Scrolls steps that do not fit on the screen.
    private mutating func scrollSteps(_ key: Key) {
        switch key {
        case .up, .character("k"): scroll = max(0, scroll - 1)
        case .down, .character("j"): scroll += 1
        case .pageUp: scroll = max(0, scroll - Self.pageLines)
        case .pageDown, .character(" "): scroll += Self.pageLines
        case .home, .character("g"): scroll = 0
        default: break
        }
    }

    /// Adds a digit to the typed row number. Chooses the row immediately if another digit would exceed the
    /// number of rows.
    private mutating func typeDigit(_ digit: Int, count: Int) -> [Action] {
        let both = (Int(draft) ?? 0) * 10 + digit
        let number = (1...count).contains(both) ? both : digit
        guard (1...count).contains(number) else { return [] }
        cursor = number - 1
        draft = String(number)
        errorMessage = nil
        return number * 10 > count ? chooseRow(at: number - 1) : []
    }

    private mutating func typeText(_ key: Key) -> [Action] {
        switch key {
        case .enter: return submit(draft)
        case .escape: return goBack()
        case .backspace: if !draft.isEmpty { draft.removeLast() }
        case .clear: draft = ""
        case .character(let character):
            guard stage == .address || SessionName.validationError(for: draft + "x") == nil else {
                errorMessage = SessionName.validationError(for: draft + "x")
                return []
            }
            draft.append(character)
        default: return []
        }
        errorMessage = nil
        return []
    }

    /// Handles a whole line: the number of a row, or the value of the text field.
    mutating func enterLine(_ line: String) -> [Action] {
        let count = choices.count
        guard count > 0 else { return isTyping ? submit(line) : [] }
        guard let number = Int(line), (1...count).contains(number) else {
            errorMessage = "Enter a number from 1 to \(count)."
            return []
        }
        return chooseRow(at: number - 1)
    }

    private mutating func submit(_ line: String) -> [Action] {
        var text = Substring(line)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        let value = String(text)
        switch stage {
        case .sessionName:
            if !value.isEmpty, let errorMessage = SessionName.validationError(for: value) {
                self.errorMessage = errorMessage
                return []
            }
            return updateSelections { $0.session = value.isEmpty ? .current : .new(name: value) }
        case .address:
            if let errorMessage = TypedAddress.validationError(for: value) {
                self.errorMessage = errorMessage
                return []
            }
            return updateSelections { $0.connection = .network(.address(value)) }
        default: return []
        }
    }

    /// Chooses a row of the open list, by its index in the unfiltered list.
    mutating func choose(_ index: Int) -> [Action] {
        switch stage {
        case .maker:
            let maker = makers.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            return updateSelections { $0.maker = maker.map { .known($0) } ?? .notSure }
        case .session:
            if index == 0 { return updateSelections { $0.session = .current } }
            return updateSelections { $0.session = .enteringName }
        case .uploadMode:
            guard UploadMode.allCases.indices.contains(index) else { return [] }
            return updateSelections { $0.mode = UploadMode.allCases[index] }
        case .connection: return updateSelections { $0.connection = index == 0 ? .usb : .network(nil) }
        case .network:
            let networks: [ConnectSelections.Network] = [
                .search(sweep: false), .enteringAddress, .search(sweep: true),
            ]
            return updateSelections { $0.connection = .network(networks[min(index, networks.count - 1)]) }
        case .found(let reply):
            if reply.found.indices.contains(index) {
                return updateSelections { $0.connection = .network(.address(reply.found[index].address)) }
            }
            switch index - reply.found.count {
            case 0: return search(sweep: false)
            case 1: return search(sweep: true)
            default: return updateSelections { $0.connection = .network(.enteringAddress) }
            }
        default: return []
        }
    }

    private mutating func search(sweep: Bool) -> [Action] {
        selections.connection = .network(.search(sweep: sweep))
        return advance()
    }
}
