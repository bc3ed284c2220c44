import FrameFastModel

/// What one session knows of photos that did not come in: how often, which wait, what an earlier attempt gave.
struct FailedPhotos {
    /// Failed attempts before a photo waits for a quieter moment.
    static let attemptsMax = 3

    /// Photos that wait for a quieter moment.
    private(set) var parked: [CaptureRecord] = []
    private var attempts: [CaptureID: Int] = [:]
    /// Photos that could not be fetched in ``attemptsMax`` attempts and still are not.
    private var failing: Set<CaptureID> = []
    private var earlierHash: [CaptureID: String] = [:]

    /// How many photos cannot be fetched at present.
    var failingCount: Int { failing.count }

    /// Whether there were too many failed attempts at a photo.
    func isFailing(_ id: CaptureID) -> Bool { failing.contains(id) }

    /// Whether a photo waits for a quieter moment.
    func isParked(_ id: CaptureID) -> Bool { parked.contains { $0.id == id } }

    /// Whether a photo may go before others that wait: nothing is known against it.
    func mayGoFirst(_ record: CaptureRecord) -> Bool {
        record.attempts < Self.attemptsMax && !failing.contains(record.id) && !isParked(record.id)
    }

    /// Takes out of a queue the photos over which the camera is lost again and again: they must not keep the others
    /// waiting.
    ///
    /// - Returns: the others, those with the fewest failures first.
    mutating func partition(_ queue: [CaptureRecord]) -> [CaptureRecord] {
        let waiting = queue.filter { $0.attempts >= Self.attemptsMax }
        parked += waiting
        failing.formUnion(waiting.map(\.id))
        return queue.filter { $0.attempts < Self.attemptsMax }
            .sorted { ($0.attempts, $0.id) < ($1.attempts, $1.id) }
    }

    /// An attempt failed.
    ///
    /// - Parameter ever: failed attempts on record, from all sessions.
    /// - Returns: whether there were too many.
    mutating func failed(_ id: CaptureID, ever: Int) -> Bool {
        attempts[id, default: 0] += 1
        guard max(ever, attempts[id, default: 0]) >= Self.attemptsMax else { return false }
        failing.insert(id)
        return true
    }

    /// Photos cannot be fetched, because the camera does not have them.
    mutating func areAway(_ ids: [CaptureID]) { failing.formUnion(ids) }

    /// A photo came to a good end, or to an end.
    ///
    /// - Returns: whether it was the last one that failed.
    mutating func ended(_ id: CaptureID) -> Bool {
        attempts[id] = nil
        earlierHash[id] = nil
        return failing.remove(id) != nil && failing.isEmpty
    }

    /// A photo waits for a quieter moment.
    mutating func park(_ record: CaptureRecord) { parked.append(record) }

    /// The quieter moment: hands over what waited.
    mutating func unpark() -> [CaptureRecord] {
        defer { parked = [] }
        return parked
    }

    /// Whether bytes came that look damaged.
    func hasComeDamaged(_ id: CaptureID) -> Bool { earlierHash[id] != nil }

    /// Whether the same bytes came before: what looks damaged is so on the card, not by the way here.
    func cameTwice(_ id: CaptureID, sha256: String) -> Bool { earlierHash[id] == sha256 }

    /// Bytes that look damaged came: they are held against those of the next attempt.
    mutating func cameDamaged(_ id: CaptureID, sha256: String) { earlierHash[id] = sha256 }
}
