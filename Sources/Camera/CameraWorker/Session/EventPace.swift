/// The interval for polling a camera for events.
///
/// A camera that sends events on a separate connection is not polled. Canon EOS, Nikon, Sony and Fuji must be
/// polled, which costs power and link time. The worker polls them often while the photographer is shooting,
/// and seldom otherwise.
struct EventPace {
    /// The time after the last sign of shooting during which the worker polls every ``shootingMs``, in
    /// milliseconds.
    static let shootingWindowMs: UInt64 = 5_000
    /// The time during which the worker polls every ``warmMs``, in milliseconds. Later it polls every
    /// ``idleMs``.
    static let warmWindowMs: UInt64 = 60_000
    static let shootingMs: UInt64 = 50
    static let warmMs: UInt64 = 250
    static let idleMs: UInt64 = 1_000
    /// The poll interval during the transfer of a photo, if no shot waits for transfer, in milliseconds.
    static let transferMs: UInt64 = 100
    /// The poll interval while shots wait for transfer, in milliseconds. The link is busy, and the next shot
    /// has to wait for the earlier ones anyway.
    static let backlogMs: UInt64 = 1_000

    private var lastActivity: UInt64
    private var lastPoll: UInt64

    init(nowMs: UInt64) {
        lastActivity = nowMs
        lastPoll = nowMs
    }

    /// Records a sign of shooting: an event about a photo, or a release.
    mutating func recordActivity(nowMs: UInt64) { lastActivity = nowMs }
    /// Records a poll.
    mutating func recordPoll(nowMs: UInt64) { lastPoll = nowMs }

    /// Returns the milliseconds until the next poll.
    func delay(nowMs: UInt64) -> UInt64 {
        let quiet = nowMs - min(nowMs, lastActivity)
        let interval =
            switch quiet {
            case ..<Self.shootingWindowMs: Self.shootingMs
            case ..<Self.warmWindowMs: Self.warmMs
            default: Self.idleMs
            }
        let since = nowMs - min(nowMs, lastPoll)
        return since >= interval ? 0 : interval - since
    }

    /// Returns whether to poll between two pieces of a photo.
    ///
    /// - Parameter hasMore: Whether shots wait for transfer.
    func isDueDuringTransfer(nowMs: UInt64, hasMore: Bool) -> Bool {
        nowMs >= lastPoll + (hasMore ? Self.backlogMs : Self.transferMs)
    }

    /// Returns the milliseconds during which the worker does not poll again, whatever the camera sends. A
    /// Sony sends an event for each setting that changes.
    func pause(nowMs: UInt64) -> UInt64 {
        let end = lastPoll + Self.shootingMs
        return end - min(end, nowMs)
    }
}
