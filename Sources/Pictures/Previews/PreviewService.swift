public import FrameFastModel
public import FrameFastSystem
public import Logging
public import PictureProtocol
public import ServiceLifecycle
import Synchronization

/// A service that makes and stores small pictures of saved photos.
///
/// The worker `framefast-picture` decodes the photos, because photos come from untrusted devices. The service
/// starts the worker for the first order, and ends it after some idle minutes. A photo that ends the worker
/// twice has no preview.
///
/// Requests of clients have priority. If no client waits, the service makes thumbnails of the files that
/// ``prepareThumbnail(of:)`` has added.
public actor PreviewService: Service {
    /// The idle time after which the worker ends, in seconds.
    static let idleSeconds = 180.0

    private let cache: PictureCache
    private let maker: PictureMaker
    private let clock: HostClock
    private let logger: Logger
    /// The threads that read and write the cache.
    private let files: BlockingPool
    private let wakeEvent = AsyncEvent()
    private nonisolated let pause: Mutex<CapturePause>
    private nonisolated let backlog = Mutex(PreviewBacklog())
    private let source: PreviewBacklog.Source
    private var queue = PreviewQueue()
    /// The uptime at which the last order ended, in seconds.
    private var lastUse = 0.0
    /// Whether the last attempt to make a picture failed because of this computer, for example a full disk.
    /// Only the first of successive failures is logged.
    private var isFailing = false
    /// The pause before the service tries again to make a thumbnail that failed in the background.
    private var retryPause = RetryPause(PicturePauses.photoBackoff)

    /// Creates the service. Pictures are made while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - cache: The stored pictures.
    ///   - records: The facts of previews in the ledger.
    ///   - start: Starts a picture worker.
    ///   - source: Returns the photos for thumbnails in the background.
    ///   - cores: The number of processor cores. With at most two cores, pictures wait while a photo is
    ///     transferred.
    ///   - clock: The clock for the time limits.
    public init(
        cache: PictureCache, records: PreviewRecords, start: PictureWorkerStart,
        source: @escaping PreviewBacklog.Source = { _ in nil }, cores: Int, clock: HostClock, logger: Logger
    ) {
        self.init(
            cache: cache, photos: PhotoOpener(clock: clock), records: records, start: start, source: source,
            cores: cores, clock: clock, logger: logger)
    }

    /// Creates the service with another opener of photos.
    init(
        cache: PictureCache, photos: PhotoOpener, records: PreviewRecords, start: PictureWorkerStart,
        source: @escaping PreviewBacklog.Source, cores: Int, clock: HostClock, logger: Logger
    ) {
        let files = BlockingPool(label: "framefast.previews", width: 2)
        self.cache = cache
        self.files = files
        maker = PictureMaker(
            cache: cache, files: files, photos: photos, records: records, start: start, clock: clock,
            logger: logger)
        self.source = source
        self.clock = clock
        self.logger = logger
        pause = Mutex(CapturePause(cores: cores))
    }

    // MARK: Requests

    /// Returns the result of a task, usually a JPEG. Makes the result if it is not stored yet.
    public func content(
        _ task: PictureTask, of photo: PreviewPhoto
    ) async throws(PreviewError) -> PictureContent {
        let order = PreviewOrder(task: task, photo: photo)
        if let content = await files.run({ [cache] in cache.find(task, of: photo.sha256) }) { return content }
        guard !maker.isStopped else { throw .stopping }
        let (outcome, dropped) = queue.add(order)
        dropped?.outcome.set(.failure(.busy))
        wakeEvent.signal()
        guard let result = await outcome.waitUnlessCancelled() else {
            queue.removeClient(of: outcome)
            throw .cancelled
        }
        return try result.get()
    }

    /// Returns the facts about the picture of a photo: its size, mean color, histogram and clipping.
    public func facts(of photo: PreviewPhoto) async throws(PreviewError) -> PictureResult {
        guard case .bytes(let bytes) = try await content(.facts, of: photo),
            let facts = PictureResult(bytes: bytes)
        else {
            throw .unavailable("the facts of the picture are damaged")
        }
        return facts
    }

    /// Makes the thumbnail of a saved file's shot when no client waits for a picture. Never blocks.
    public nonisolated func prepareThumbnail(of id: CaptureID) {
        backlog.withLock { $0.add(id) }
        wakeEvent.signal()
    }

    /// Handles the start or the end of a photo's transfer. With few processor cores, pictures wait during a
    /// transfer.
    public nonisolated func handleTransfer(of camera: CameraID, isRunning: Bool) {
        let mayContinue = pause.withLock {
            $0.update(camera, isTransferring: isRunning, at: clock.uptime())
        }
        if mayContinue { wakeEvent.signal() }
    }

    // MARK: Loop

    /// Makes pictures until the service stops.
    public func run() async {
        // The service stops immediately, even if a disk does not answer.
        await cancelWhenGracefulShutdown {
            await withTaskCancellationHandler {
                await self.processOrders()
            } onCancel: {
                self.stop()
            }
        }
        for entry in queue.removeAll() { entry.outcome.set(.failure(.stopping)) }
        await maker.endWorker()
    }

    private nonisolated func stop() {
        maker.stop()
        wakeEvent.signal()
    }

    private func processOrders() async {
        await files.run { [cache, logger] in
            do throws(SystemCallError) { try cache.prepare() } catch {
                logger.warning("cannot prepare the folder of previews", metadata: ["reason": "\(error)"])
            }
        }
        while !maker.isStopped {
            let now = clock.uptime()
            if !queue.isEmpty, let rest = pause.withLock({ $0.remainingSeconds(at: now) }) {
                await waitForSignal(seconds: rest)
            } else if let entry = queue.startNext() {
                let outcome = await maker.picture(entry.order)
                queue.finish()
                entry.outcome.set(outcome)
                logFailure(outcome)
                lastUse = clock.uptime()
                pause.withLock { $0.recordPicture(at: clock.uptime()) }
            } else {
                let rest = backgroundSeconds(at: now)
                if rest <= 0, let id = backlog.withLock({ $0.next() }) {
                    await makeThumbnail(of: id)
                    continue
                }
                let idle = maker.hasWorker ? lastUse + Self.idleSeconds - now : .infinity
                if idle <= 0 {
                    await maker.endWorker()
                } else {
                    await waitForSignal(seconds: min(rest, idle))
                }
            }
        }
    }

    // MARK: Background

    /// Returns the time until the next thumbnail may be made in the background, in seconds. The time is
    /// infinite if no file is waiting and no file has failed.
    private func backgroundSeconds(at now: Double) -> Double {
        let (isEmpty, hasFailed) = backlog.withLock { ($0.isEmpty, !$0.failed.isEmpty) }
        guard !isEmpty || hasFailed else { return .infinity }
        let rest = pause.withLock { $0.backgroundSeconds(at: now) } ?? 0
        return isEmpty ? max(rest, retryPause.remainingSeconds(at: now)) : rest
    }

    /// Makes the thumbnail of a file's shot, unless its preview is known. Tries the photos of the shot in
    /// order until one has a preview. A failure of this computer, for example a full disk, is followed by
    /// another attempt.
    private func makeThumbnail(of id: CaptureID) async {
        var tried: Set<PreviewPhoto> = []
        while !maker.isStopped, let photo = await source(id), tried.insert(photo).inserted {
            let outcome = await maker.picture(PreviewOrder(task: .thumbnail, photo: photo))
            lastUse = clock.uptime()
            logFailure(outcome)
            switch outcome {
            case .success: return retryPause.recordSuccess()
            case .failure(.noPreview): continue
            case .failure(.unavailable):
                // Other waiting files fail for the same reason, and do not make the pause longer.
                if retryPause.remainingSeconds(at: lastUse) <= 0 { retryPause.recordFailure(at: lastUse) }
                return backlog.withLock { $0.addFailed(id) }
            case .failure: return
            }
        }
    }

    private func waitForSignal(seconds: Double) async {
        guard seconds < .infinity else { return await wakeEvent.wait() }
        await withTaskGroup(of: Void.self) { [wakeEvent, clock] group in
            group.addTask { await wakeEvent.wait() }
            group.addTask { try? await clock.sleep(seconds) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Logs the first of successive failures of this computer, and the first success after them.
    private func logFailure(_ outcome: PreviewQueue.Outcome) {
        switch outcome {
        case .success:
            if isFailing { logger.info("can make previews again") }
            isFailing = false
        case .failure(.unavailable(let reason)):
            if !isFailing { logger.warning("cannot make previews", metadata: ["reason": "\(reason)"]) }
            isFailing = true
        case .failure: break
        }
    }
}
