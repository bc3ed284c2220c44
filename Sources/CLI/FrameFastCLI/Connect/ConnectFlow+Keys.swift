import FrameFastAPI
import TerminalUI

/// Handling of typed keys and lines.
extension ConnectFlow {
    /// Whether the screen asks for a text.
    var isTyping: Bool { stage == .sessionName || stage == .address }

    mutating func press(_ key: Key) -> [Action] {
        hasPressedKey = true
        if isTyping { return type(key) }
        if case .ready(let camera) = stage {
            switch key {
            case .enter, .character("q"): return [.finish(camera)]
            case .character("n"): return another()
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
        case .escape, .backspace: return back()
        default: break
        }
        let count = choices.count
        guard count > 0 else {
            scroll(key)
            return []
        }
        switch key {
        case .up, .character("k"): cursor = cursor.map { max(0, $0 - 1) } ?? count - 1
        case .down, .character("j"): cursor = cursor.map { min(count - 1, $0 + 1) } ?? 0
        case .home, .character("g"): cursor = 0
        case .end, .character("G"): cursor = count - 1
        case .enter:
            guard let cursor else {
                complaint = "Choose one first."
                return []
            }
            return pick(cursor)
        case .character(let character):
            guard let digit = character.wholeNumberValue, character.isASCII else { return [] }
            return self.digit(digit, count: count)
        default: return []
        }
        draft = ""
        complaint = nil
        return []
    }

    /// The number of lines that Page Up and Page Down scroll.
    private static let pageLines = 10

    /// Scrolls steps that don't fit on the screen.
    private mutating func scroll(_ key: Key) {
        switch key {
        case .up, .character("k"): scroll = max(0, scroll - 1)
        case .down, .character("j"): scroll += 1
        case .pageUp: scroll = max(0, scroll - Self.pageLines)
        case .pageDown, .character(" "): scroll += Self.pageLines
        case .home, .character("g"): scroll = 0
        default: break
        }
    }

    /// Adds a digit to the typed number. Chooses the row at once if no longer number is possible.
    private mutating func digit(_ digit: Int, count: Int) -> [Action] {
        let both = (Int(draft) ?? 0) * 10 + digit
        let number = (1...count).contains(both) ? both : digit
        guard (1...count).contains(number) else { return [] }
        cursor = number - 1
        draft = String(number)
        complaint = nil
        return number * 10 > count ? pick(number - 1) : []
    }

    private mutating func type(_ key: Key) -> [Action] {
        switch key {
        case .enter: return send(draft)
        case .escape: return back()
        case .backspace: if !draft.isEmpty { draft.removeLast() }
        case .clear: draft = ""
        case .character(let character):
            guard stage == .address || SessionName.complaint(about: draft + "x") == nil else {
                complaint = SessionName.complaint(about: draft + "x")
                return []
            }
            draft.append(character)
        default: return []
        }
        complaint = nil
        return []
    }

    /// Handles a whole line: the number of a row, or a text if the screen asks for one.
    mutating func enterLine(_ line: String) -> [Action] {
        let count = choices.count
        guard count > 0 else { return isTyping ? send(line) : [] }
        guard let number = Int(line), (1...count).contains(number) else {
            complaint = "Enter a number from 1 to \(count)."
            return []
        }
        return pick(number - 1)
    }

    private mutating func send(_ line: String) -> [Action] {
        var text = Substring(line)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        let value = String(text)
        switch stage {
        case .sessionName:
            if !value.isEmpty, let complaint = SessionName.complaint(about: value) {
                self.complaint = complaint
                return []
            }
            return answer { $0.session = value.isEmpty ? .asItIs : .new(name: value) }
        case .address:
            if let complaint = TypedAddress.complaint(about: value) {
                self.complaint = complaint
                return []
            }
            return answer { $0.connection = .network(.address(value)) }
        default: return []
        }
    }

    /// Chooses a row of the open list, by its index without the filter.
    mutating func choose(_ index: Int) -> [Action] {
        switch stage {
        case .maker:
            let maker = makers.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            return answer { $0.maker = maker.map { .known($0) } ?? .notSure }
        case .session:
            if index == 0 { return answer { $0.session = .asItIs } }
            return answer { $0.session = .typing }
        case .uploadMode:
            guard SessionReply.UploadMode.all.indices.contains(index) else { return [] }
            return answer { $0.mode = SessionReply.UploadMode.all[index] }
        case .connection: return answer { $0.connection = index == 0 ? .usb : .network(nil) }
        case .network:
            let ways: [ConnectAnswers.Network] = [.look(sweep: false), .typing, .look(sweep: true)]
            return answer { $0.connection = .network(ways[min(index, ways.count - 1)]) }
        case .found(let reply):
            if reply.found.indices.contains(index) {
                return answer { $0.connection = .network(.address(reply.found[index].address)) }
            }
            switch index - reply.found.count {
            case 0: return look(sweep: false)
            case 1: return look(sweep: true)
            default: return answer { $0.connection = .network(.typing) }
            }
        default: return []
        }
    }

    private mutating func look(sweep: Bool) -> [Action] {
        answers.connection = .network(.look(sweep: sweep))
        return advance()
    }
}
