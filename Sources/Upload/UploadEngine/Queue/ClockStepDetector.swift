import Foundation

/// A detector for changes of the system date, by hand or by NTP. It compares the date with the uptime. Waits
/// that end at a date are moved by the same step. Otherwise a clock that is set back would extend them, and
/// one that is set forward would end them.
struct ClockStepDetector: Hashable, Sendable {
    /// The smallest detected step, in seconds. A slewed clock moves less between two calls.
    static let stepSeconds = 5.0
    /// The longest time between two readings that count as simultaneous, in seconds.
    private static let slackSeconds = 0.5

    private var date: Date
    private var uptime: Double

    init(_ clock: UploadClock) { (date, uptime) = Self.readings(of: clock) }

    /// Checks whether the date was set since the last call.
    ///
    /// - Returns: The step in seconds, negative if the date was set back, or `nil` if it was not set.
    mutating func detectStep(on clock: UploadClock) -> Double? {
        let before = self
        (date, uptime) = Self.readings(of: clock)
        let step = date.timeIntervalSince(before.date) - (uptime - before.uptime)
        return abs(step) >= Self.stepSeconds ? step : nil
    }

    /// Reads both clocks at the same moment.
    private static func readings(of clock: UploadClock) -> (Date, Double) {
        while true {
            let uptime = clock.uptime()
            let date = clock.now()
            if clock.uptime() - uptime < slackSeconds { return (date, uptime) }
        }
    }
}
