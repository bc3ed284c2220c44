import Glibc

/// The only colour input that anything takes.
enum Tone: CaseIterable {
    case neutral, info, busy, success, warning, danger
}

/// What the terminal can show.
struct Style: Equatable {
    /// Whether escape codes for colours are written.
    var hasColour: Bool
    /// Whether glyphs outside ASCII are written.
    var hasUnicode: Bool

    /// Nothing but ASCII.
    static let bare = Style(hasColour: false, hasUnicode: false)

    /// Decides from the environment. No colour off a terminal unless it is forced.
    static func decide(isTerminal: Bool, environment: (String) -> String?) -> Style {
        func isSet(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
        let isForced = isSet("CLICOLOR_FORCE") && environment("CLICOLOR_FORCE") != "0"
        let isAble = isTerminal && environment("TERM") != "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).first { !$0.isEmpty } ?? ""
        let charset = locale.uppercased()
        return Style(
            hasColour: !isSet("NO_COLOR") && (isAble || isForced),
            hasUnicode: charset.contains("UTF-8") || charset.contains("UTF8"))
    }

    static func ofStandardOutput() -> Style {
        decide(isTerminal: isatty(STDOUT_FILENO) == 1) { getenv($0).map { String(cString: $0) } }
    }

    /// Glyph and word in the tone's colour. Colour never carries the meaning alone.
    func badge(_ tone: Tone, _ word: String, width: Int = 0) -> String {
        paint(glyph(tone) + " " + padded(word, width), tone)
    }

    /// The tone's glyph or its ASCII twin.
    func glyph(_ tone: Tone) -> String {
        switch tone {
        case .neutral: hasUnicode ? "○" : "-"
        case .info: hasUnicode ? "●" : "*"
        case .busy: hasUnicode ? "⠋" : "|"
        case .success: hasUnicode ? "✓" : "ok"
        case .warning: hasUnicode ? "▲" : "!"
        case .danger: hasUnicode ? "✗" : "x"
        }
    }

    func bold(_ text: String) -> String { hasColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    func dim(_ text: String) -> String { hasColour ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Between facts of one line.
    var dot: String { hasUnicode ? " · " : ", " }

    /// Before a next step.
    var arrow: String { hasUnicode ? "→ " : "> " }

    func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func paint(_ text: String, _ tone: Tone) -> String {
        guard hasColour else { return text }
        let code =
            switch tone {
            case .neutral: 90
            case .info: 34
            case .busy: 36
            case .success: 32
            case .warning: 33
            case .danger: 31
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
