/// The state of polling a camera for events: whether the driver has to ask the camera, the last poll, and the
/// number of consecutive failures.
struct EventWatch {
    /// The number of consecutive failed polls after which the event channel counts as broken.
    static let faultLimit = 3
    /// The interval for keeping an EOS awake, in milliseconds. Some bodies can be set to switch themselves
    /// off after 10 s.
    static let keepAwakeMs: UInt64 = 5_000

    /// The poll interval.
    var pace: EventPace
    /// Whether a poll of the driver sends a request to the camera, or `nil` if unknown. The worker learns it
    /// from the traffic on the link.
    private(set) var driverAsks: Bool?
    private var keptAwakeMs: UInt64 = 0
    private var faults = 0

    init(nowMs: UInt64) { pace = EventPace(nowMs: nowMs) }

    /// Resets the state for a new driver session.
    mutating func beginSession() { driverAsks = nil }

    /// Records a poll without an event.
    ///
    /// - Parameter didAsk: Whether the driver sent a request to the camera for it.
    mutating func recordNoEvent(didAsk: Bool) {
        driverAsks = didAsk
        faults = 0
    }

    /// Records a poll with an event.
    mutating func recordEvent() { faults = 0 }

    /// Records a failed poll, or a poll that left unknown data.
    ///
    /// - Returns: Whether the event channel counts as broken.
    mutating func recordFailure() -> Bool {
        faults += 1
        return faults >= Self.faultLimit
    }

    /// Returns whether the camera must be kept awake now, and records that it was.
    mutating func mustKeepAwake(nowMs: UInt64) -> Bool {
        guard nowMs >= keptAwakeMs + Self.keepAwakeMs else { return false }
        keptAwakeMs = nowMs
        return true
    }
}
