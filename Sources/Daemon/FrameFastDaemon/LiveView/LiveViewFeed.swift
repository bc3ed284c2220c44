import Cameras
import FrameFastAPI
import FrameFastModel
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

    private let session: CameraSession
    private var frames: UInt64 = 0
    private var last: (frame: Frame, at: ContinuousClock.Instant)?
    private var isAsking = false
    private var waiting: [CheckedContinuation<Result<Frame, WorkerFailure>, Never>] = []

    init(session: CameraSession) { self.session = session }

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
            let frame = Frame(number: frames, picture: LivePicture(jpeg: picture))
            last = (frame, .now)
            result = .success(frame)
        } catch {
            last = nil
            result = .failure(error)
        }
        isAsking = false
        for waiter in waiting { waiter.resume(returning: result) }
        waiting = []
        return try result.get()
    }
}
