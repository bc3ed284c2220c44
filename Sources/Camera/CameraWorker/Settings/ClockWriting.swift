/// The state of setting a camera's clock. The clock counts whole seconds, so the worker sets it just before a
/// full second. It measures the remaining difference when the clock advances to the next second.
struct ClockWriting {
    /// The range before a full second in which the worker sets the clock, in milliseconds.
    static let leadMs = 15
    static let leadMostMs = 20
    /// The interval between two reads of the clock, and the maximum duration of reading, in milliseconds. Two
    /// seconds begin in that time.
    static let lookMs: UInt64 = 20
    static let flipMs: UInt64 = 2_500
    /// The largest acceptable difference, in milliseconds. If it is larger, the worker sets the clock once
    /// more.
    static let goodMs = 500
    /// The valid offsets from UTC, in seconds. The world's zones are within 14 hours. The range allows some
    /// more.
    static let zoneSeconds = -64_800...64_800
    /// The maximum number of waits for the moment before a full second, when other work delays it.
    static let momentsMax = 5

    enum Phase {
        case begin
        /// The worker waits for a full second.
        case moment(tries: Int)
        /// The clock was set. The worker reads it until it advances from `second`, which it last showed at
        /// `atMs`.
        case flip(sinceMs: UInt64, second: Int?, atMs: Int)
    }

    let id: UInt64
    let zoneOffsetSeconds: Int
    var phase = Phase.begin
    /// The time of the next step, in milliseconds of the monotonic clock.
    var dueMs: UInt64 = 0
    /// The camera's time minus the host's before the change, in milliseconds, or `nil` if unknown.
    var driftBeforeMs: Int?
    /// The time at which the clock advanced to another second after the first try, in milliseconds since
    /// 1970. Set only if the clock must be set again. Some cameras keep their fraction of a second when the
    /// clock is set, and are then a whole second off.
    var flippedMs: Int?
    /// The number of tries that failed because the camera was busy.
    var busy = 0

    /// Returns the milliseconds until the first try.
    static func wait(wallMs: Int) -> Int {
        let left = 1_000 - leadMs - wallMs % 1_000
        return left < 0 ? left + 1_000 : left
    }

    /// Returns the milliseconds until the second try. It is in the middle of a second of the camera, so the
    /// duration of the request does not matter.
    static func wait(wallMs: Int, flippedMs: Int) -> Int {
        let left = 500 - (wallMs - flippedMs) % 1_000
        return left < 0 ? left + 1_000 : left
    }

    /// Returns the second to set in the second try. The camera keeps its own fraction of a second.
    static func second(wallMs: Int, flippedMs: Int) -> Int {
        Int((Double(wallMs - (wallMs - flippedMs) % 1_000) / 1_000).rounded())
    }

    /// Returns the full second that begins soon enough to set the clock to it, or `nil`.
    static func second(wallMs: Int) -> Int? {
        1_000 - wallMs % 1_000 <= leadMostMs ? wallMs / 1_000 + 1 : nil
    }

    /// Returns the difference of a clock of whole seconds from a single read, in milliseconds, accurate to
    /// half a second.
    static func drift(second: Int, wallMs: Int) -> Int { second * 1_000 + 500 - wallMs }

    /// Returns the difference of a clock that advanced to a second between two times, in milliseconds.
    static func drift(flippedTo second: Int, betweenMs before: Int, andMs after: Int) -> Int {
        second * 1_000 - (before + after) / 2
    }
}
