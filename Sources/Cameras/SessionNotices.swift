import Synchronization

/// Passes a worker's notices to the session that is open; between sessions they go nowhere.
final class SessionNotices: Sendable {
    private let current = Mutex<AsyncStream<CameraSession.Notice>.Continuation?>(nil)

    /// Notices that wait for a session's owner; see ``WorkerLink/noticesMax``.
    private static let waitingMax = 4_096

    /// Starts a session's stream; an earlier one ends.
    func begin() -> AsyncStream<CameraSession.Notice> {
        let (stream, sink) = AsyncStream<CameraSession.Notice>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.waitingMax))
        current.withLock { current in
            current?.finish()
            current = sink
        }
        return stream
    }

    func yield(_ notice: CameraSession.Notice) {
        _ = current.withLock { $0?.yield(notice) }
    }

    func finish() {
        current.withLock { $0?.finish() }
    }
}
