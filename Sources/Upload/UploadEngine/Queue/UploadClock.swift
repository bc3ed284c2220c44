public import Foundation
import FrameFastSystem

/// Time and chance, as the queue sees them.
public struct UploadClock: Sendable {
    /// The date. Somebody may set it, by hand or by NTP.
    public var now: @Sendable () -> Date
    /// Seconds since some moment, also while the computer sleeps. Nobody sets it.
    public var uptime: @Sendable () -> Double
    /// The part of ``uptime`` in which the computer slept, in seconds.
    public var slept: @Sendable () -> Double
    /// Sleeps for so many seconds; throws when the task is cancelled.
    public var sleep: @Sendable (_ seconds: Double) async throws -> Void
    /// Random, 0..<1.
    public var random: @Sendable () -> Double
    /// Minute of the local day, 0..<1440.
    public var minuteOfDay: @Sendable (Date) -> Int

    /// Creates a clock.
    public init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Double,
        slept: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
        random: @escaping @Sendable () -> Double, minuteOfDay: @escaping @Sendable (Date) -> Int
    ) {
        self.now = now
        self.uptime = uptime
        self.slept = slept
        self.sleep = sleep
        self.random = random
        self.minuteOfDay = minuteOfDay
    }

    /// Where ``uptime`` of the computer's own clock begins.
    private static let start = ContinuousClock.now

    /// The computer's own.
    public static let system = UploadClock(
        now: { Date() }, uptime: { start.duration(to: .now) / .seconds(1) },
        slept: { BootTime.sleptSeconds },
        sleep: { try await Task.sleep(for: .seconds($0)) },
        random: { Double.random(in: 0..<1) },
        minuteOfDay: { date in
            let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
            return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        })
}
