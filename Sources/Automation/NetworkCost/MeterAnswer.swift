import ChildProcesses

/// What a program says on whether the network costs money.
enum MeterAnswer: Hashable, Sendable {
    case metered
    case free
    /// Nobody can tell, and why.
    case unknown(String)

    /// By the exit code of a configured command: 0 costs money, 1 does not.
    init(command outcome: CommandRun.Outcome) {
        switch outcome.end {
        case .exited(0): self = .metered
        case .exited(1): self = .free
        case let end: self = .unknown(Self.reason(end, outcome))
        }
    }

    /// By what `busctl get-property` prints of NetworkManager's property `Metered`: `u 4`.
    ///
    /// Values: NMMetered in NetworkManager's D-Bus reference: 0 unknown, 1 yes, 2 no, 3 and 4 the same as a guess.
    init(networkManager outcome: CommandRun.Outcome) {
        guard outcome.end == .exited(0) else {
            self = .unknown("NetworkManager does not answer: " + Self.reason(outcome.end, outcome))
            return
        }
        switch outcome.output.split(whereSeparator: \.isWhitespace).map(String.init) {
        case ["u", "1"], ["u", "3"]: self = .metered
        // Unknown is what NetworkManager says without a connection, or of one that others manage.
        case ["u", "0"], ["u", "2"], ["u", "4"]: self = .free
        default: self = .unknown("NetworkManager says '\(oneLine(outcome.output, max: 60))'")
        }
    }

    private static func reason(_ end: CommandRun.End, _ outcome: CommandRun.Outcome) -> String {
        "\(end)" + (outcome.lastLine.map { " (\($0))" } ?? "")
    }
}
