import FrameFastModel
import FrameFastSystem
import Logging
import PictureProtocol
import Synchronization
import SystemPackage

/// A maker of pictures with one worker. Call ``picture(_:)`` for one order at a time.
///
/// A photo that ends the worker twice has no preview. The ledger counts these worker failures, because the
/// service may restart between two of them. Another failure, for example of the photo's disk, is followed by
/// a pause before the next attempt. The pause grows with each failure (``PicturePauses``).
final class PictureMaker: Sendable {
    /// The number of times that a photo may end the worker. After that, the photo has no preview.
    static let workerFailuresMax = 2
    /// The largest number of killed workers that have not exited because a disk does not answer. While this
    /// many workers have not exited, no worker starts.
    static let blockedWorkersMax = 3

    private let cache: PictureCache
    /// The threads that read and write the cache.
    private let files: BlockingPool
    private let photos: PhotoOpener
    private let records: PreviewRecords
    private let start: PictureWorkerStart
    private let clock: HostClock
    private let logger: Logger
    private let isStopping = Atomic(false)
    /// The link to the running worker, or `nil` without a worker.
    private let link = Mutex<PictureLink?>(nil)
    private let pauses = Mutex(PicturePauses())
    private let blockedWorkers = Mutex(0)

    /// Creates a maker without a worker.
    init(
        cache: PictureCache, files: BlockingPool, photos: PhotoOpener, records: PreviewRecords,
        start: PictureWorkerStart, clock: HostClock, logger: Logger
    ) {
        self.cache = cache
        self.files = files
        self.photos = photos
        self.records = records
        self.start = start
        self.clock = clock
        self.logger = logger
    }

    /// Whether ``stop()`` was called.
    var isStopped: Bool { isStopping.load(ordering: .acquiring) }

    /// Whether a worker is running.
    var hasWorker: Bool { link.withLock { $0 != nil } }

