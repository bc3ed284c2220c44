import Glibc

/// The kernel's clocks, for code without Foundation.
///
/// Modules that import `FrameFastSystem` read its `HostClock` instead, because tests can replace a
/// `HostClock`.
public enum SystemTime {
    /// The time since a fixed time before the start of this process, in nanoseconds (CLOCK_MONOTONIC). The
    /// value excludes the computer's sleep and never jumps.
    public static var monotonicNs: UInt64 { UInt64(nanoseconds(CLOCK_MONOTONIC)) }

    /// The time since the computer started, in nanoseconds (CLOCK_BOOTTIME). The value includes the
    /// computer's sleep and never jumps.
    public static var bootNs: UInt64 { UInt64(nanoseconds(CLOCK_BOOTTIME)) }

    /// The date, in milliseconds since 1970 (CLOCK_REALTIME). A person or NTP can change the date.
    public static var wallMs: Int { Int(nanoseconds(CLOCK_REALTIME) / 1_000_000) }

    /// Returns the processor time that a process has used, in nanoseconds, or `nil` if the process does not
    /// exist.
    public static func processorNs(of process: Int32) -> UInt64? {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { return nil }
        var used = timespec()
        guard clock_gettime(clock, &used) == 0 else { return nil }
        return UInt64(used.tv_sec) * 1_000_000_000 + UInt64(used.tv_nsec)
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
