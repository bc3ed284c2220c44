/// Text measured in terminal cells.
public enum Cells {
    /// Cells that a text takes.
    public static func width(_ text: String) -> Int {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            ? text.utf8.count : text.reduce(0) { $0 + width($1) }
    }

    /// Cells of one character: 2 for the wide ones of East Asia and for emoji, 0 for marks that stand alone.
    ///
    /// A character may be several code points: Thai and Indic vowels that stand beside their letter count, marks
    /// above and below do not, and what is joined to one picture is one picture.
    public static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return width(first) }
        // Flags, emoji that are joined, coloured, or asked for with the variation selector.
        let isPicture = scalars.contains {
            $0.value == 0x200D || $0.value == 0xFE0F || (0x1F3FB...0x1F3FF).contains($0.value)
                || (0x1F1E6...0x1F1FF).contains($0.value)
        }
        if isPicture, first.properties.isEmoji { return 2 }
        return scalars.reduce(0) { $0 + width($1) }
    }

    /// As `wcwidth` has it.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        // The soft hyphen is drawn.
        case .nonspacingMark, .enclosingMark: return 0
        case .format: return scalar.value == 0xAD ? 1 : 0
        default: break
        }
        switch scalar.value {
        // Hangul vowels and finals are drawn into the syllable before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// The start of a text with an ellipsis, in at most `width` cells.
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

    /// A text without its middle, in at most `width` cells: of a file's name, start and end tell most.
    public static func cutMiddle(_ text: String, to width: Int, _ ellipsis: String) -> String {
        guard Self.width(text) > width else { return text }
        let space = width - Self.width(ellipsis)
        guard space >= 2 else { return cut(text, to: width, ellipsis) }
        let head = cut(text, to: space - space / 2, "")
        let tail = cut(String(text.reversed()), to: space / 2, "")
        return head + ellipsis + String(tail.reversed())
    }

    /// A text with spaces behind it up to `width` cells.
    public static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - Self.width(text)))
    }

    /// A figure with spaces before it up to `width` cells.
    public static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - Self.width(text))) + text
    }

    /// Lines of whole words, a number and its percent sign together; a word that is too long by itself is broken, a path
    /// behind a slash.
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
                // A path is broken behind a slash; a character that is wider than the line stands alone.
                let path = fitting.lastIndex(of: "/").map { String(fitting[...$0]) }
                let head = path ?? (fitting.isEmpty ? String(word.prefix(1)) : fitting)
                lines.append(head)
                word = String(word.dropFirst(head.count))
            }
            line = word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