    /// Ends the worker immediately. The running order then fails.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        link.withLock(\.self)?.kill()
    }

    // MARK: Pictures

    /// Returns the stored picture of an order, or makes the picture. Starts a worker if necessary.
    func picture(_ order: PreviewOrder) async -> PreviewQueue.Outcome {
        // An earlier order may have stored the facts.
        if let content = await files.run({ [cache] in cache.find(order.task, of: order.photo.sha256) }) {
            return .success(content)
        }
        let pause = pauses.withLock { $0.remainingSeconds(of: order.photo, at: clock.uptime()) }
        guard pause <= 0 else {
            let seconds = Int(pause.rounded(.up))
            return .failure(
                .unavailable("cannot read \(order.photo.path): the next attempt is in \(seconds) s"))
        }
        var record: PreviewRecord
        do {
            let known = try await records.find(order.photo.sha256)
            record = known ?? PreviewRecord(sha256: order.photo.sha256, state: .ready)
        } catch {
            return .failure(.unavailable("cannot read the ledger: \(error)"))
        }
        while !isStopped {
            guard record.state == .ready, record.workerFailures < Self.workerFailuresMax else {
                return .failure(.noPreview)
            }
            switch await makePicture(order, &record) {
            case .ready(let content):
                pauses.withLock { $0.recordSuccess(of: order.photo) }
                return .success(content)
            case .noPreview: return .failure(.noPreview)
            case .failed(let error): return .failure(error)
            case .ended: continue
            }
        }
        return .failure(.stopping)
    }

    /// The result of one attempt to make a picture.
    private enum Attempt {
        case ready(PictureContent)
        case noPreview
        case failed(PreviewError)
        /// The worker ended. Another worker may succeed.
        case ended
    }

    private func makePicture(_ order: PreviewOrder, _ record: inout PreviewRecord) async -> Attempt {
        let opened: PictureFiles
        do throws(PreviewError) { opened = try await open(order) } catch {
            return .failed(Task.isCancelled ? .stopping : error)
        }
        let isNewWorker = link.withLock { $0 == nil }
        let worker: PictureLink
        do throws(PreviewError) { worker = try await openLink() } catch {
            await discard(opened)
            return .failed(error)
        }
        // The service may have stopped while the worker started.
        guard !isStopped else {
            await discard(opened)
            return .failed(.stopping)
        }
        let reply = await worker.request(order.task, descriptors: opened.descriptors)
        guard !isStopped else {
            await discard(opened)
            return .failed(.stopping)
        }
        switch reply {
        case .result(let result):
            let attempt = await finish(order, opened, result, &record)
            if result.isLast { await endWorker() }
            return attempt
        case .ended(let reason):
            await discard(opened)
            return await recordWorkerFailure(order, reason, &record)
        case .stopped(let reason):
            await discard(opened)
            await endWorker()
            // Another program may have stopped the worker before the request.
            guard isNewWorker else { return .ended }
            pauses.withLock { $0.recordFailure(of: order.photo, at: clock.uptime()) }
            return .failed(.unavailable("framefast-picture stopped: \(reason)"))
        case .slow(let reason):
            await discard(opened)
            await endWorker()
            pauses.withLock { $0.recordFailure(of: order.photo, at: clock.uptime()) }
            return .failed(.unavailable("framefast-picture was stopped: \(reason)"))
        case .stalled(let reason):
            await discard(opened)
            await endWorker()
            pauses.withLock { $0.recordStall(of: order.photo, at: clock.uptime()) }
            return .failed(.unavailable("cannot read \(order.photo.path): \(reason)"))
        }
    }

    /// Opens the photo, and creates the result file.
    private func open(_ order: PreviewOrder) async throws(PreviewError) -> PictureFiles {
        let photo: FileDescriptor
        do throws(PhotoOpener.Failure) { photo = try await photos.open(order.photo).get() } catch {
            switch error {
            case .photo(let reason): throw reason
            case .noThread: throw PreviewError.unavailable("the disks of other photos do not answer")
            case .stalled:
                pauses.withLock { $0.recordStall(of: order.photo, at: clock.uptime()) }
                throw PreviewError.unavailable("cannot open \(order.photo.path): its disk does not answer")
            }
        }
        guard order.task.writesFile else { return PictureFiles(photo: photo, part: nil) }
        do throws(SystemCallError) {
            let part = try await files.run { [cache] () throws(SystemCallError) -> PictureCache.Part in
                try cache.makePart()
            }
            return PictureFiles(photo: photo, part: part)
        } catch {
            photos.close(photo)
            throw PreviewError.unavailable("\(error)")
        }
    }

    private func finish(
        _ order: PreviewOrder, _ opened: PictureFiles, _ result: PictureResult, _ record: inout PreviewRecord
    ) async -> Attempt {
        switch result.status {
        case .ready:
            var content: PictureContent? = .bytes(result.encode())
            if let part = opened.part {
                photos.close(opened.photo)
                do throws(SystemCallError) {
                    content = try await files.run { [cache] () throws(SystemCallError) -> PictureContent? in
                        try cache.publish(
                            part, bytes: result.bytesWritten, as: order.task, of: order.photo.sha256)
                    }
                } catch { return .failed(.unavailable("\(error)")) }
            } else {
                await discard(opened)
            }
            guard let picture = content else {
                return await recordWorkerFailure(order, "it wrote no picture", &record)
            }
            await recordFacts(result, order, &record)
            return .ready(picture)
        case .noPreview, .tooLarge:
            await discard(opened)
            // A known size means that the worker has already made another picture of the photo.
            if record.width == nil {
                record.state = .missing
                await save(record, of: order.photo)
            }
            return .noPreview
        case .failed(let number):
            await discard(opened)
            return .failed(
                .unavailable(
                    "cannot read \(order.photo.path), or cannot write its picture: \(Errno(rawValue: number))"
                ))
        }
    }

    /// Kills the worker after a photo has ended the worker or may control it, and counts this for the photo.
    private func recordWorkerFailure(
        _ order: PreviewOrder, _ reason: String, _ record: inout PreviewRecord
    ) async -> Attempt {
        link.withLock(\.self)?.kill()
        await endWorker()
        record.workerFailures += 1
        if record.workerFailures >= Self.workerFailuresMax, record.width == nil { record.state = .missing }
        logger.warning(
            "a photo ended the picture worker",
            metadata: [
                "path": "\(order.photo.path)", "reason": "\(reason)", "times": "\(record.workerFailures)",
            ])
        await save(record, of: order.photo)
        return .ended
    }

    /// Stores the facts that the worker found.
    private func recordFacts(
        _ result: PictureResult, _ order: PreviewOrder, _ record: inout PreviewRecord
    ) async {
        let before = record
        record.workerFailures = 0
        if result.width > 0, result.height > 0 {
            (record.width, record.height) = (result.width, result.height)
        }
        // For `fullSize`, the worker copies a JPEG without decoding it. The result then has no color and no
        // histogram.
        if order.task != .fullSize {
            let color = result.meanColor
            record.meanColor = "#" + Hex.text([color.red, color.green, color.blue])
            let sha256 = record.sha256
            // A failure is ignored. The next request for the histogram then needs the worker.
            await files.run { [cache] in _ = try? cache.store(result, of: sha256) }
        }
        if record != before { await save(record, of: order.photo) }
    }

    /// Stores a record. A failure is only logged, because the picture is complete, and the next request for
    /// the photo repeats the work.
    private func save(_ record: PreviewRecord, of photo: PreviewPhoto) async {
        do { try await records.save(record, photo.capture) } catch {
            logger.warning("cannot store the facts of a preview", metadata: ["reason": "\(error)"])
        }
    }

    private func discard(_ opened: PictureFiles) async {
        photos.close(opened.photo)
        if let part = opened.part { await files.run { [cache] in cache.discard(part) } }
    }

    // MARK: Worker

    private func openLink() async throws(PreviewError) -> PictureLink {
        if let running = link.withLock(\.self) { return running }
        guard blockedWorkers.withLock({ $0 < Self.blockedWorkersMax }) else {
            throw .unavailable("\(Self.blockedWorkersMax) stopped workers wait for disks that do not answer")
        }
        let rest = pauses.withLock { $0.worker.remainingSeconds(at: clock.uptime()) }
        guard rest <= 0 else {
            let seconds = Int(rest.rounded(.up))
            throw .unavailable("framefast-picture did not start: the next attempt is in \(seconds) s")
        }
        do {
            let opened = try await PictureLink.open(start, clock: clock)
            pauses.withLock { $0.worker.recordSuccess() }
            link.withLock { $0 = opened }
            return opened
        } catch {
            pauses.withLock { $0.worker.recordFailure(at: clock.uptime()) }
            throw PreviewError.unavailable("\(error)")
        }
    }

    /// Closes the socket of the worker, and waits until the worker has exited.
    func endWorker() async {
        let closing = link.withLock { link in
            defer { link = nil }
            return link
        }
        guard let closing else { return }
        await closing.close()
        guard !closing.hasExited else { return }
        blockedWorkers.withLock { $0 += 1 }
        // The worker exits when its disk answers.
        Task { [self] in
            await closing.waitForExit()
            blockedWorkers.withLock { $0 -= 1 }
        }
    }
}
