/// What is known of how a camera tells of events: whether the driver has to ask for them, when it did last, and how often
/// that failed in a row.
struct EventWatch {
    /// Failed looks in a row, without a good one, after which the event channel counts as broken.
    static let faultLimit = 3
    /// Time between two words to an EOS that somebody is there, in milliseconds: bodies can be set to switch themselves
    /// off after 10 s.
    static let keepAwakeMs: UInt64 = 5_000

    /// How often the camera is asked.
    var pace: EventPace
    /// Whether the driver asks the camera when it is asked for events: learnt from what goes over the link; `nil` before
    /// that.
    private(set) var driverAsks: Bool?
    private var keptAwakeMs: UInt64 = 0
    private var faults = 0

    init(nowMs: UInt64) { pace = EventPace(nowMs: nowMs) }

    /// The driver's session begins anew.
    mutating func beginSession() { driverAsks = nil }

    /// The driver had no event.
    ///
    /// - Parameter didAsk: whether it asked the camera to find that out.
    mutating func hadNone(didAsk: Bool) {
        driverAsks = didAsk
        faults = 0
    }

    /// The driver had an event.
    mutating func hadOne() { faults = 0 }

    /// A look failed, or left what nobody understands.
    ///
    /// - Returns: whether that was once too often.
    mutating func failed() -> Bool {
        faults += 1
        return faults >= Self.faultLimit
    }

    /// Whether it is time to tell the camera that somebody is there; that counts as done then.
    mutating func mustKeepAwake(nowMs: UInt64) -> Bool {
        guard nowMs >= keptAwakeMs + Self.keepAwakeMs else { return false }
        keptAwakeMs = nowMs
        return true
    }
}
