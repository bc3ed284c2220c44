/// Bytes of a terminal as keys.
struct KeyParser {
    private var pending: [UInt8] = []

    /// Whether a lone escape may be the start of a longer key.
    var isHalfway: Bool { !pending.isEmpty }

    mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, length) = first() {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Nothing came after what is pending: an escape was the key.
    mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending.first == 0x1B ? [.escape] : []
    }

    /// The first key and its length in bytes; no key for what means nothing here; `nil` when more is to come.
    private func first() -> (Key?, Int)? {
        guard let byte = pending.first else { return nil }
        switch byte {
        case 0x1B: return escape()
        case 0x0D, 0x0A: return (.enter, 1)
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
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return nil
        }
        let key: Key? =
            switch pending[end] {
            case UInt8(ascii: "A"): .up
            case UInt8(ascii: "B"): .down
            case UInt8(ascii: "H"): .home
            case UInt8(ascii: "F"): .end
            default: nil
            }
        return (key, end + 1)
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
