import ChildProcesses

/// The result of a program that determines whether the network is metered.
enum MeterReading: Hashable, Sendable {
    case metered
    case free
    /// The program could not determine whether the network is metered. The value is the reason.
    case unknown(String)

    /// Creates a result from the exit code of a configured command: 0 means metered, 1 means not metered.
    init(command outcome: CommandRun.Outcome) {
        switch outcome.end {
        case .exited(0): self = .metered
        case .exited(1): self = .free
        case let end: self = .unknown(Self.reason(end, outcome))
        }
    }

    /// Creates a result from the output of `busctl get-property` for NetworkManager's property `Metered`, for
    /// example `u 4`.
    ///
    /// The values of NMMetered are: 0 unknown, 1 yes, 2 no, 3 guessed yes, 4 guessed no (NetworkManager's
    /// D-Bus reference).
    init(networkManager outcome: CommandRun.Outcome) {
        guard outcome.end == .exited(0) else {
            self = .unknown("cannot query NetworkManager: " + Self.reason(outcome.end, outcome))
            return
        }
        switch outcome.output.split(whereSeparator: \.isWhitespace).map(String.init) {
        case ["u", "1"], ["u", "3"]: self = .metered
        // NetworkManager reports "unknown" if there is no connection, or if another program manages the
        // connection. This response counts as not metered.
        case ["u", "0"], ["u", "2"], ["u", "4"]: self = .free
        default:
            self = .unknown("unexpected response from NetworkManager: '\(oneLine(outcome.output, max: 60))'")
        }
    }

    private static func reason(_ end: CommandRun.End, _ outcome: CommandRun.Outcome) -> String {
        "\(end)" + (outcome.lastLine.map { " (\($0))" } ?? "")
    }
}
