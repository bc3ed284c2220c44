import FrameFastModel

/// Decides when photos may be read from a camera that refuses its shutter while it is read. In libgphoto2
/// issue 1212, a D780 takes no second shot within half a second of the first if the first is being read. The
/// photos wait on the card until the photographer has stopped shooting. This type makes no calls and does not
/// read the clock.
struct ShutterRest {
    /// The time without a shot after which photos may be read, in milliseconds. Lost shots came 0.4 to 1 s
    /// after the previous one.
    static let restMs: UInt64 = 1_200
    /// The longest wait of photos after the first shot of a burst, in milliseconds.
    static let patienceMs: UInt64 = 10_000
    /// The time after reading a piece during which a refused release is attributed to reading, in
    /// milliseconds.
    static let readingMs: UInt64 = 500

    /// Whether photos wait for the shutter on this camera.
    private(set) var isActive: Bool
    private let wait: ShutterWait
    private var readMs: UInt64?
    private var firstMs: UInt64 = 0
    private var lastMs: UInt64?
    private var polledMs: UInt64 = 0

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the model is known to refuse its shutter while it is read.
    ///   - keepsOnCard: Whether photos are on a card. Photos in the camera's memory must be read, or the
    ///     burst stops.
    init(_ wait: ShutterWait, isKnown: Bool, keepsOnCard: Bool = true) {
        self.wait = keepsOnCard ? wait : .never
        isActive = self.wait == .always || (self.wait == .auto && isKnown)
    }

    /// Records a shot or a try.
    mutating func recordShot(nowMs: UInt64) {
        if nowMs >= restsMs { firstMs = nowMs }
        lastMs = nowMs
    }

    private var restsMs: UInt64 { lastMs.map { $0 + Self.restMs } ?? 0 }
    /// The end of the photos' wait, in milliseconds of the monotonic clock.
    private var endMs: UInt64 { min(restsMs, firstMs + Self.patienceMs) }

    /// Records that the worker polled the camera for new photos.
    mutating func recordPoll(nowMs: UInt64) { polledMs = nowMs }

    /// Returns whether the worker has to poll for new photos before it reads, because it has not polled since
    /// the end of the wait. A worker that woke up late would otherwise read during the next shots.
    func mustPoll(nowMs: UInt64) -> Bool { isActive && nowMs >= endMs && polledMs < endMs }

    /// Records that a piece of a photo was read.
    mutating func recordRead(nowMs: UInt64) { readMs = nowMs }

    /// Records a release that the camera refused because it was busy. If a photo was being read, photos wait
    /// from now on.
    ///
    /// - Parameter beganMs: The time of the order, in milliseconds of the monotonic clock. The driver may
    ///   retry for a while before it fails.
    /// - Returns: Whether reading was the reason, so that the release is worth a retry.
    mutating func recordRefusal(beganMs: UInt64, nowMs: UInt64) -> Bool {
        guard wait != .never, let readMs, beganMs < readMs + Self.readingMs else { return false }
        isActive = true
        recordShot(nowMs: nowMs)
        return true
    }

    /// Returns the milliseconds until photos may be read, or 0 if they may be read now.
    func delay(nowMs: UInt64) -> UInt64 {
        guard isActive else { return 0 }
        return endMs - min(endMs, nowMs)
    }
}
