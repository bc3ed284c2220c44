/// The exit statuses of the program. The numbers must not change, because scripts depend on them.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case failed = 1
    case usage = 2
    case daemonAway = 3
    case attention = 4
    case refused = 5
    case left = 130

    /// The meaning of the status, as a sentence for the help.
    var meaning: String {
        switch self {
        case .success: "Success. For `status` and `doctor`: nothing needs attention."
        case .failed: "The daemon or a camera failed."
        case .usage: "The command line is invalid."
        case .daemonAway: "framefastd is not running, does not respond, or stopped during the call."
        case .attention:
            """
            `status` or `doctor` shows a warning or worse, the camera of `connect` needs attention, or `preset diff` shows a \
            difference.
            """
        case .refused: "Permission denied."
        case .left: "You quit `connect` before the camera was ready, or answered a prompt with no."
        }
    }

    /// All statuses with their meanings, one per line, for help texts.
    static var table: String {
        HelpTable.text(allCases.map { (String($0.rawValue), $0.meaning) })
    }
}
