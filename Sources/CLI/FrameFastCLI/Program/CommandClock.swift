import FoundationEssentials
import SystemIO

/// The command line's source of time. Tests replace the closures.
struct CommandClock: Sendable {
    /// Returns the date. A person or NTP can change the date.
    var now: @Sendable () -> Date
    /// Returns the time since the computer started, including its sleep. The value never jumps.
    var uptime: @Sendable () -> Duration

    /// The clock of this computer.
    static let system = CommandClock(
        now: { Date(timeIntervalSince1970: Double(SystemTime.wallMs) / 1_000) },
        uptime: { .nanoseconds(SystemTime.bootNs) })
}
