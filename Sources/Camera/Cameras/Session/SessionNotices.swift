import Synchronization

/// Forwards a worker's notices to the open session. Notices between two sessions are dropped.
final class SessionNotices: Sendable {
    typealias Queue = NoticeQueue<CameraSession.Notice>
    private let current = Mutex<Queue?>(nil)

    /// The maximum number of notices per delivery. A commit of that many new photos takes a few milliseconds.
    private static let batchMax = 64

    /// Starts the stream of a session and ends the previous one.
    func startStream() -> AsyncStream<[CameraSession.Notice]> {
        let queue = Queue(noticesMax: WorkerLink.noticesMax, bytesMax: WorkerLink.noticeBytesMax)
        current.withLock { current in
            current?.finish()
            current = queue
        }
        return AsyncStream(unfolding: { await queue.next(max: Self.batchMax)?.map(\.notice) })
    }

    /// Enqueues a notice with its size in bytes.
    func yield(_ notice: CameraSession.Notice, bytes: Int = 0) {
        current.withLock { $0?.yield(notice, bytes: bytes) }
    }

    func finish() {
        current.withLock { $0?.finish() }
    }
}
