public import FoundationEssentials

/// Makes text from cameras, people and other hosts harmless for a terminal.
public enum TerminalText {
    /// Returns a text in which the harmful characters are escaped, for example as `\u{1b}`.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns JSON in which the harmful characters except line feeds are escaped, for example as `\u001b`.
    /// FrameFast's JSON contains such characters only in strings, so the JSON keeps its meaning.
    public static func escapedJSON(_ data: Data) -> String {
        var result = ""
        for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
            if isHarmful(scalar), scalar != "\n", scalar.value <= 0xFFFF {
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a character is harmful: C0, DEL, C1, line and paragraph separators and direction marks.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
