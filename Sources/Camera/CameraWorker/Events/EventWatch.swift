/// The state of event polling: the poll interval, whether a poll sends a request to the camera, and the
/// number of consecutive failures.
struct EventWatch {
    /// The number of consecutive failed polls after which the event channel is treated as broken.
    static let faultLimit = 3
    /// The interval of keep-alive requests to an EOS. Some models can be set to turn off
    /// after 10 s.
    static let keepAwake = Duration.milliseconds(5_000)

    /// The poll schedule.
    var pace: EventPace
    /// Whether a poll makes the driver send a request to the camera, or `nil` if unknown. The worker
    /// determines this from the traffic on the link.
    private(set) var pollSendsRequest: Bool?
    private var keptAwake = Instant.start
    private var faults = 0

    init(at now: Instant) { pace = EventPace(at: now) }

    /// Resets the state after the driver's connection was reopened.
    mutating func beginSession() { pollSendsRequest = nil }

    /// Records a poll without an event.
    ///
    /// - Parameter didSendRequest: Whether the driver sent a request to the camera during the poll.
    mutating func recordNoEvent(didSendRequest: Bool) {
        pollSendsRequest = didSendRequest
        faults = 0
    }

    /// Records a poll with an event.
    mutating func recordEvent() { faults = 0 }

    /// Records a failed poll, or unsolicited data that remained after a poll.
    ///
    /// - Returns: Whether the event channel is treated as broken.
    mutating func recordFailure() -> Bool {
        faults += 1
        return faults >= Self.faultLimit
    }

    /// Returns whether a keep-alive request is due. If so, schedules the next request.
    mutating func mustKeepAwake(at now: Instant) -> Bool {
        guard now >= keptAwake + Self.keepAwake else { return false }
        keptAwake = now
        return true
    }
}
