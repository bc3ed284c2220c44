import Glibc

/// The clock that never steps and counts on while the computer sleeps (CLOCK_BOOTTIME).
public enum BootTime {
    /// Nanoseconds since the computer was started.
    public static var nowNs: UInt64 { nanoseconds(CLOCK_BOOTTIME) }

    /// The time that the computer has slept since it was started, in seconds.
    ///
    /// It is what CLOCK_BOOTTIME counts and CLOCK_MONOTONIC does not, exact to 0.1 s.
    public static var sleptSeconds: Double {
        while true {
            let awake = nanoseconds(CLOCK_MONOTONIC)
            let now = nowNs
            // A process that stops between two readings would look like a computer that slept.
            guard nanoseconds(CLOCK_MONOTONIC) - awake < readingNs else { continue }
            return Double(now - min(now, awake)) / 1e9
        }
    }

    /// The longest time between two readings that count as one, in nanoseconds.
    private static let readingNs: UInt64 = 100_000_000

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
