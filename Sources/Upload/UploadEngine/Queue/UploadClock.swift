public import Foundation
import FrameFastSystem

/// Time and chance, as the queue sees them.
public struct UploadClock: Sendable {
    /// The date.
    public var now: @Sendable () -> Date
    /// Sleeps for so many seconds; throws when the task is cancelled.
    public var sleep: @Sendable (_ seconds: Double) async throws -> Void
    /// Random, 0..<1.
    public var random: @Sendable () -> Double
    /// Minute of the local day, 0..<1440.
    public var minuteOfDay: @Sendable (Date) -> Int

    /// Creates a clock.
    public init(
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
        random: @escaping @Sendable () -> Double, minuteOfDay: @escaping @Sendable (Date) -> Int
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
        self.minuteOfDay = minuteOfDay
    }

    /// The computer's own.
    public static let system = UploadClock(
        now: { Date() }, sleep: { try await Task.sleepInPieces(for: .seconds($0)) },
        random: { Double.random(in: 0..<1) },
        minuteOfDay: { date in
            let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
            return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        })
}
