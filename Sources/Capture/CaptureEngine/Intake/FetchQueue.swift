import FrameFastModel

/// What a session has still to fetch: shots that were taken since it began before all that the card had, each of the two
/// in the order in which they were put here. Each capture is in it once, and is fetched by one fetch at a time, however
/// often it is told of: by an event, by the list, by a person.
struct FetchQueue {
    /// Which of the two a capture belongs to.
    enum Lane: Hashable, CaseIterable {
        /// Announced by the camera: somebody waits for it.
        case shot
        /// Found on the card, or asked for again.
        case catchUp
    }

    private var shots: [CaptureRecord] = []
    private var catchUp: [CaptureRecord] = []
    /// Captures that wait, and those that were handed out and have not come to an end, with their lanes.
    private var lanes: [CaptureID: Lane] = [:]

    /// Captures that wait, and those that were handed out and have not come to an end.
    var ids: Set<CaptureID> { Set(lanes.keys) }
    /// Whether nothing waits.
    var isEmpty: Bool { shots.isEmpty && catchUp.isEmpty }
    /// How many wait.
    var count: Int { shots.count + catchUp.count }
    /// Whether only shots are handed out at present.
    var givesOnlyShots = false

    /// Whether a shot waits.
    var hasShot: Bool { !shots.isEmpty }
    /// Which lane a capture belongs to that waits, or was handed out and has not come to an end.
    func lane(of id: CaptureID) -> Lane? { lanes[id] }
    /// The next one.
    var first: CaptureRecord? { shots.first ?? catchUp.first }

    /// Puts captures behind the others of their lane. Those that are here already stay where they are, but for a shot that
    /// was found on the card before it was announced.
    mutating func append(_ records: some Sequence<CaptureRecord>, to lane: Lane = .catchUp) {
        for record in records {
            switch lanes[record.id] {
            case nil: insert(record, in: lane, isFirst: false)
            case .catchUp where lane == .shot: promote(record.id)
            default: break
            }
        }
    }

    /// Puts a capture before the others of its lane: nothing is wrong with it, there was no room for it.
    mutating func putBack(_ record: CaptureRecord, to lane: Lane = .catchUp) {
        guard lanes[record.id] == nil else { return }
        insert(record, in: lane, isFirst: true)
    }

    /// Hands out the next one that `fits`; those before it stay where they are and let it pass.
    mutating func next(fits: (CaptureRecord) -> Bool = { _ in true }) -> CaptureRecord? {
        if let index = shots.firstIndex(where: fits) { return shots.remove(at: index) }
        guard !givesOnlyShots else { return nil }
        return catchUp.firstIndex(where: fits).map { catchUp.remove(at: $0) }
    }

    /// Takes out a capture that waits; one that was handed out comes to its end by itself.
    mutating func remove(_ id: CaptureID) {
        guard takeOut(id) != nil else { return }
        lanes[id] = nil
    }

    /// What was handed out came to an end, good or bad.
    ///
    /// - Returns: its lane, for one that is put here again.
    @discardableResult
    mutating func ended(_ id: CaptureID) -> Lane { lanes.removeValue(forKey: id) ?? .catchUp }

    private mutating func insert(_ record: CaptureRecord, in lane: Lane, isFirst: Bool) {
        lanes[record.id] = lane
        switch lane {
        case .shot: shots.insert(record, at: isFirst ? 0 : shots.count)
        case .catchUp: catchUp.insert(record, at: isFirst ? 0 : catchUp.count)
        }
    }

    private mutating func promote(_ id: CaptureID) {
        lanes[id] = .shot
        if let record = takeOut(id) { shots.append(record) }
    }

    private mutating func takeOut(_ id: CaptureID) -> CaptureRecord? {
        if let index = shots.firstIndex(where: { $0.id == id }) { return shots.remove(at: index) }
        return catchUp.firstIndex { $0.id == id }.map { catchUp.remove(at: $0) }
    }
}
