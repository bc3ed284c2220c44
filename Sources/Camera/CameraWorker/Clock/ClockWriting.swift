/// The state of setting a camera's clock. Because the clock counts whole seconds, the worker sets it just
/// before a full second. The worker then measures the remaining difference at the moment when the clock
/// advances to the next second.
struct ClockWriting {
    /// The time between setting the clock and the next full second, in milliseconds: the planned time and the
    /// maximum.
    static let leadMs = 15
    static let leadMostMs = 20
    /// The interval between two reads of the clock, and the maximum duration of all reads. The clock advances
    /// at least twice within this duration.
    static let readInterval = Duration.milliseconds(20)
    static let readingMax = Duration.milliseconds(2_500)
    /// The maximum acceptable difference, in milliseconds. If the difference is larger, the worker sets the
    /// clock once more.
    static let acceptableMs = 500
    /// The valid offsets from UTC, in seconds. All time zones are within 14 hours. The range allows 18
    /// hours.
    static let zoneSeconds = -64_800...64_800
    /// The maximum number of waits for the moment before a full second. The worker can miss this moment
    /// because of other work.
    static let momentsMax = 5

    enum Phase {
        case begin
        /// The worker waits for the moment to set the clock.
        case moment(tries: Int)
        /// The clock was set. The worker reads the clock until its time advances from `second`. `atMs` is the
        /// wall time of the last read, in milliseconds since 1970.
        case advance(since: Instant, second: Int?, atMs: Int)
    }

    let id: UInt64
    let zoneOffsetSeconds: Int
    /// Whether the service sets the clock on its own.
    var isAutomatic = false
    var phase = Phase.begin
    /// The time of the next step.
    var due = Instant.start
    /// The camera's time minus the host's before the change, in milliseconds, or `nil` if unknown.
    var driftBeforeMs: Int?
    /// The wall time at which the clock advanced to the next second after the first try, in milliseconds
    /// since 1970. Set only if the clock must be set again. Some cameras keep their fraction of a second when
    /// the clock is set. The clock can then be wrong by a whole second.
    var advancedMs: Int?
    /// The number of tries that failed because the camera was busy.
    var busy = 0

    /// Whether the worker records the next step on the disk, in case the driver crashes in that step. `false`
    /// for the frequent reads of the clock, and for a change that a person requested.
    var isRecorded: Bool {
        if case .advance = phase { return false }
        return isAutomatic
    }

    /// Returns the milliseconds until the first try.
    static func wait(wallMs: Int) -> Int {
        let left = 1_000 - leadMs - wallMs % 1_000
        return left < 0 ? left + 1_000 : left
    }

    /// Returns the milliseconds until the second try. The second try is in the middle of a second of the
    /// camera's clock. Even a slow request then sets the intended second.
    static func wait(wallMs: Int, advancedMs: Int) -> Int {
        let left = 500 - (wallMs - advancedMs) % 1_000
        return left < 0 ? left + 1_000 : left
    }

    /// Returns the time to set in the second try, in seconds since 1970. The camera keeps its own fraction of
    /// a second.
    static func second(wallMs: Int, advancedMs: Int) -> Int {
        Int((Double(wallMs - (wallMs - advancedMs) % 1_000) / 1_000).rounded())
    }

    /// Returns the time to set in the first try: the next full second, in seconds since 1970. Returns `nil`
    /// if the next full second is too far away, because the worker missed the moment.
    static func second(wallMs: Int) -> Int? {
        1_000 - wallMs % 1_000 <= leadMostMs ? wallMs / 1_000 + 1 : nil
    }

    /// Returns the difference between a clock that shows whole seconds and the host's clock, in milliseconds.
    /// The result of a single read is accurate to half a second.
    static func drift(second: Int, wallMs: Int) -> Int { second * 1_000 + 500 - wallMs }

    /// Returns the difference between the host's clock and a clock that advanced to `second` between two host
    /// times, in milliseconds.
    static func drift(advancedTo second: Int, betweenMs before: Int, andMs after: Int) -> Int {
        second * 1_000 - (before + after) / 2
    }
}
