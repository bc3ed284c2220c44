import FrameFastAPI
import ServiceLifecycle
import WorkerProtocol

/// One who looks at live view: takes frames at a pace of its own, and ends when it should.
actor LiveViewer {
    /// Longest time of one stream: sensors get warm, and some browsers keep every byte of it.
    private static let streamMax = Duration.seconds(1_800)
    /// Whoever takes a single frame for longer than this is let go: live view would begin anew for each of them, which
    /// moves a mirror.
    private static let frameMax = Duration.seconds(10)

    private let feed: LiveViewFeed
    private let size: String?
    private let distance: Duration
    private let began = ContinuousClock.now
    private var due = ContinuousClock.now
    private var number: UInt64 = 0

    init(feed: LiveViewFeed, _ request: LiveViewRequest) {
        self.feed = feed
        size = request.size
        distance = .seconds(1) / (request.rate ?? LiveViewRequest.usualRate)
    }

    /// The first frame.
    func first() async throws(WorkerFailure) -> LivePicture { try await take() }

    /// The next frame, when its time has come; `nil` at the end.
    func next() async -> LivePicture? {
        let now = ContinuousClock.now
        guard due.duration(to: now) < Self.frameMax, began.duration(to: now) < Self.streamMax,
            !Task.isShuttingDownGracefully
        else { return nil }
        if now < due {
            do { try await Task.sleep(until: due) } catch { return nil }
        }
        return try? await take()
    }

    private func take() async throws(WorkerFailure) -> LivePicture {
        let frame = try await feed.frame(after: number, size: size)
        number = frame.number
        // From this frame on, not from the one before: what was late stays late, and no frames are made up for.
        due = max(due + distance, .now)
        return frame.picture
    }
}
