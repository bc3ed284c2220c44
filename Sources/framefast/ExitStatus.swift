/// What the program's exit status says. Scripts build on these numbers: they do not change.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case failed = 1
    case usage = 2
    case daemonAway = 3
    case attention = 4
    case refused = 5

    /// One line for people.
    var meaning: String {
        switch self {
        case .success: "Done; with `status`, nothing needs attention."
        case .failed: "The daemon or a camera could not do it."
        case .usage: "The command line is wrong."
        case .daemonAway: "framefastd is not running, does not answer, or ended during the call."
        case .attention: "`status` worked, and shows a warning or worse."
        case .refused: "This user may not do it."
        }
    }

    /// All of them as lines, for help texts.
    static var table: String {
        allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n")
    }
}
