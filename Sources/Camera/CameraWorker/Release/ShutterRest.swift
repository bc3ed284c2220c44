import FrameFastModel

/// A schedule for reading photos from a camera that refuses to release its shutter during a read. For
/// example, during a read, a Nikon D780 refuses a second shot within half a second (libgphoto2 issue 1212).
/// Photos of a camera with this limitation stay on the card until the photographer pauses. This type sends no
/// requests and does not read the clock.
struct ShutterRest {
    /// The time without a shot after which photos may be read. In tests, the refused shots
    /// followed 0.4 to 1 s after the previous shot.
    static let rest = Duration.milliseconds(1_200)
    /// The maximum time that photos wait after the first shot of a burst.
    static let waitMax = Duration.milliseconds(10_000)
    /// The time after a read during which a refused release is attributed to the read.
    static let reading = Duration.milliseconds(500)

    /// Whether photos of this camera wait until shooting pauses.
    private(set) var isActive: Bool
    private let wait: ShutterWait
    private var lastRead: Instant?
    private var firstShot = Instant.start
    private var lastShot: Instant?
    private var polled = Instant.start

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
    mutating func recordShot(at now: Instant) {
        if now >= restEnd { firstShot = now }
        lastShot = now
    }

    private var restEnd: Instant { lastShot.map { $0 + Self.rest } ?? .start }
    /// The time at which photos may be read.
    private var end: Instant { min(restEnd, firstShot + Self.waitMax) }

    /// Records that the worker polled the camera for new photos.
    mutating func recordPoll(at now: Instant) { polled = now }

    /// Returns whether the worker has to poll for new photos before it reads. Without a poll after the wait,
    /// the worker might start a read during the next shots.
    func mustPoll(at now: Instant) -> Bool { isActive && now >= end && polled < end }

    /// Records that a chunk of a photo was read.
    mutating func recordRead(at now: Instant) { lastRead = now }

    /// Records a release that the camera refused because it was busy. If a photo was being read, all later
    /// photos wait until shooting pauses.
    ///
    /// - Parameter began: The start of the release. The driver may
    ///   retry for some time before it fails.
    /// - Returns: Whether the read was the reason. If so, a retry of the release is worthwhile.
    mutating func recordRefusal(began: Instant, at now: Instant) -> Bool {
        guard wait != .never, let lastRead, began < lastRead + Self.reading else { return false }
        isActive = true
        recordShot(at: now)
        return true
    }

    /// Returns the time until photos may be read, or zero if they may be read now.
    func delay(at now: Instant) -> Duration {
        guard isActive else { return .zero }
        return now.delay(until: end)
    }
}
