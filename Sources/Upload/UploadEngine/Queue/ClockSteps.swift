import Foundation

/// Notices that the date was set: it moved by more, or by less, than time passed. Waits that end at a date are moved then:
/// else a clock that is set back makes them longer, and one that is set forward ends them all.
struct ClockSteps: Hashable, Sendable {
    /// The least step, in seconds. A clock that is slewed moves less between two looks.
    static let stepSeconds = 5.0
    /// The longest time between two readings that count as one, in seconds.
    private static let slackSeconds = 0.5

    private var date: Date
    private var uptime: Double

    init(_ clock: UploadClock) { (date, uptime) = Self.reading(clock) }

    /// Looks at the clock.
    ///
    /// - Returns: How far the date was set forward since the last look, in seconds, negative for back; `nil` if it was not set.
    mutating func step(_ clock: UploadClock) -> Double? {
        let before = self
        (date, uptime) = Self.reading(clock)
        let step = date.timeIntervalSince(before.date) - (uptime - before.uptime)
        return abs(step) >= Self.stepSeconds ? step : nil
    }

    /// Both clocks at one moment.
    private static func reading(_ clock: UploadClock) -> (Date, Double) {
        while true {
            let uptime = clock.uptime()
            let date = clock.now()
            if clock.uptime() - uptime < slackSeconds { return (date, uptime) }
        }
    }
}
