import SystemIO

extension Instant {
    /// The current time of the monotonic clock.
    static var now: Instant { Instant(sinceStart: .nanoseconds(Int64(SystemTime.monotonicNs))) }
}

/// The clock for operations. The clock is monotonic, and advances while the system is suspended. Its times
/// are nanoseconds, because the daemon plans the ticks of an interval in this unit.
enum BootClock {
    /// The current time of the clock, in nanoseconds.
    static var nowNs: UInt64 { SystemTime.bootNs }

    /// Returns the time until `ns`, or zero for a time in the past.
    static func delay(until ns: UInt64) -> Duration {
        let now = nowNs
        return ns <= now ? .zero : .nanoseconds(Int64(clamping: ns - now))
    }

    /// The maximum timeout of poll(2) for a wait until a time of this clock. poll(2) does not count the time
    /// while the system is suspended. After a suspension, a step is therefore late by at most this timeout.
    static let pollMost = Duration.milliseconds(2_000)

    /// Returns the time to wait in poll(2) before the clock is read again.
    static func pollDelay(before delay: Duration) -> Duration { min(delay, pollMost) }
}
