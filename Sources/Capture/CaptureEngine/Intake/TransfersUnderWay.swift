import FrameFastModel

/// What comes over a camera's link and is not on disk yet: fetches, photos that are being published, a second reading.
struct TransfersUnderWay {
    /// Fetches under way: one on the link, the others while their hashes are still running (LateHashes.threads).
    static let fetchesMax = 3
    /// Photos between "bytes are here" and "saved": bounds memory and work that a full stop would lose.
    static let publishingMax = 32

    private var fetching: [CaptureID: TransferProgress] = [:]
    /// What was asked for, in the order in which the worker takes it: the first is the one on the link.
    private var onLink: [CaptureID] = []
    /// Those of the fetches that somebody waits for.
    private var shots: Set<CaptureID> = []
    private var publishing = 0
    /// The photo that is being read a second time.
    private var rereading: CaptureID?

    /// Whether one more may be fetched. Shots do not wait for an end of those that the card had: the worker reads them
    /// first.
    func hasRoom(isShot: Bool) -> Bool {
        (isShot ? shots.count : fetching.count) < Self.fetchesMax && publishing < Self.publishingMax
    }
    /// Whether a photo is being fetched.
    var isFetching: Bool { !fetching.isEmpty }
    /// Whether no photo is on its way to the disk; one may be read a second time.
    var isQuiet: Bool { fetching.isEmpty && publishing == 0 }
    /// Whether nothing comes over the link.
    var isLinkFree: Bool { isQuiet && rereading == nil }
    /// The photo that people see coming in.
    var shown: TransferProgress? { next.flatMap { fetching[$0] } }

    /// Bytes that are still to come. What a camera announced for those under way fitted on the disk, so the sum is far from
    /// overflowing.
    var bytesToCome: UInt64 { fetching.values.reduce(0) { $0 &+ ($1.total - min($1.total, $1.bytes)) } }

    /// A fetch begins.
    ///
    /// - Parameter isShot: whether somebody waits for it.
    mutating func begin(_ record: CaptureRecord, isShot: Bool = false) {
        fetching[record.id] = TransferProgress(
            name: record.object.name, bytes: 0, total: record.object.size)
        // Behind the one on the link, between two pieces of which it is read: that one is not through.
        let place =
            isShot && !onLink.isEmpty ? 1 + onLink.dropFirst().prefix { shots.contains($0) }.count : nil
        if isShot { shots.insert(record.id) }
        onLink.insert(record.id, at: place ?? onLink.count)
    }

    /// The worker says how far the fetch on the link has come.
    ///
    /// - Returns: the photo that people see coming in; `nil` when nothing is fetched.
    mutating func progressed(_ bytes: UInt64) -> TransferProgress? {
        guard let first = next else { return nil }
        fetching[first]?.bytes = bytes
        return fetching[first]
    }

    /// All bytes of a photo are here: it is being published until ``published()``.
    mutating func arrived(_ id: CaptureID) {
        leaveLink(id)
        publishing += 1
    }

    /// A photo came to its end at the publisher.
    mutating func published() { publishing -= 1 }

    /// A fetch failed.
    ///
    /// - Returns: whether it was the one on the link.
    mutating func failed(_ id: CaptureID) -> Bool {
        defer { leaveLink(id) }
        return onLink.first == id
    }

    /// A second reading begins.
    mutating func beginReread(_ id: CaptureID) {
        rereading = id
        onLink.append(id)
    }

    /// A second reading came to its end, good or bad.
    mutating func endReread(_ id: CaptureID) {
        rereading = nil
        leaveLink(id)
    }

    /// The fetch that was asked for first of those that are under way.
    private var next: CaptureID? { onLink.first { fetching[$0] != nil } }

    private mutating func leaveLink(_ id: CaptureID) {
        fetching[id] = nil
        shots.remove(id)
        onLink.removeAll { $0 == id }
    }
}
