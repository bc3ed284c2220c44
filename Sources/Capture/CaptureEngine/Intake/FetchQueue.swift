import FrameFastModel

/// A queue of captures that a connection still has to fetch. Shots from the current connection precede
/// captures that were already on the card; each priority keeps its insertion order. The queue contains each
/// capture once. A capture is never fetched twice at the same time, even if an event, the list and the user
/// request it.
struct FetchQueue {
    /// The priority of a capture, from the highest to the lowest.
    enum Priority: Hashable, CaseIterable {
        /// Announced by the camera as a new shot.
        case shot
        /// Found on the card, or retried.
        case catchUp
    }

    private var shots: [CaptureRecord] = []
    private var catchUp: [CaptureRecord] = []
    /// The priorities of captures that wait or are being fetched.
    private var priorities: [CaptureID: Priority] = [:]
    /// The captures that were saved or are duplicates. A query of the ledger that started before the end of a
    /// fetch may still return its capture as waiting.
    private var completed: Set<CaptureID> = []

    /// The captures that wait or are being fetched.
    var ids: Set<CaptureID> { Set(priorities.keys) }
    /// Whether no capture waits.
    var isEmpty: Bool { shots.isEmpty && catchUp.isEmpty }
    /// The number of waiting captures.
    var count: Int { shots.count + catchUp.count }
    /// Whether ``next(fits:)`` currently returns shots only.
    var givesOnlyShots = false

    /// Whether a shot waits.
    var hasShot: Bool { !shots.isEmpty }
    /// Returns the priority of a capture that waits or is being fetched; otherwise `nil`.
    func priority(of id: CaptureID) -> Priority? { priorities[id] }
    /// The capture at the front of the queue, or `nil` if the queue is empty.
    var first: CaptureRecord? { shots.first ?? catchUp.first }

    /// Appends captures with a priority, except completed captures. A capture that is already in the queue
    /// keeps its position, with one exception: a capture that was found on the card and then announced as a
    /// shot moves to the shots.
    mutating func append(_ records: some Sequence<CaptureRecord>, priority: Priority = .catchUp) {
        for record in records where !completed.contains(record.id) {
            switch priorities[record.id] {
            case nil: insert(record, priority: priority, isFirst: false)
            case .catchUp where priority == .shot: promote(record.id)
            default: break
            }
        }
    }

    /// Inserts a capture before all other captures of its priority. Used after a failure that the photo did
    /// not cause, such as a full disk.
    mutating func prepend(_ record: CaptureRecord, priority: Priority = .catchUp) {
        guard priorities[record.id] == nil else { return }
        insert(record, priority: priority, isFirst: true)
    }

    /// Removes and returns the next capture for which `fits` returns `true`. Skipped captures keep their
    /// positions.
    mutating func next(fits: (CaptureRecord) -> Bool = { _ in true }) -> CaptureRecord? {
        if let index = shots.firstIndex(where: fits) { return shots.remove(at: index) }
        guard !givesOnlyShots else { return nil }
        return catchUp.firstIndex(where: fits).map { catchUp.remove(at: $0) }
    }

    /// Removes a waiting capture. A capture that is being fetched stays until ``finish(_:)``.
    mutating func remove(_ id: CaptureID) {
        guard removeWaiting(id) != nil else { return }
        priorities[id] = nil
    }

    /// Removes a capture whose fetch ended, successfully or not.
    ///
    /// - Returns: The priority with which to queue the capture again.
    @discardableResult
    mutating func finish(_ id: CaptureID) -> Priority { priorities.removeValue(forKey: id) ?? .catchUp }

    /// Records that a capture was saved or is a duplicate. ``append(_:priority:)`` ignores it from now on.
    mutating func complete(_ id: CaptureID) { completed.insert(id) }

    private mutating func insert(_ record: CaptureRecord, priority: Priority, isFirst: Bool) {
        priorities[record.id] = priority
        switch priority {
        case .shot: shots.insert(record, at: isFirst ? 0 : shots.count)
        case .catchUp: catchUp.insert(record, at: isFirst ? 0 : catchUp.count)
        }
    }

    private mutating func promote(_ id: CaptureID) {
        priorities[id] = .shot
        if let record = removeWaiting(id) { shots.append(record) }
    }

    private mutating func removeWaiting(_ id: CaptureID) -> CaptureRecord? {
        if let index = shots.firstIndex(where: { $0.id == id }) { return shots.remove(at: index) }
        return catchUp.firstIndex { $0.id == id }.map { catchUp.remove(at: $0) }
    }
}
