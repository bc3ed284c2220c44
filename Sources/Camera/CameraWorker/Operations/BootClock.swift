import Glibc

/// The clock for operations. The clock is monotonic, and advances while the system is suspended.
enum BootClock {
    /// The current time of the clock, in nanoseconds.
    static var nowNs: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    /// Returns the milliseconds until a time, rounded up, or 0 for a time in the past.
    static func ms(until ns: UInt64) -> Int32 {
        let now = nowNs
        return ns <= now ? 0 : Int32(clamping: (ns - now + 999_999) / 1_000_000)
    }

    /// The maximum timeout of poll(2) for a wait until a time of this clock, in milliseconds. The timeout of
    /// poll(2) does not advance while the system is suspended. After a longer wait, a step could be late by
    /// the whole suspension.
    static let pollMostMs: Int32 = 2_000

    /// Returns the milliseconds to wait in poll(2) before the clock is read again.
    static func pollMs(before ms: Int32) -> Int32 { min(ms, pollMostMs) }
}
