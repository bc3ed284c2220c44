import Foundation
import FrameFastSystem

/// A detector for steps of the system date, made by a person or by NTP. The detector compares the date with
/// the uptime. Callers move their stored dates by the same step. Without this correction, a backward step
/// would extend waits, and a forward step would end them early.
struct ClockStepDetector: Hashable, Sendable {
    /// The smallest detected step, in seconds. Between two calls, gradual corrections by NTP are smaller.
    static let stepSeconds = 5.0
    /// The longest time between two clock readings that still count as simultaneous, in seconds.
    private static let slackSeconds = 0.5

    /// The date at the last call of ``detectStep(on:)``.
    private(set) var date: Date
    private var uptime: Double

    init(_ clock: HostClock) { (date, uptime) = Self.readings(of: clock) }

    /// Checks whether the date was set since the last call.
    ///
    /// - Returns: The step in seconds, negative if the date was set back, or `nil` if the date was not set.
    mutating func detectStep(on clock: HostClock) -> Double? {
        let before = self
        (date, uptime) = Self.readings(of: clock)
        let step = date.timeIntervalSince(before.date) - (uptime - before.uptime)
        return abs(step) >= Self.stepSeconds ? step : nil
    }

    /// Reads the date and the uptime at the same moment.
    private static func readings(of clock: HostClock) -> (Date, Double) {
        while true {
            let uptime = clock.uptime()
            let date = clock.now()
            if clock.uptime() - uptime < slackSeconds { return (date, uptime) }
        }
    }
}
