import FrameFastModel
import WorkerProtocol

/// Live view of one camera: who waits for a frame, whether it is on, and when what is due. No calls, no clock.
struct LiveView {
    /// Time for which no frame is made after a photo was announced: until then the daemon has asked for it. Photos go first.
    static let photoPauseMs: UInt64 = 300
    /// Battery below which live view is not begun and ends, in percent: what is left is for photos.
    static let batteryLeast = 10
    /// How often the camera's temperature is looked at, in milliseconds.
    static let heatLookMs: UInt64 = 10_000
    /// How often ending it is tried again while the camera is busy, in milliseconds, and how often in all.
    static let endPauseMs: UInt64 = 200
    static let endTriesMax = 25
    /// How long a busy camera is left alone before it is asked for the same frame again, in milliseconds, and how often: 3 s.
    static let busyPauseMs: UInt64 = 100
    static let busyTriesMax = 30

    /// Orders that wait for a frame, in their order.
    private var orders: [(id: UInt64, order: LiveFrameOrder)] = []
    /// Whether the camera makes frames.
    private(set) var isOn = false
    /// When the camera's temperature is to be looked at.
    private var heatDueMs: UInt64 = 0
    /// When it ends because nobody asks.
    private var restMs: UInt64 = 0
    /// How often in a row the camera was busy.
    private var busyTries = 0
    /// No frame before this time.
    private var heldUntilMs: UInt64 = 0
    /// How often ending it failed, and when it is tried again; `nil` when it is not ending.
    private var ending: (tries: Int, dueMs: UInt64)?

    /// Somebody waits for a frame.
    mutating func ordered(_ id: UInt64, _ order: LiveFrameOrder, nowMs: UInt64) {
        orders.append((id, order))
        restMs = nowMs + UInt64(LiveViewLimits.restMs)
    }

    /// Something else than frames needs it for a moment.
    mutating func isNeeded(nowMs: UInt64) { restMs = nowMs + UInt64(LiveViewLimits.restMs) }

    /// A photo was announced, or is being taken.
    mutating func hold(nowMs: UInt64) { heldUntilMs = nowMs + Self.photoPauseMs }

    /// The photo is in.
    mutating func release() { heldUntilMs = 0 }

    /// The next order that may be carried out now; it counts as that.
    mutating func next(nowMs: UInt64) -> (id: UInt64, order: LiveFrameOrder)? {
        guard ending == nil, nowMs >= heldUntilMs, !orders.isEmpty else { return nil }
        return orders.removeFirst()
    }

    /// An order that was taken too early goes back to its place.
    mutating func again(_ id: UInt64, _ order: LiveFrameOrder) { orders.insert((id, order), at: 0) }

    /// The camera is busy: the order goes back to its place for a moment.
    ///
    /// - Returns: false when it has been so for too long.
    mutating func isBusy(_ id: UInt64, _ order: LiveFrameOrder, nowMs: UInt64) -> Bool {
        busyTries += 1
        guard busyTries < Self.busyTriesMax else { return false }
        again(id, order)
        heldUntilMs = nowMs + Self.busyPauseMs
        return true
    }

    /// Orders that nothing comes of.
    mutating func takeOrders() -> [UInt64] {
        defer { orders = [] }
        return orders.map(\.id)
    }

    /// Frames come from now on.
    mutating func began(nowMs: UInt64) {
        busyTries = 0
        guard !isOn else { return }
        isOn = true
        heatDueMs = nowMs + Self.heatLookMs
    }

    /// It is off.
    mutating func ended() {
        isOn = false
        ending = nil
    }

    /// It is to end now.
    mutating func mustEnd(nowMs: UInt64) { if isOn, ending == nil { ending = (0, nowMs) } }

    /// The camera would not end it now.
    ///
    /// - Returns: whether it is tried again.
    mutating func endFailed(nowMs: UInt64) -> Bool {
        let tries = (ending?.tries ?? 0) + 1
        ending = (tries, nowMs + Self.endPauseMs)
        return tries < Self.endTriesMax
    }

    /// Whether ending it is due: nobody asks, or it was said.
    func isEndDue(nowMs: UInt64) -> Bool {
        guard isOn else { return false }
        if let ending { return nowMs >= ending.dueMs }
        return orders.isEmpty && nowMs >= restMs
    }

    /// Whether the camera's temperature is to be looked at; that counts as done then.
    mutating func isHeatDue(nowMs: UInt64) -> Bool {
        guard isOn, nowMs >= heatDueMs else { return false }
        heatDueMs = nowMs + Self.heatLookMs
        return true
    }

    /// Milliseconds until something is due; `nil` when nothing is.
    func delay(nowMs: UInt64) -> UInt64? {
        let due = [
            orders.isEmpty || ending != nil ? nil : heldUntilMs,
            isOn ? ending?.dueMs ?? (orders.isEmpty ? restMs : nil) : nil,
        ].compactMap(\.self).min()
        return due.map { $0 - min($0, nowMs) }
    }
}
