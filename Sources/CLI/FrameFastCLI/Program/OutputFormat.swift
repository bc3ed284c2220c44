/// The format of the output.
///
/// All decisions that depend on the format are in this type. Each decision is an exhaustive `switch`. The
/// compiler therefore reports each `switch` that omits a new format.
enum OutputFormat: CaseIterable {
    case human, json, plain

    /// Whether a person reads the output. If so, the program may prompt and show progress.
    var isForPeople: Bool {
        switch self {
        case .human, .plain: true
        case .json: false
        }
    }

    /// Whether a full screen with keys may replace the output.
    var mayBeScreen: Bool {
        switch self {
        case .human: true
        case .json, .plain: false
        }
    }

    /// The options that choose the format of journalctl(1).
    var journalOptions: [String] {
        switch self {
        case .human: []
        case .json: ["--output=json"]
        case .plain: ["--output=short-iso", "--no-pager"]
        }
    }

    /// Returns the lines of this format.
    func lines(
        human: @autoclosure () -> [String], plain: @autoclosure () -> [String],
        json: @autoclosure () -> [String]
    ) -> [String] {
        switch self {
        case .human: human()
        case .json: json()
        case .plain: plain()
        }
    }
}
