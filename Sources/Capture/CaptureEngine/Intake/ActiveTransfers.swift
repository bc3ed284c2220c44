import FrameFastModel
import WorkerProtocol

/// The running transfers of one camera: fetches, photos that are being published and a second reading.
struct ActiveTransfers {
    /// The maximum number of running fetches. One photo is on the link while the worker still hashes the
    /// others (`BackgroundHasher.threads`).
    static let fetchesMax = 3
    /// The maximum number of photos whose bytes are received and that are not `saved` yet. The limit bounds
    /// the memory, and the work that a crash would lose.
    static let publishingMax = 32

    private var fetching: [CaptureID: TransferProgress] = [:]
    /// The requested photos in the worker's order. The first photo is on the link, unless the worker has
    /// received all its bytes and still hashes it.
    private var onLink: [CaptureID] = []
    /// The fetches of new shots.
    private var shots: Set<CaptureID> = []
    private var publishing = 0
    /// The photo that is being read a second time.
    private var rereading: CaptureID?

    /// Returns whether one more fetch may start. Shots do not wait for catch-up fetches, because the worker
    /// reads shots first.
    func hasCapacity(isShot: Bool) -> Bool {
        (isShot ? shots.count : fetching.count) < Self.fetchesMax && publishing < Self.publishingMax
    }
    /// Whether a photo is being fetched.
    var isFetching: Bool { !fetching.isEmpty }
    /// Whether no photo is being fetched or published. A second reading may be running.
    var isIdle: Bool { fetching.isEmpty && publishing == 0 }
    /// Whether no transfer is running.
    var isLinkFree: Bool { isIdle && rereading == nil }
    /// The transfer in the camera's status, or `nil` if no photo is being fetched.
    var shown: TransferProgress? { next.flatMap { fetching[$0] } }

    /// The number of bytes that running fetches still have to receive. The sum cannot overflow, because the
    /// announced sizes fit on the disk.
    var remainingBytes: UInt64 { fetching.values.reduce(0) { $0 &+ ($1.total - min($1.total, $1.bytes)) } }

    /// Starts a fetch.
    ///
    /// - Parameter isShot: Whether the photo is a new shot.
    mutating func start(_ record: CaptureRecord, isShot: Bool = false) {
        fetching[record.id] = TransferProgress(
            name: record.object.name, bytes: 0, total: record.object.size)
        // Inserts the shot after the photo on the link and after earlier shots. The worker reads the shot
        // between two chunks of that photo.
        let place =
            isShot && !onLink.isEmpty ? 1 + onLink.dropFirst().prefix { shots.contains($0) }.count : nil
        if isShot { shots.insert(record.id) }
        onLink.insert(record.id, at: place ?? onLink.count)
    }

    /// Records how many bytes of the fetch on the link have arrived.
    ///
    /// - Returns: The transfer in the camera's status, or `nil` if no photo is being fetched.
    mutating func recordProgress(_ bytes: UInt64) -> TransferProgress? {
        guard let first = next else { return nil }
        fetching[first]?.bytes = bytes
        return fetching[first]
    }

    /// Ends a fetch whose bytes have all arrived. The photo is being published until ``finishPublishing()``.
    mutating func finishFetch(_ id: CaptureID) {
        removeFromLink(id)
        publishing += 1
    }

    /// Records that a photo was published or rejected.
    mutating func finishPublishing() { publishing -= 1 }

    /// Ends a failed fetch.
    ///
    /// A failure that the driver reports always concerns the photo on the link, even while the worker hashes
    /// earlier photos. If the worker ended, all running fetches fail without a report from the driver, and
    /// the first photo in the worker's order counts as the photo on the link.
    ///
    /// - Returns: Whether the photo was on the link.
    mutating func recordFailure(_ id: CaptureID, _ failure: WorkerFailure) -> Bool {
        defer { removeFromLink(id) }
        return failure.during == WorkerFailure.fetching || onLink.first == id
    }

    /// Starts a second reading.
    mutating func startReread(_ id: CaptureID) {
        rereading = id
        onLink.append(id)
    }

    /// Ends a second reading, successfully or not.
    mutating func endReread(_ id: CaptureID) {
        rereading = nil
        removeFromLink(id)
    }

    /// The first running fetch in the worker's order, or `nil` if no fetch is running.
    private var next: CaptureID? { onLink.first { fetching[$0] != nil } }

    private mutating func removeFromLink(_ id: CaptureID) {
        fetching[id] = nil
        shots.remove(id)
        onLink.removeAll { $0 == id }
    }
}
