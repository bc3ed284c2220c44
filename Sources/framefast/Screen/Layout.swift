/// Where a component may draw, and with which glyphs.
struct Layout: Equatable {
    /// Cells in a line where there is no terminal that would say.
    static let widthOffTerminal = 100
    /// Below this width captions go under what they belong to.
    static let wideCells = 72

    /// Cells in a line.
    var width: Int
    /// Lines.
    var height = Int.max
    /// Whether glyphs outside ASCII can be shown.
    var hasUnicode = true

    var isWide: Bool { width >= Self.wideCells }
    /// Before everything.
    var margin: Int { width >= 60 ? 2 : 1 }
    /// What is left beside the margins.
    var inner: Int { max(10, width - 2 * margin) }

    var ellipsis: String { hasUnicode ? "…" : "..." }
    var pointer: String { hasUnicode ? "❯" : ">" }
    var dash: String { hasUnicode ? "–" : "-" }
    var dot: String { hasUnicode ? " · " : ", " }
    var arrows: String { hasUnicode ? "↑↓" : "j/k" }
    var up: String { hasUnicode ? "↑" : "^" }
    var down: String { hasUnicode ? "↓" : "v" }

    /// The tone's glyph or its ASCII twin, two cells wide with what follows it: columns stay in place.
    func glyph(_ tone: Tone) -> Span {
        let style = Style(hasColour: false, hasUnicode: hasUnicode)
        return Span(style.padded(style.glyph(tone), hasUnicode ? 1 : 2), .tone(tone))
    }

    /// Glyph and word.
    func badge(_ tone: Tone, _ word: String) -> [Span] {
        let style = Style(hasColour: false, hasUnicode: hasUnicode)
        return [Span(style.glyph(tone) + " " + word, .tone(tone))]
    }
}

/// Text measured in terminal cells.
enum Cells {
    /// Cells that a text takes.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Cells of one character: 2 for the wide ones of East Asia and for emoji, 0 for marks that stand alone.
    static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// The start of a text with an ellipsis, in at most `width` cells.
    static func cut(_ text: String, to width: Int, _ ellipsis: String) -> String {
        guard Self.width(text) > width else { return text }
        var left = width - Self.width(ellipsis)
        guard left >= 0 else { return "" }
        let kept = text.prefix { character in
            left -= Self.width(character)
            return left >= 0
        }
        return kept + ellipsis
    }

    /// A text with spaces behind it up to `width` cells.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - Self.width(text)))
    }

    /// Lines of whole words; a word that is too long by itself is broken.
    static func wrap(_ text: String, to width: Int) -> [String] {
        let width = max(1, width)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").map(String.init) {
            var word = word
            if !line.isEmpty, Self.width(line) + 1 + Self.width(word) <= width {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while Self.width(word) > width {
                let head = String(word.prefix(max(1, width)))
                let fitting = Self.width(head) <= width ? head : String(word.prefix(max(1, width / 2)))
                lines.append(fitting)
                word = String(word.dropFirst(fitting.count))
            }
            line = word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
