/// The interval of polls for events.
///
/// A camera that sends events on a separate connection is not polled. Canon EOS, Nikon, Sony and Fuji must be
/// polled, which costs power and link time. The worker polls them frequently during shooting and rarely at
/// other times.
struct EventPace {
    /// The time after the last activity during which the worker polls every ``shootingMs``, in milliseconds.
    static let shootingWindowMs: UInt64 = 5_000
    /// The time after the last activity during which the worker polls every ``warmMs``, in milliseconds.
    /// After that time, it polls every ``idleMs``.
    static let warmWindowMs: UInt64 = 60_000
    static let shootingMs: UInt64 = 50
    static let warmMs: UInt64 = 250
    static let idleMs: UInt64 = 1_000
    /// The poll interval during a photo transfer while no shot waits, in milliseconds.
    static let transferMs: UInt64 = 100
    /// The poll interval during a photo transfer while shots wait, in milliseconds. The interval is long
    /// because a new shot has to wait for the earlier shots anyway.
    static let backlogMs: UInt64 = 1_000

    private var lastActivity: UInt64
    private var lastPoll: UInt64

    init(nowMs: UInt64) {
        lastActivity = nowMs
        lastPoll = nowMs
    }

    /// Records activity of the photographer: an event about a photo, or a release.
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

    /// Returns whether to poll between two chunks of a photo.
    ///
    /// - Parameter hasMore: Whether shots wait for transfer.
    func isDueDuringTransfer(nowMs: UInt64, hasMore: Bool) -> Bool {
        nowMs >= lastPoll + (hasMore ? Self.backlogMs : Self.transferMs)
    }

    /// Returns the minimum time until the next poll, in milliseconds. The worker waits for this time even if
    /// the camera sends data, because a Sony sends an event for each changed setting.
    func pause(nowMs: UInt64) -> UInt64 {
        let end = lastPoll + Self.shootingMs
        return end - min(end, nowMs)
    }
}
