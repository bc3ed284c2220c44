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
    /// While a photo is being read, events are asked for at this distance.
    static let transferMs: UInt64 = 100

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
    func isDueDuringTransfer(nowMs: UInt64) -> Bool { nowMs >= lastLook + Self.transferMs }
}
