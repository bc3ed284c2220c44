/// The deadline of a wait, for example of the guided flow.
struct Deadline {
    /// The timeout, in seconds, or `nil` to wait without a limit.
    let seconds: Int?
    private let clock: CommandClock
    private let end: Duration?

    /// Creates a deadline whose timeout starts now.
    init(seconds: Int?, clock: CommandClock) {
        self.seconds = seconds
        self.clock = clock
        end = seconds.map { clock.uptime() + .seconds($0) }
    }

    var isOver: Bool { end.map { clock.uptime() >= $0 } ?? false }

    /// The remaining time, in milliseconds, or `nil` without a timeout.
    var millisecondsLeft: Int? { end.map { max(0, Int(($0 - clock.uptime()) / .milliseconds(1)) + 1) } }
}
