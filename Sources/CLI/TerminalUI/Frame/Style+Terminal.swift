import Glibc

/// A person's choice of when to use colors.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// Decide from the terminal and the environment.
    case auto
    /// Use colors even without a terminal.
    case always
    /// Use no colors.
    case never
}

extension Style {
    /// The terminals without colors, by the start of their terminfo names.
    private static let colorless = ["vt52", "vt100", "vt102", "vt2", "vt3", "vt4", "vt5", "ansi-m"]

    /// Creates the style from the environment. Without a terminal, the style has escape codes only if colors
    /// are forced.
    ///
    /// - Parameters:
    ///   - wish: The request from the command line, which overrides the environment.
    ///   - theme: The requested palette, or `nil` to detect the palette.
    ///   - contrast: The requested contrast, or `nil` for the contrast that the environment requests.
    public static func decide(
        isTerminal: Bool, wish: ColorChoice = .auto, theme: Palette? = nil, contrast: Contrast? = nil,
        environment: (String) -> String?
    ) -> Style {
        func isSet(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).first { !$0.isEmpty } ?? ""
        let charset = locale.uppercased()
        let isForced = isSet("CLICOLOR_FORCE") && environment("CLICOLOR_FORCE") != "0"
        let isAble = isTerminal && environment("TERM") != "dumb"
        let depth: ColorDepth =
            switch wish {
            case .always: max(.sixteen, offered(environment))
            case .never: isAble ? .mono : .plain
            case .auto where !isAble && !isForced: .plain
            case .auto where isSet("NO_COLOR"): isAble ? .mono : .plain
            case .auto: isForced ? max(.sixteen, offered(environment)) : offered(environment)
            }
        // The fonts of the Linux console lack most symbols and show the same replacement for each of them
        // (is-unicode-supported pull request 9).
        let isConsole = isTerminal && environment("TERM") == "linux"
        return Style(
            depth: depth,
            hasUnicode: !isConsole && (charset.contains("UTF-8") || charset.contains("UTF8")),
            palette: depth >= .indexed ? theme ?? palette(environment) : .terminal,
            contrast: contrast ?? environment("FRAMEFAST_CONTRAST").flatMap(Contrast.init(rawValue:))
                ?? .usual)
    }

    /// Creates the style of this process's standard output.
    public static func ofStandardOutput(
        wish: ColorChoice = .auto, theme: Palette? = nil, contrast: Contrast? = nil
    ) -> Style {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var style = decide(isTerminal: isTerminal, wish: wish, theme: theme, contrast: contrast) {
            getenv($0).map { String(cString: $0) }
        }
        if isTerminal { style.columns = TerminalSize.ofStandardOutput().columns }
        return style
    }

    /// Returns the number of colors that the terminal supports.
    private static func offered(_ environment: (String) -> String?) -> ColorDepth {
        let name = environment("TERM") ?? ""
        let depth = environment("COLORTERM") ?? ""
        if depth == "truecolor" || depth == "24bit" || name.hasSuffix("-direct") { return .truecolor }
        if name.contains("256color") { return .indexed }
        if name.hasSuffix("-mono") || name.hasSuffix("-m") || colorless.contains(where: name.hasPrefix) {
            return .mono
        }
        return .sixteen
    }

    /// Returns the palette for the background, or the terminal's own palette if the background is unknown.
    private static func palette(_ environment: (String) -> String?) -> Palette {
        if let named = environment("FRAMEFAST_THEME").flatMap(Palette.init(rawValue:)) { return named }
        // rxvt, Konsole and other terminals set COLORFGBG to `foreground;background`. Both are numbers of the
        // 16 colors.
        switch environment("COLORFGBG")?.split(separator: ";").last.flatMap({ Int($0) }) {
        case .some(7), .some(15): return .light
        case .some(0...15): return .dark
        default: return .terminal
        }
    }
}
