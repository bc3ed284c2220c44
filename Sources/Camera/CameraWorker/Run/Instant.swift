/// A point in time of the worker's monotonic clock.
struct Instant: Hashable, Comparable, Sendable {
    /// The start of the clock, which is before the start of the worker.
    static let start = Instant(sinceStart: .zero)

    /// The time since the start of the clock.
    let sinceStart: Duration

    /// Returns the point in time `count` milliseconds after the start of the clock.
    static func milliseconds(_ count: Int) -> Instant { Instant(sinceStart: .milliseconds(count)) }

    static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }

    static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(sinceStart: instant.sinceStart + duration)
    }

    static func - (end: Instant, start: Instant) -> Duration { end.sinceStart - start.sinceStart }

    /// Returns the time until `due`, or zero if `due` is not later.
    func delay(until due: Instant) -> Duration { max(.zero, due - self) }
}

extension Duration {
    /// The duration in whole nanoseconds.
    var wholeNanoseconds: Int64 {
        let parts = components
        return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
    }

    /// The duration in whole milliseconds.
    var wholeMilliseconds: Int { Int(wholeNanoseconds / 1_000_000) }

    /// The timeout for poll(2), in milliseconds. Rounded up, because poll(2) must not return before the
    /// duration has passed. 0 for a negative duration.
    var pollTimeout: Int32 { Int32(clamping: max(0, (wholeNanoseconds + 999_999) / 1_000_000)) }
}
