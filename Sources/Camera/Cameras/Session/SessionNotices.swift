import Synchronization

/// Passes a worker's notices to the session that is open; between sessions they go nowhere.
final class SessionNotices: Sendable {
    typealias Queue = NoticeQueue<CameraSession.Notice>
    private let current = Mutex<Queue?>(nil)

    /// Notices that are handed out together, at most: a commit of so many new photos takes some milliseconds.
    private static let togetherMax = 64

    /// Starts a session's stream; an earlier one ends.
    func begin() -> AsyncStream<[CameraSession.Notice]> {
        let queue = Queue(noticesMax: WorkerLink.noticesMax, bytesMax: WorkerLink.noticeBytesMax)
        current.withLock { current in
            current?.finish()
            current = queue
        }
        return AsyncStream(unfolding: { await queue.next(max: Self.togetherMax)?.map(\.notice) })
    }

    /// Adds a notice that came as so many bytes.
    func yield(_ notice: CameraSession.Notice, bytes: Int = 0) {
        current.withLock { $0?.yield(notice, bytes: bytes) }
    }

    func finish() {
        current.withLock { $0?.finish() }
    }
}
