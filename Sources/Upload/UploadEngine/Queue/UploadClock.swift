public import Foundation
import FrameFastSystem

/// The sources of time and randomness of the upload queue.
public struct UploadClock: Sendable {
    /// Returns the date. A person or NTP can change it.
    public var now: @Sendable () -> Date
    /// Returns the seconds since an arbitrary time, including the computer's sleep. The value never jumps.
    public var uptime: @Sendable () -> Double
    /// Returns the total time of the computer's sleep since the start of ``uptime``, in seconds.
    public var slept: @Sendable () -> Double
    /// Sleeps for a number of seconds. Throws an error if the task is cancelled.
    public var sleep: @Sendable (_ seconds: Double) async throws -> Void
    /// Returns a random number, 0..<1.
    public var random: @Sendable () -> Double
    /// Returns the minute of the local day, 0..<1440.
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

    /// The time at which ``uptime`` of the system clock is 0.
    private static let start = ContinuousClock.now

    /// The clock of this computer.
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
