import FrameFastModel

/// The photos that could not be fetched during one connection, with their failed attempts and the hashes of
/// damaged transfers.
struct FailedPhotos {
    /// The number of failed attempts after which a photo is parked until an idle moment.
    static let attemptsMax = 3

    /// The photos that are parked until an idle moment.
    private(set) var parked: [CaptureRecord] = []
    private var attempts: [CaptureID: Int] = [:]
    /// The photos that failed ``attemptsMax`` times, or are missing on the camera, and are still not fetched.
    private var failing: Set<CaptureID> = []
    private var earlierHash: [CaptureID: String] = [:]

    /// The number of photos that currently cannot be fetched.
    var failingCount: Int { failing.count }

    /// Returns whether a photo failed too often or is missing on the camera.
    func isFailing(_ id: CaptureID) -> Bool { failing.contains(id) }

    /// Returns whether a photo is parked until an idle moment.
    func isParked(_ id: CaptureID) -> Bool { parked.contains { $0.id == id } }

    /// Returns whether a photo may be queued as a shot. A photo that failed too often may not.
    func mayGoFirst(_ record: CaptureRecord) -> Bool {
        record.attempts < Self.attemptsMax && !failing.contains(record.id) && !isParked(record.id)
    }

    /// Parks the photos that failed too often, because the other photos must not wait for these photos.
    ///
    /// - Returns: The other photos. The photos with the fewest failures are first.
    mutating func partition(_ queue: [CaptureRecord]) -> [CaptureRecord] {
        let waiting = queue.filter { $0.attempts >= Self.attemptsMax }
        parked += waiting
        failing.formUnion(waiting.map(\.id))
        return queue.filter { $0.attempts < Self.attemptsMax }
            .sorted { ($0.attempts, $0.id) < ($1.attempts, $1.id) }
    }

    /// Counts a failed attempt.
    ///
    /// - Parameter ever: The number of failed attempts in the ledger, from all connections.
    /// - Returns: Whether the photo failed too often.
    mutating func recordFailure(_ id: CaptureID, ever: Int) -> Bool {
        attempts[id, default: 0] += 1
        guard max(ever, attempts[id, default: 0]) >= Self.attemptsMax else { return false }
        failing.insert(id)
        return true
    }

    /// Marks photos as failing because the camera does not have them.
    mutating func markFailing(_ ids: [CaptureID]) { failing.formUnion(ids) }

    /// Forgets a photo that was saved, set aside or dropped.
    ///
    /// - Returns: Whether the photo was the last failing photo.
    mutating func remove(_ id: CaptureID) -> Bool {
        attempts[id] = nil
        earlierHash[id] = nil
        return failing.remove(id) != nil && failing.isEmpty
    }

    /// Parks a photo until an idle moment.
    mutating func park(_ record: CaptureRecord) { parked.append(record) }

    /// Returns the parked photos and removes them.
    mutating func unpark() -> [CaptureRecord] {
        defer { parked = [] }
        return parked
    }

    /// Returns whether an earlier transfer of the photo returned damaged bytes.
    func hasDamagedHash(_ id: CaptureID) -> Bool { earlierHash[id] != nil }

    /// Returns whether an earlier transfer returned the same bytes. If so, the photo is damaged on the card.
    /// Otherwise, the link may have caused the damage.
    func matchesEarlierHash(_ id: CaptureID, sha256: String) -> Bool { earlierHash[id] == sha256 }

    /// Records the hash of damaged bytes for the comparison with the next attempt.
    mutating func recordDamaged(_ id: CaptureID, sha256: String) { earlierHash[id] = sha256 }
}
