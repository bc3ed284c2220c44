/// The camera's clock that is being set: it counts whole seconds, so it is set directly before one begins, and how far off
/// it then is shows when it goes on to the next.
struct ClockWriting {
    /// The clock is set in this span before a full second, in milliseconds.
    static let leadMs = 15
    static let leadMostMs = 20
    /// It is looked at as often, in milliseconds, and for so long: two seconds begin in that time.
    static let lookMs: UInt64 = 20
    static let flipMs: UInt64 = 2_500
    /// A clock that is further off is set once more, in milliseconds.
    static let goodMs = 500
    /// Zones of the world are within 14 hours of UTC; a few more are allowed for.
    static let zoneSeconds = -64_800...64_800
    /// How often the moment before a full second is waited for, when something else takes the time.
    static let momentsMax = 5

    enum Phase {
        case begin
        /// A full second is waited for.
        case moment(tries: Int)
        /// The clock was set; it is looked at until it goes on from this second, which it had at a time of ours.
        case flip(sinceMs: UInt64, second: Int?, atMs: Int)
    }

    let id: UInt64
    let zoneOffsetSeconds: Int
    var phase = Phase.begin
    /// Not before this time.
    var dueMs: UInt64 = 0
    /// How far off it was, in milliseconds.
    var driftBeforeMs: Int?
    /// When it went on to another second after it was set, in milliseconds since 1970, where it was so far off then that it is
    /// set once more: it keeps its own fraction of a second when it is set, and is a whole one off.
    var flippedMs: Int?
    /// How often the camera was busy.
    var busy = 0

    /// Milliseconds until the clock is to be set.
    static func wait(wallMs: Int) -> Int {
        let left = 1_000 - leadMs - wallMs % 1_000
        return left < 0 ? left + 1_000 : left
    }

    /// The same for the second time: in the midst of a second of the camera's, so that it does not matter how long the order
    /// takes.
    static func wait(wallMs: Int, flippedMs: Int) -> Int {
        let left = 500 - (wallMs - flippedMs) % 1_000
        return left < 0 ? left + 1_000 : left
    }

    /// What to set it to then: its own fraction of a second stays.
    static func second(wallMs: Int, flippedMs: Int) -> Int {
        Int((Double(wallMs - (wallMs - flippedMs) % 1_000) / 1_000).rounded())
    }

    /// The full second that begins so soon that a clock may be set to it; `nil` for not now.
    static func second(wallMs: Int) -> Int? {
        1_000 - wallMs % 1_000 <= leadMostMs ? wallMs / 1_000 + 1 : nil
    }

    /// How far a clock of whole seconds is off when it was read in the midst of a second, in milliseconds: half a second
    /// more or less.
    static func drift(second: Int, wallMs: Int) -> Int { second * 1_000 + 500 - wallMs }

    /// How far it is off when it went on to a second between two moments, in milliseconds.
    static func drift(flippedTo second: Int, betweenMs before: Int, andMs after: Int) -> Int {
        second * 1_000 - (before + after) / 2
    }
}
