import FrameFastModel
import WorkerProtocol

/// The state of live view: the queue of frame requests, whether live view is on, and the times of the next
/// steps. This type sends no requests and does not read the clock.
struct LiveView {
    /// The pause of live view after an announced photo, in milliseconds. The daemon requests the photo within
    /// this time.
    static let photoPauseMs: UInt64 = 300
    /// The battery level below which live view ends and can't start, in percent. The remaining charge is
    /// reserved for photos.
    static let batteryLeast = 10
    /// The interval for checking the camera's temperature, in milliseconds.
    static let heatCheckMs: UInt64 = 10_000
    /// The retry interval for ending live view while the camera is busy, in milliseconds, and the maximum
    /// number of tries.
    static let endPauseMs: UInt64 = 200
    static let endTriesMax = 25
    /// The retry interval for a frame while the camera is busy, in milliseconds, and the maximum number of
    /// tries. The tries take 3 s in total.
    static let busyPauseMs: UInt64 = 100
    static let busyTriesMax = 30

    /// The queued frame requests, oldest first.
    private var orders: [(id: UInt64, order: LiveFrameOrder)] = []
    /// Whether live view is on.
    private(set) var isOn = false
    /// The time of the next temperature check, in milliseconds of the monotonic clock.
    private var heatDueMs: UInt64 = 0
    /// The time at which live view ends if no other frame is requested, in milliseconds of the monotonic
    /// clock.
    private var idleEndMs: UInt64 = 0
    /// The number of consecutive tries for a frame that failed because the camera was busy.
    private var busyTries = 0
    /// The end of the current pause, in milliseconds of the monotonic clock.
    private var pausedUntilMs: UInt64 = 0
    /// The number of failed tries to end live view and the time of the next try, or `nil` if live view is not
    /// ending.
    private var ending: (tries: Int, dueMs: UInt64)?

    /// Enqueues a frame request.
    mutating func enqueue(_ id: UInt64, _ order: LiveFrameOrder, nowMs: UInt64) {
        orders.append((id, order))
        idleEndMs = nowMs + UInt64(LiveViewLimits.restMs)
    }

    /// Keeps live view on for a purpose other than frames.
    mutating func keepOn(nowMs: UInt64) { idleEndMs = nowMs + UInt64(LiveViewLimits.restMs) }

    /// Pauses live view for a photo that was announced or is being taken.
    mutating func pauseForPhoto(nowMs: UInt64) { pausedUntilMs = nowMs + Self.photoPauseMs }

    /// Ends the pause.
    mutating func endPause() { pausedUntilMs = 0 }

    /// Removes and returns the next request, or returns `nil` if no request may be performed now.
    mutating func next(nowMs: UInt64) -> (id: UInt64, order: LiveFrameOrder)? {
        guard ending == nil, nowMs >= pausedUntilMs, !orders.isEmpty else { return nil }
        return orders.removeFirst()
    }

    /// Puts a request back at the front of the queue.
    mutating func requeue(_ id: UInt64, _ order: LiveFrameOrder) { orders.insert((id, order), at: 0) }

    /// Puts a request back at the front of the queue because the camera was busy.
    ///
    /// - Returns: `false` if all tries are used up.
    mutating func retryBusy(_ id: UInt64, _ order: LiveFrameOrder, nowMs: UInt64) -> Bool {
        busyTries += 1
        guard busyTries < Self.busyTriesMax else { return false }
        requeue(id, order)
        pausedUntilMs = nowMs + Self.busyPauseMs
        return true
    }

    /// Removes all requests and returns their ids.
    mutating func removeOrders() -> [UInt64] {
        defer { orders = [] }
        return orders.map(\.id)
    }

    /// Records that live view is on.
    mutating func recordStart(nowMs: UInt64) {
        busyTries = 0
        guard !isOn else { return }
        isOn = true
        heatDueMs = nowMs + Self.heatCheckMs
    }

    /// Records that live view is off.
    mutating func recordEnd() {
        isOn = false
        ending = nil
    }

    /// Requests the end of live view.
    mutating func requestEnd(nowMs: UInt64) { if isOn, ending == nil { ending = (0, nowMs) } }

    /// Records a failed try to end live view.
    ///
    /// - Returns: Whether to retry.
    mutating func recordEndFailure(nowMs: UInt64) -> Bool {
        let tries = (ending?.tries ?? 0) + 1
        ending = (tries, nowMs + Self.endPauseMs)
        return tries < Self.endTriesMax
    }

    /// Returns whether live view must end now, because of a request to end it or because no frame was
    /// requested for some time.
    func isEndDue(nowMs: UInt64) -> Bool {
        guard isOn else { return false }
        if let ending { return nowMs >= ending.dueMs }
        return orders.isEmpty && nowMs >= idleEndMs
    }

    /// Returns whether a temperature check is due, and if so, schedules the next.
    mutating func isHeatCheckDue(nowMs: UInt64) -> Bool {
        guard isOn, nowMs >= heatDueMs else { return false }
        heatDueMs = nowMs + Self.heatCheckMs
        return true
    }

    /// Returns the milliseconds until the next step, or `nil` if no step is scheduled.
    func delay(nowMs: UInt64) -> UInt64? {
        let due = [
            orders.isEmpty || ending != nil ? nil : pausedUntilMs,
            isOn ? ending?.dueMs ?? (orders.isEmpty ? idleEndMs : nil) : nil,
        ].compactMap(\.self).min()
        return due.map { $0 - min($0, nowMs) }
    }
}
