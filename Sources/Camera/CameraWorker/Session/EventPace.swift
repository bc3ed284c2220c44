/// How often to ask a camera that must be asked.
///
/// Cameras that speak up (events on a connection of their own) are waited for without a clock. Canon EOS, Nikon,
/// Sony and Fuji must be asked, which costs them power and the link time: often while someone shoots, seldom when
/// nobody does.
struct EventPace {
    /// For this long after the last sign of shooting, in milliseconds, the camera is asked every ``shootingMs``.
    static let shootingWindowMs: UInt64 = 5_000
    /// For this long it is asked every ``warmMs``, later every ``idleMs``.
    static let warmWindowMs: UInt64 = 60_000
    static let shootingMs: UInt64 = 50
    static let warmMs: UInt64 = 250
    static let idleMs: UInt64 = 1_000
    /// While a photo is being read, and no shot waits behind it, events are asked for at this distance.
    static let transferMs: UInt64 = 100
    /// While shots are to be read: the link has enough to do, and whoever waits for the next shot waits for those before it.
    static let backlogMs: UInt64 = 1_000

    private var lastActivity: UInt64
    private var lastLook: UInt64

    init(nowMs: UInt64) {
        lastActivity = nowMs
        lastLook = nowMs
    }

    /// Somebody shoots: an event about a photo, a trigger.
    mutating func noteActivity(nowMs: UInt64) { lastActivity = nowMs }
    /// The camera was asked.
    mutating func noteLook(nowMs: UInt64) { lastLook = nowMs }

    /// Milliseconds until the camera should be asked again.
    func delay(nowMs: UInt64) -> UInt64 {
        let quiet = nowMs - min(nowMs, lastActivity)
        let interval =
            switch quiet {
            case ..<Self.shootingWindowMs: Self.shootingMs
            case ..<Self.warmWindowMs: Self.warmMs
            default: Self.idleMs
            }
        let since = nowMs - min(nowMs, lastLook)
        return since >= interval ? 0 : interval - since
    }

    /// Whether it is time to ask between two pieces of a photo.
    ///
    /// - Parameter hasMore: whether shots are known of that are to be read.
    func isDueDuringTransfer(nowMs: UInt64, hasMore: Bool) -> Bool {
        nowMs >= lastLook + (hasMore ? Self.backlogMs : Self.transferMs)
    }

    /// Milliseconds for which a camera is left alone after it was asked, whatever it sends meanwhile: a Sony tells of each
    /// setting that changes.
    func rest(nowMs: UInt64) -> UInt64 {
        let end = lastLook + Self.shootingMs
        return end - min(end, nowMs)
    }
}
