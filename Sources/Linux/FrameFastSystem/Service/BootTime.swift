import Glibc

/// The monotonic clock that also advances while the computer sleeps (CLOCK_BOOTTIME).
enum BootTime {
    /// The time since the computer started, in nanoseconds.
    static var nowNs: UInt64 { nanoseconds(CLOCK_BOOTTIME) }

    /// The time that the computer has slept since it started, in seconds, with an error of at most 0.1 s.
    ///
    /// The value is the difference between CLOCK_BOOTTIME and CLOCK_MONOTONIC.
    static var sleptSeconds: Double {
        while true {
            let awake = nanoseconds(CLOCK_MONOTONIC)
            let now = nowNs
            // If the process pauses between the two readings, the difference includes the pause.
            guard nanoseconds(CLOCK_MONOTONIC) - awake < readingNs else { continue }
            return Double(now - min(now, awake)) / 1e9
        }
    }

    /// The longest accepted time between the readings of the two clocks, in nanoseconds.
    private static let readingNs: UInt64 = 100_000_000

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
