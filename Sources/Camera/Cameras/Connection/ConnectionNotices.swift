import Synchronization

/// A forwarder of a worker's notices to the current connection. Notices that arrive between two connections
/// are dropped.
final class ConnectionNotices: Sendable {
    typealias Queue = NoticeQueue<CameraConnection.Notice>
    private let current = Mutex<Queue?>(nil)

    /// The maximum number of notices per delivery. Committing that many new photos takes a few milliseconds.
    private static let batchMax = 64

    /// Starts the stream for a connection and ends the previous stream. If the stream drops announcements,
    /// its next delivery starts with ``CameraConnection/Notice/announcementsDropped``.
    func startStream() -> AsyncStream<[CameraConnection.Notice]> {
        let queue = Queue(noticesMax: WorkerLink.noticesMax, bytesMax: WorkerLink.noticeBytesMax) { notice in
            switch notice {
            case .objectAdded, .listChanged, .announcementsDropped: true
            case .progress, .facts, .lost: false
            }
        }
        current.withLock { current in
            current?.finish()
            current = queue
        }
        return AsyncStream(unfolding: {
            guard let notices = await queue.next(max: Self.batchMax)?.map(\.notice) else { return nil }
            guard queue.takeDrop() else { return notices }
            return [CameraConnection.Notice.announcementsDropped] + notices
        })
    }

    /// Enqueues a notice with its size in bytes.
    func yield(_ notice: CameraConnection.Notice, bytes: Int = 0) {
        current.withLock { $0?.yield(notice, bytes: bytes) }
    }

    func finish() {
        current.withLock { $0?.finish() }
    }
}
