import Cameras
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Synchronization
import WorkerProtocol

/// The live-view frames of one camera connection, shared by all viewers.
///
/// Each frame is requested once, when a viewer waits for it. Only the last frame is kept.
actor LiveViewFeed {
    /// A frame and its number. Numbers start at 1 and grow by one with each frame.
    struct Frame: Sendable {
        var number: UInt64
        var picture: LivePicture
    }

    /// The maximum age of a frame that is returned for a new request.
    private static let fresh = Duration.milliseconds(100)

    /// Counts of the frames that all cameras sent or refused.
    final class FrameCounts: Sendable {
        private let counts = Mutex((served: 0, refused: 0))
        var served: Int { counts.withLock(\.served) }
        var refused: Int { counts.withLock(\.refused) }
        func countFrame(isServed: Bool) {
            counts.withLock { if isServed { $0.served += 1 } else { $0.refused += 1 } }
        }
    }

    private let frameCounts: FrameCounts
    private let connection: CameraConnection
    private let clock: HostClock
    private var frames: UInt64 = 0
    /// The last frame and the uptime of its arrival, in seconds, or `nil` if there is no frame.
    private var last: (frame: Frame, at: Double)?
    /// The result of the running request, or `nil` if no request is running.
    private var running: AsyncResult<Result<Frame, WorkerFailure>>?

    init(connection: CameraConnection, frameCounts: FrameCounts, clock: HostClock) {
        self.connection = connection
        self.frameCounts = frameCounts
        self.clock = clock
    }

    /// Returns the next frame after the frame with this number.
    ///
    /// - Parameter size: The size of the frames. Only the viewer that starts live view can choose the size.
    func frame(after number: UInt64, size: String?) async throws(WorkerFailure) -> Frame {
        if let last, last.frame.number > number, clock.duration(since: last.at) < Self.fresh {
            return last.frame
        }
        if let running { return try await running.wait().get() }
        let request = AsyncResult<Result<Frame, WorkerFailure>>()
        running = request
        let result: Result<Frame, WorkerFailure>
        do throws(WorkerFailure) {
            let picture = try await connection.liveFrame(LiveFrameCommand(size: size)).jpeg
            frames += 1
            frameCounts.countFrame(isServed: true)
            let frame = Frame(number: frames, picture: LivePicture(jpeg: picture))
            last = (frame, clock.uptime())
            result = .success(frame)
        } catch {
            last = nil
            frameCounts.countFrame(isServed: false)
            result = .failure(error)
        }
        running = nil
        request.set(result)
        return try result.get()
    }
}
