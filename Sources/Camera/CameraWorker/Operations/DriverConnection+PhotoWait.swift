import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// Starts to wait for the photos of the operation, after the changed settings were restored.
    ///
    /// - Returns: `false` if the operation is complete, or has failed, without a wait.
    mutating func beginPhotoWait() -> Bool {
        guard let running = operation, let end = running.end, let expected = running.expectedPhotos
        else { return false }
        // If the camera does not announce the photos of this operation, all expected photos count as taken,
        // because the camera accepted the commands.
        guard announcesPhotos(of: running.kind), running.announced.count < expected else {
            operation?.done = expected
            return false
        }
        guard mayAwaitPhotos else {
            operation?.done = running.announced.count
            operation?.end = (
                .failed, loss == nil ? OperationReasons.connectionClosed : OperationReasons.lost
            )
            return false
        }
        operation?.beginPhotoWait(for: expected, end: end, nowNs: BootClock.nowNs)
        recordActivity()
        return true
    }

    /// Whether the worker may wait for photos. `false` if the connection is lost or closing.
    var mayAwaitPhotos: Bool { loss == nil && end == nil && !shared.isClosing && !process.isOrphaned }

    /// Returns whether the camera announces the photos of an operation. A Sony in PC Remote announces no file
    /// that it saves only to its card. Any other camera announces photos if it has a card or can keep photos
    /// in memory.
    private mutating func announcesPhotos(of kind: CameraOperation.Kind) -> Bool {
        if !profile.canList { return kind != .movie && currentTarget() != CaptureTarget.card.rawValue }
        return !facts.storages.isEmpty || profile.target != nil || memory.photos != nil
    }

    /// Completes the operation if all photos are announced or found in the camera, or fails the operation at
    /// the end of the wait.
    mutating func continuePhotoWait(_ wait: PhotoWait) {
        pollEvents()
        guard loss == nil else { return }
        var inMemory = 0
        if !profile.canList, let count = camera.photosInMemory {
            inMemory = operation?.countNewPhotos(inMemory: count) ?? 0
        }
        guard let running = operation else { return }
        var wait = wait
        let now = BootClock.nowNs
        var photos = running.announced.count + inMemory
        var unannounced = 0
        if wait.needsCheck(photos: photos, nowNs: now) { unannounced = countUnannounced(running) }
        photos += unannounced
        guard loss == nil else { return }
        switch wait.decide(photos: photos, isBlocked: photoStore.isFull, nowNs: now) {
        case .wait(let untilNs):
            operation?.step = .photos(wait)
            operation?.dueNs = untilNs
        case .complete:
            operation?.done = wait.expected
            operation?.end = wait.end
            concludeOperation()
            reportUnannounced(unannounced)
        case .failed(let photos):
            operation?.done = photos
            operation?.end = (
                .failed, OperationReasons.notAnnounced(photos, of: wait.expected, by: running.kind)
            )
            concludeOperation()
            reportUnannounced(unannounced)
        }
    }

    /// Reports the result of the operation, and removes the operation.
    mutating func concludeOperation() {
        reportProgress()
        operation = nil
        reportShutter()
        recordActivity()
    }

    /// Makes the daemon check the object list for photos whose events were lost. Called after the end of the
    /// operation, because the daemon opens no new connection during an operation.
    private func reportUnannounced(_ count: Int) {
        if count > 0 { daemon.send(.listChanged(reason: "a photo of an operation was not announced")) }
    }

    /// Returns the number of photos on the card whose events were lost. Returns 0 if the card can't be
    /// compared with the announced objects.
    private mutating func countUnannounced(_ running: RunningOperation) -> Int {
        guard profile.canList, memory.photos == nil, shared.isListed, card.listing?.isSent != false else {
            return 0
        }
        do throws(CameraError) { return running.countUnannounced(try camera.scanHandles().missing) } catch {
            classify(error, during: "operation")
            return 0
        }
    }
}
