import Cameras
import FrameFastAPI
import FrameFastModel
import Synchronization
import WorkerProtocol

/// The frames of one camera's session for everybody who looks: each is asked for once, when somebody waits for it, and
/// nothing is kept but the last.
actor LiveViewFeed {
    /// A frame and its number, which grows by one each time.
    struct Frame: Sendable {
        var number: UInt64
        var picture: LivePicture
    }

    /// A frame is for whoever asks within this time after it came; later it shows what was.
    private static let fresh = Duration.milliseconds(100)

    /// Frames of all cameras, by whether the camera gave one.
    final class Tally: Sendable {
        private let counts = Mutex((served: 0, refused: 0))
        var served: Int { counts.withLock(\.served) }
        var refused: Int { counts.withLock(\.refused) }
        func count(isServed: Bool) {
            counts.withLock { if isServed { $0.served += 1 } else { $0.refused += 1 } }
        }
    }

    private let tally: Tally
    private let session: CameraSession
    private var frames: UInt64 = 0
    private var last: (frame: Frame, at: ContinuousClock.Instant)?
    private var isAsking = false
    private var waiting: [CheckedContinuation<Result<Frame, WorkerFailure>, Never>] = []

    init(session: CameraSession, tally: Tally) {
        self.session = session
        self.tally = tally
    }

    /// The next frame after one that is known already.
    ///
    /// - Parameter size: for live view to begin with; whoever comes later gets what is there.
    func frame(after number: UInt64, size: String?) async throws(WorkerFailure) -> Frame {
        if let last, last.frame.number > number, last.at.duration(to: .now) < Self.fresh { return last.frame }
        if isAsking { return try await withCheckedContinuation { waiting.append($0) }.get() }
        isAsking = true
        let result: Result<Frame, WorkerFailure>
        do throws(WorkerFailure) {
            let picture = try await session.liveFrame(LiveFrameOrder(size: size)).jpeg
            frames += 1
            tally.count(isServed: true)
            let frame = Frame(number: frames, picture: LivePicture(jpeg: picture))
            last = (frame, .now)
            result = .success(frame)
        } catch {
            last = nil
            tally.count(isServed: false)
            result = .failure(error)
        }
        isAsking = false
        for waiter in waiting { waiter.resume(returning: result) }
        waiting = []
        return try result.get()
    }
}
