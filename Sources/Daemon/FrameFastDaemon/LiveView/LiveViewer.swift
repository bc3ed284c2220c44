import FrameFastAPI
import FrameFastSystem
import ServiceLifecycle
import WorkerProtocol

/// A client that watches live view. Each viewer receives frames at its own rate. The stream ends after a time
/// limit or an error.
actor LiveViewer {
    /// The longest duration of one stream. Sensors become warm during live view, and some browsers keep every
    /// byte of a stream.
    private static let streamMax = Duration.seconds(1_800)
    /// The maximum time that a viewer may take for one frame. For slower viewers, live view would restart for
    /// each frame, which moves the mirror.
    private static let frameMax = Duration.seconds(10)

    private let name: String
    private let feed: LiveViewFeed
    private let size: String?
    private let clock: HostClock
    /// The time between two frames, in seconds.
    private let period: Double
    /// The uptime at the start of the stream, in seconds.
    private let began: Double
    /// The uptime at which the next frame is due, in seconds.
    private var nextFrameTime: Double
    private var number: UInt64 = 0

    /// - Parameter name: The name of the camera, for errors.
    init(feed: LiveViewFeed, name: String, _ request: LiveViewRequest, clock: HostClock) {
        self.name = name
        self.feed = feed
        size = request.size
        period = 1 / Double(request.rate ?? LiveViewRequest.usualRate)
        self.clock = clock
        let now = clock.uptime()
        began = now
        nextFrameTime = now
    }

    /// Returns the first frame.
    func first() async throws(ControlError) -> LivePicture { try await fetchFrame() }

    /// Waits until the next frame is due and returns it.
    ///
    /// - Throws: An error that states why live view ended.
    func next() async throws(ControlError) -> LivePicture {
        guard clock.duration(since: nextFrameTime) < Self.frameMax else {
            throw endError("the viewer was too slow")
        }
        guard clock.duration(since: began) < Self.streamMax else {
            throw endError("a stream is limited to half an hour")
        }
        let wait = nextFrameTime - clock.uptime()
        if wait > 0 {
            do { try await clock.sleep(wait) } catch {
                throw endError("the viewer disconnected", nextStep: nil)
            }
        }
        guard !Task.isShuttingDownGracefully else { throw serviceStops }
        return try await fetchFrame()
    }

    private var serviceStops: ControlError { endError("the service is stopping", nextStep: nil) }

    private func endError(_ reason: String, nextStep: String? = "Start live view again.") -> ControlError {
        ControlError(.conflict, "live view of '\(name)' has ended: \(reason)", nextStep: nextStep)
    }

    private static func nextStep(_ kind: WorkerFailure.Kind) -> String? {
        switch kind {
        case .unsupported: nil
        case .refused:
            "If the camera is warm, let it cool down. If its battery is low, change the battery. Then start live view again."
        default: "See what the camera needs with 'framefast cameras', then start live view again."
        }
    }

    private func fetchFrame() async throws(ControlError) -> LivePicture {
        let frame: LiveViewFeed.Frame
        do throws(WorkerFailure) { frame = try await feed.frame(after: number, size: size) } catch {
            guard !Task.isShuttingDownGracefully else { throw serviceStops }
            throw ControlError(error, "show live view of '\(name)'", nextStep: Self.nextStep(error.kind))
        }
        number = frame.number
        // The next frame is due one period after the due time of this frame, but not in the past. A late
        // viewer therefore does not receive a burst of frames.
        nextFrameTime = max(nextFrameTime + period, clock.uptime())
        return frame.picture
    }
}
