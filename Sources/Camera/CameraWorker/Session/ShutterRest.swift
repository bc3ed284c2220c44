import FrameFastModel

/// When photos may be read from a camera that refuses its shutter while it is read (libgphoto2 issue 1212: a D780 takes no
/// second shot within half a second of the first when that one is being read). They wait until the shutter rests: on the
/// card they are safe meanwhile. No calls, no clock.
struct ShutterRest {
    /// Time without a shot after which the shutter rests, in milliseconds: the shots that were lost came 0.4 to 1 s after
    /// the one before.
    static let restMs: UInt64 = 1_200
    /// Photos wait no longer than this after the first shot of a burst, in milliseconds.
    static let patienceMs: UInt64 = 10_000
    /// Time after a piece of a photo in which a refused release is put down to that, in milliseconds.
    static let readingMs: UInt64 = 500

    /// Whether photos wait at all.
    private(set) var isKept: Bool
    private let wait: ShutterWait
    private var readMs: UInt64?
    private var firstMs: UInt64 = 0
    private var lastMs: UInt64?
    private var lookedMs: UInt64 = 0

    /// - Parameters:
    ///   - isKnown: whether the model is known for it.
    ///   - keepsOnCard: whether photos are on the card: those in the camera's memory must be read for the burst to go on.
    init(_ wait: ShutterWait, isKnown: Bool, keepsOnCard: Bool = true) {
        self.wait = keepsOnCard ? wait : .never
        isKept = self.wait == .always || (self.wait == .auto && isKnown)
    }

    /// A shot was taken, or tried.
    mutating func shot(nowMs: UInt64) {
        if nowMs >= restsMs { firstMs = nowMs }
        lastMs = nowMs
    }

    private var restsMs: UInt64 { lastMs.map { $0 + Self.restMs } ?? 0 }
    /// The end of the wait of photos.
    private var endMs: UInt64 { min(restsMs, firstMs + Self.patienceMs) }

    /// Records that the worker asked the camera for new photos.
    mutating func looked(nowMs: UInt64) { lookedMs = nowMs }

    /// Whether the worker has to ask for new photos before it reads: it has not asked since the shutter came to rest. A
    /// worker that woke up late would otherwise read during the next shots.
    func mustLook(nowMs: UInt64) -> Bool { isKept && nowMs >= endMs && lookedMs < endMs }

    /// A piece of a photo was read.
    mutating func read(nowMs: UInt64) { readMs = nowMs }

    /// A release was refused because the camera is busy. Where it was being read, photos wait from now on.
    ///
    /// - Parameter beganMs: when the release was ordered: the driver may try for a while before it gives up.
    /// - Returns: whether that was the reason, so that it is worth another try.
    mutating func refused(beganMs: UInt64, nowMs: UInt64) -> Bool {
        guard wait != .never, let readMs, beganMs < readMs + Self.readingMs else { return false }
        isKept = true
        shot(nowMs: nowMs)
        return true
    }

    /// Milliseconds until photos may be read; 0 when they may be read now.
    func delay(nowMs: UInt64) -> UInt64 {
        guard isKept else { return 0 }
        return endMs - min(endMs, nowMs)
    }
}
