import ArgumentParser

/// An option of every verb. This list is the source of the texts in the help and in the completions.
enum GlobalOption: CaseIterable {
    case socket, json, plain, color, theme, contrast

    /// The default socket of the system service.
    static let systemSocket = "/run/framefast/framefast.sock"

    /// The name with its dashes, for example `--socket`.
    var name: String { "--\(self)" }

    /// The name of the option's value, or `nil` for a flag.
    var valueName: String? {
        switch self {
        case .socket: "path"
        case .json, .plain: nil
        case .color: "when"
        case .theme, .contrast: "name"
        }
    }

    /// The purpose, as a sentence for the help of each verb and for the completions.
    var purpose: String {
        switch self {
        case .socket: "The daemon's socket."
        case .json: "Print JSON."
        case .plain: "Print plain text, one fact per line, without colors or symbols."
        case .color: "When to use colors: auto, always or never."
        case .theme: "Colors for the terminal's background: auto, dark, light or terminal."
        case .contrast: "Text contrast: usual or more. Default: $FRAMEFAST_CONTRAST."
        }
    }

    /// Further sentences, which only the help of `framefast` shows.
    private var details: String? {
        switch self {
        case .socket:
            """
            Default: $FRAMEFAST_SOCKET, then $XDG_RUNTIME_DIR/framefast/framefast.sock if it exists, then \
            \(Self.systemSocket).
            """
        case .json, .plain: nil
        case .color: "auto respects NO_COLOR, CLICOLOR_FORCE and TERM=dumb."
        case .theme: "auto detects the background. terminal uses the terminal's own colors."
        case .contrast: "more gives a contrast of 7 to 1, without dimmed text."
        }
    }

    /// The help of the option in a verb.
    var help: ArgumentHelp { ArgumentHelp(purpose, valueName: valueName) }

    /// All options with their purposes and details, one per row, for the help of `framefast`.
    static var table: String {
        HelpTable.text(
            allCases.map { option -> (word: String, meaning: String) in
                let value = option.valueName.map { " " + $0.uppercased() } ?? ""
                let meaning = [option.purpose, option.details].compactMap(\.self).joined(separator: " ")
                return (option.name + value, meaning)
            })
    }
}
