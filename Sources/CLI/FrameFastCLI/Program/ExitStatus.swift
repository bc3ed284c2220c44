/// What the program's exit status says. Scripts build on these numbers: they do not change.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case failed = 1
    case usage = 2
    case daemonAway = 3
    case attention = 4
    case refused = 5
    case filesMissing = 10
    case filesChanged = 11
    case notSealed = 30
    case manifestEdited = 31
    case chainGone = 32
    case manifestGone = 33
    case left = 130

    /// One line for people.
    var meaning: String {
        switch self {
        case .success: "Done; with `status` and `doctor`, nothing needs attention."
        case .failed: "The daemon or a camera failed."
        case .usage: "The command line is wrong."
        case .daemonAway: "framefastd is not running, does not answer, or stopped during the call."
        case .attention:
            """
            `status` or `doctor` shows a warning or worse; with `connect`, the camera needs attention; with `cameras take`, something \
            has to be closed first; with `preset diff` and `group check`, something differs.
            """
        case .refused: "Permission denied."
        case .filesMissing: "With `verify`: a recorded file is missing."
        case .filesChanged: "With `verify`: a file has other bytes than were recorded."
        case .notSealed: "With `verify`: there are no manifests; the session was never sealed."
        case .manifestEdited: "With `verify`: a manifest was edited."
        case .chainGone: "With `verify`: the chain file of the manifests is gone."
        case .manifestGone: "With `verify`: a manifest is gone."
        case .left: "You left `connect` before the camera was ready, or answered no."
        }
    }

    /// All of them as lines, for help texts.
    static var table: String {
        HelpTable.text(allCases.map { (String($0.rawValue), $0.meaning) })
    }
}
