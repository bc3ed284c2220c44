import Glibc

/// The clock by which operations go on: it never steps, and counts on while the computer sleeps.
enum BootClock {
    /// Nanoseconds since some moment before this process.
    static var nowNs: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    /// Whole milliseconds until a time, not less than it takes; 0 for one that is past.
    static func ms(until ns: UInt64) -> Int32 {
        let now = nowNs
        return ns <= now ? 0 : Int32(clamping: (ns - now + 999_999) / 1_000_000)
    }
}
