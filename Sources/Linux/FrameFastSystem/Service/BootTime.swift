import Glibc

/// The clock that never steps and counts on while the computer sleeps (CLOCK_BOOTTIME).
public enum BootTime {
    /// Nanoseconds since the computer was started.
    public static var nowNs: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
