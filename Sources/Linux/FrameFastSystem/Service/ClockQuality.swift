import CLinux

/// How good this computer's clock is, as the kernel knows it from whatever keeps it.
public struct ClockQuality: Hashable, Sendable {
    /// Whether something keeps it.
    public var isKept: Bool
    /// How wrong it may be at most, in milliseconds; 16,000 where nothing keeps it.
    public var errorMs: Double

    /// As it is now; `nil` where this process may not ask.
    public static var now: ClockQuality? {
        var (microseconds, isKept): (Int, Int32) = (0, 0)
        guard framefast_clock_error(&microseconds, &isKept) == 0 else { return nil }
        return ClockQuality(isKept: isKept != 0, errorMs: Double(microseconds) / 1_000)
    }
}
