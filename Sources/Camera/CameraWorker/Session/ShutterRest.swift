import FrameFastModel

/// A schedule for reading photos from a camera that refuses to release its shutter during a read. An example
/// is the Nikon D780 in libgphoto2 issue 1212. While the first photo is read, the camera refuses a second
/// shot within half a second. Photos of a camera with this limitation stay on the card until the photographer
/// pauses. This type sends no requests and does not read the clock.
struct ShutterRest {
    /// The time without a shot after which photos may be read, in milliseconds. In tests, the refused shots
    /// followed 0.4 to 1 s after the previous shot.
    static let restMs: UInt64 = 1_200
    /// The maximum time that photos wait after the first shot of a burst, in milliseconds.
    static let waitMaxMs: UInt64 = 10_000
    /// The time after a read during which a refused release is attributed to the read, in milliseconds.
    static let readingMs: UInt64 = 500

    /// Whether photos of this camera wait until shooting pauses.
    private(set) var isActive: Bool
    private let wait: ShutterWait
    private var readMs: UInt64?
    private var firstMs: UInt64 = 0
    private var lastMs: UInt64?
    private var polledMs: UInt64 = 0

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the model is known to refuse its shutter during a read.
    ///   - keepsOnCard: Whether photos are on a card. Photos in the camera's memory must be read immediately,
    ///     because a full memory ends the burst.
    init(_ wait: ShutterWait, isKnown: Bool, keepsOnCard: Bool = true) {
        self.wait = keepsOnCard ? wait : .never
        isActive = self.wait == .always || (self.wait == .auto && isKnown)
    }

    /// Records a shot or a refused release.
    mutating func recordShot(nowMs: UInt64) {
        if nowMs >= restsMs { firstMs = nowMs }
        lastMs = nowMs
    }

    private var restsMs: UInt64 { lastMs.map { $0 + Self.restMs } ?? 0 }
    /// The time at which photos may be read, in milliseconds of the monotonic clock.
    private var endMs: UInt64 { min(restsMs, firstMs + Self.waitMaxMs) }

    /// Records that the worker polled the camera for new photos.
    mutating func recordPoll(nowMs: UInt64) { polledMs = nowMs }

    /// Returns whether the worker has to poll for new photos before it reads. A worker that has not polled
    /// since the end of the wait might start a read during the next shots.
    func mustPoll(nowMs: UInt64) -> Bool { isActive && nowMs >= endMs && polledMs < endMs }

    /// Records that a chunk of a photo was read.
    mutating func recordRead(nowMs: UInt64) { readMs = nowMs }

    /// Records a release that the camera refused because it was busy. If a photo was being read, photos wait
    /// until shooting pauses from now on.
    ///
    /// - Parameter beganMs: The start of the release, in milliseconds of the monotonic clock. The driver may
    ///   retry for some time before it fails.
    /// - Returns: Whether the read was the reason. If so, a retry of the release is worthwhile.
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
