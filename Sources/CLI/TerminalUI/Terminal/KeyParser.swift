/// A key that screens handle.
public enum Key: Hashable, Sendable {
    /// The arrow keys.
    case up, down, left, right
    /// The keys for larger movements.
    case home, end, pageUp, pageDown
    /// The keys that confirm and cancel.
    case enter, escape
    /// The keys that move between parts of a screen, forward and backward.
    case tab, backTab
    /// The keys that edit a text. `clear` deletes the whole text.
    case backspace, clear
    /// The key that redraws the screen, Ctrl-L.
    case redraw
    /// A typed character.
    case character(Character)
}

/// A parser that converts the bytes of a terminal into keys.
public struct KeyParser: Sendable {
    /// The longest incomplete sequence, in bytes. Longer sequences are discarded.
    static let pendingMax = 256

    private var pending: [UInt8] = []

    /// Whether the unparsed bytes may be the start of a key sequence, for example a lone escape.
    public var hasPartialKey: Bool { !pending.isEmpty && !hasPartialResponse }

    /// Whether the unparsed bytes are the start of a late response to a terminal query. A link may split the
    /// response (microsoft/terminal issue 19282), and the rest may arrive much later.
    ///
    /// A response about colors starts with `ESC ]` and a number. A response about images starts with
    /// `ESC _ G`. Other responses start with `ESC [ ?`. Other bytes may be Alt+] and the next key.
    private var hasPartialResponse: Bool {
        guard pending.count > 2, pending[0] == 0x1B,
            pending.dropFirst(2).allSatisfy({ $0 >= 0x20 || $0 == 0x1B })
        else { return false }
        switch pending[1] {
        case UInt8(ascii: "]"): return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(pending[2])
        case UInt8(ascii: "_"): return pending[2] == UInt8(ascii: "G")
        case UInt8(ascii: "["): return pending[2] == UInt8(ascii: "?")
        default: return false
        }
    }

    /// Adds bytes and returns the complete keys.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, length) = first() {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        if pending.count > Self.pendingMax { pending = [] }
        return keys
    }

    /// Discards an incomplete key after a timeout. Returns the Escape key if the discarded bytes start with
    /// an escape.
    public mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending.first == 0x1B ? [.escape] : []
    }

    /// Parses the first key.
    ///
    /// - Returns: The key and its length in bytes. The key is `nil` for bytes without a meaning. The result
    ///   is `nil` if the key is incomplete.
    private func first() -> (Key?, Int)? {
        guard let byte = pending.first else { return nil }
        switch byte {
        case 0x1B: return escape()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x0C: return (.redraw, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x15, 0x17: return (.clear, 1)
        case 0x0E: return (.down, 1)
        case 0x10: return (.up, 1)
        case ..<0x20: return (nil, 1)
        case ..<0x80: return (.character(Character(Unicode.Scalar(byte))), 1)
        default: return multibyte(byte)
        }
    }

    private func escape() -> (Key?, Int)? {
        guard pending.count > 1 else { return nil }
        // Skips a late response to a terminal query: OSC, or APC for the query about pictures. The response
        // ends in BEL or ST.
        if pending[1] == UInt8(ascii: "]") || pending[1] == UInt8(ascii: "_") {
            guard let end = pending.firstIndex(where: { $0 == 0x07 || $0 == UInt8(ascii: "\\") }) else {
                return nil
            }
            return (nil, end + 1)
        }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return nil
        }
        return (Self.key(final: pending[end], parameters: pending[2..<end]), end + 1)
    }

    /// Returns the key for a control sequence. Modifiers are ignored.
    private static func key(final: UInt8, parameters: ArraySlice<UInt8>) -> Key? {
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "~"):
            switch String(decoding: parameters, as: UTF8.self).split(separator: ";").first {
            case "1", "7": return .home
            case "4", "8": return .end
            case "5": return .pageUp
            case "6": return .pageDown
            default: return nil
            }
        default: return nil
        }
    }

    private func multibyte(_ byte: UInt8) -> (Key?, Int)? {
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        guard pending.count >= length else { return nil }
        let text = String(decoding: pending.prefix(length), as: UTF8.self)
        guard let character = text.first, text.count == 1, character != "\u{FFFD}" else {
            return (nil, length)
        }
        return (.character(character), length)
    }
}
