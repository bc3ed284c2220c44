import TerminalUI

/// The command line of a status bar, read without the argument parser.
///
/// Status bars start `framefast status --format …` about once a second. The argument parser reads the whole
/// tree of verbs, which takes longer than the rest of the program. This type reads only the options that bars
/// use, each at most once. The argument parser reads all other command lines, and reports their errors.
struct StatusBarArguments: Equatable {
    var socket: String?
    var format: StatusBarFormat?
    var template: StatusTemplate?
    var width = StatusBarEncoder.widthDefault
    var color = ColorChoice.auto
    var theme = ThemeChoice.auto

    /// Reads a command line.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Returns: `nil` if the argument parser must read the command line.
    init?(_ arguments: [String]) {
        var values: [String: String] = [:]
        var verbs: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                verbs.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : rest.popFirst()
            guard let value, !value.hasPrefix("-"), values.updateValue(value, forKey: String(parts[0])) == nil
            else { return nil }
        }
        guard verbs == ["status"] else { return nil }
        for (option, value) in values where !setOption(option, value) { return nil }
        guard format != nil || template != nil else { return nil }
    }

    /// Sets an option. Returns `false` if the option is unknown or the value is wrong.
    private mutating func setOption(_ option: String, _ value: String) -> Bool {
        switch option {
        case "--socket": socket = value
        case "--format":
            format = StatusBarFormat(rawValue: value)
            return format != nil
        case "--template":
            template = try? StatusTemplate(value)
            return template != nil
        case "--width":
            guard let width = Int(value), StatusBarEncoder.widths.contains(width) else { return false }
            self.width = width
        case "--color":
            guard let color = ColorChoice(rawValue: value) else { return false }
            self.color = color
        case "--theme":
            guard let theme = ThemeChoice(rawValue: value) else { return false }
            self.theme = theme
        default: return false
        }
        return true
    }
}

extension StatusBarArguments {
    /// Returns the printer of the status lines.
    ///
    /// - Parameter isStream: Whether the printer prints a new line for each change.
    func output(_ style: Style, isStream: Bool) -> StatusBarOutput {
        StatusBarOutput(
            encoder: StatusBarEncoder(
                format ?? .plain, palette: theme.palette ?? .dark, hasUnicode: style.hasUnicode,
                isStream: isStream, width: width),
            template: template)
    }
}
