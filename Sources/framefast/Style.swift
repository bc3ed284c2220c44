import Glibc

/// The only colour input that anything takes.
enum Tone: CaseIterable {
    case neutral, info, busy, success, warning, danger
}

/// Which colours are written.
enum Palette: String, CaseIterable {
    /// The 16 colours of the terminal's own theme: right on every background.
    case terminal
    /// Shades that can be read on a dark background.
    case dark
    /// Shades that can be read on a light background.
    case light
}

/// What the terminal can show.
struct Style: Equatable {
    /// Whether escape codes for colours are written.
    var hasColour: Bool
    /// Whether glyphs outside ASCII are written.
    var hasUnicode: Bool
    /// The colours.
    var palette = Palette.terminal
    /// Cells in a line; `nil` off a terminal, where nothing is cut.
    var columns: Int?

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
            hasUnicode: charset.contains("UTF-8") || charset.contains("UTF8"),
            palette: palette(environment))
    }

    /// The shades for the background, when it is known and the terminal has them.
    private static func palette(_ environment: (String) -> String?) -> Palette {
        let depth = environment("COLORTERM") ?? ""
        guard (environment("TERM") ?? "").contains("256color") || depth == "truecolor" || depth == "24bit"
        else { return .terminal }
        if let named = environment("FRAMEFAST_THEME").flatMap(Palette.init(rawValue:)) { return named }
        // rxvt, Konsole and others say `foreground;background` in numbers of the 16 colours.
        switch environment("COLORFGBG")?.split(separator: ";").last.flatMap({ Int($0) }) {
        case .some(7), .some(15): return .light
        case .some(0...15): return .dark
        default: return .terminal
        }
    }

    static func ofStandardOutput() -> Style {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var style = decide(isTerminal: isTerminal) { getenv($0).map { String(cString: $0) } }
        if isTerminal { style.columns = TerminalSize.ofStandardOutput().columns }
        return style
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

    /// The text in the tone's colour.
    func paint(_ text: String, _ tone: Tone) -> String {
        hasColour ? "\u{1B}[\(code(tone))m\(text)\u{1B}[0m" : text
    }

    /// The colour as the number of a terminal's escape sequence. AA contrast (4.5:1) on black and on white.
    private func code(_ tone: Tone) -> String {
        switch (palette, tone) {
        case (.terminal, .neutral): "90"
        case (.terminal, .info): "34"
        case (.terminal, .busy): "36"
        case (.terminal, .success): "32"
        case (.terminal, .warning): "33"
        case (.terminal, .danger): "31"
        case (.dark, .neutral): "38;5;248"
        case (.dark, .info): "38;5;75"
        case (.dark, .busy): "38;5;45"
        case (.dark, .success): "38;5;36"
        case (.dark, .warning): "38;5;214"
        case (.dark, .danger): "38;5;203"
        case (.light, .neutral): "38;5;243"
        case (.light, .info): "38;5;26"
        case (.light, .busy): "38;5;23"
        case (.light, .success): "38;5;29"
        case (.light, .warning): "38;5;130"
        case (.light, .danger): "38;5;160"
        }
    }

    /// Bold, in the colour of what has the focus.
    func accent(_ text: String) -> String {
        let colour =
            switch palette {
            case .terminal: "35"
            case .dark: "38;5;105"
            case .light: "38;5;62"
            }
        return hasColour ? "\u{1B}[1;\(colour)m\(text)\u{1B}[0m" : text
    }
}
