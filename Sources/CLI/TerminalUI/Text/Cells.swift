/// Measures, cuts, pads and wraps text in terminal cells.
public enum Cells {
    /// Returns the width of a text, in cells.
    public static func width(_ text: String) -> Int {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            ? text.utf8.count : text.reduce(0) { $0 + width($1) }
    }

    /// Returns the width of a character, in cells: 2 for wide characters of East Asia and for emoji, 0 for
    /// combining marks without a letter.
    ///
    /// A character may have several code points. Thai and Indic vowels next to their letter have a width.
    /// Marks above and below have no width. A joined emoji has the width of one emoji.
    public static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return width(first) }
        // Flags, joined emoji, emoji with a skin tone, and emoji with the variation selector.
        let isPicture = scalars.contains {
            $0.value == 0x200D || $0.value == 0xFE0F || (0x1F3FB...0x1F3FF).contains($0.value)
                || (0x1F1E6...0x1F1FF).contains($0.value)
        }
        if isPicture, first.properties.isEmoji { return 2 }
        return scalars.reduce(0) { $0 + width($1) }
    }

    /// Returns the width of a code point, as `wcwidth` defines it.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        // Terminals draw the soft hyphen (U+00AD), so its width is 1.
        case .nonspacingMark, .enclosingMark: return 0
        case .format: return scalar.value == 0xAD ? 1 : 0
        default: break
        }
        switch scalar.value {
        // Hangul vowels and finals are drawn as part of the preceding syllable.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// Returns a text, truncated at the end to at most `width` cells. A truncated text ends in the ellipsis.
    public static func cut(_ text: String, to width: Int, _ ellipsis: String) -> String {
        guard Self.width(text) > width else { return text }
        var left = width - Self.width(ellipsis)
        guard left >= 0 else { return "" }
        let kept = text.prefix { character in
            left -= Self.width(character)
            return left >= 0
        }
        return kept + ellipsis
    }

    /// Returns a text, truncated in the middle to at most `width` cells. The start and the end of a file name
    /// are the most significant parts.
    public static func cutMiddle(_ text: String, to width: Int, _ ellipsis: String) -> String {
        guard Self.width(text) > width else { return text }
        let space = width - Self.width(ellipsis)
        guard space >= 2 else { return cut(text, to: width, ellipsis) }
        let head = cut(text, to: space - space / 2, "")
        let tail = cut(String(text.reversed()), to: space / 2, "")
        return head + ellipsis + String(tail.reversed())
    }

    /// Returns a text that is padded at the end to `width` cells.
    public static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - Self.width(text)))
    }

    /// Returns a text that is padded at the start to `width` cells.
    public static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - Self.width(text))) + text
    }

    /// Wraps a text at spaces. A number and its percent sign stay together. Words that are longer than a line
    /// are broken, if possible after a slash.
    public static func wrap(_ text: String, to width: Int) -> [String] {
        let width = max(1, width)
        var lines: [String] = []
        var line = ""
        let words = text.split(separator: " ").reduce(into: [String]()) { words, word in
            if word.hasPrefix("%"), let last = words.popLast() {
                words.append(last + " " + word)
            } else {
                words.append(String(word))
            }
        }
        for word in words {
            var word = word
            if !line.isEmpty, Self.width(line) + 1 + Self.width(word) <= width {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while Self.width(word) > width {
                let fitting = cut(word, to: width, "")
                // A path is broken after a slash that is not its first character. A character that is wider
                // than the line gets a separate line.
                let path = fitting.dropFirst().lastIndex(of: "/").map { String(fitting[...$0]) }
                let head = path ?? (fitting.isEmpty ? String(word.prefix(1)) : fitting)
                lines.append(head)
                word = String(word.dropFirst(head.count))
            }
            line = word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
