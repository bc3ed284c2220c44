import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension DriverConnection {
    /// The maximum number of events per poll. An endless stream of events must not block commands.
    static let eventsAtOnce = 1_000

    /// Handles the events that the driver has queued or can read now.
    ///
    /// - Parameter isAll: Whether to handle all events before the next command. If `false`, this method
    ///   returns early for an urgent command or a due step of an operation. For any other command, this
    ///   method returns after ``portion``.
    mutating func pollEvents(isAll: Bool = false) {
        guard !photoStore.isFull, !holdsEvents, loss == nil else { return }
        keepAwake()
        defer {
            reportWaiting()
            if camera.takeCapture() { recordActivity() }
            events.pace.recordPoll(at: .now)
            shutter.rest.recordPoll(at: .now)
        }
        if memory.photos != nil {
            pollMemory(isAsking: true)
            guard camera.mayHaveEvents else { return }
        }
        let end = Instant.now + Self.portion
        for _ in 0..<Self.eventsAtOnce where loss == nil {
            let requests = camera.requests
            // Usually, the worker waits for the sync of stored photos only when a packet shows that the
            // driver reads a photo from the camera's memory. A worker that cannot see the packets waits
            // before each poll.
            if !camera.isGuarded { photoStore.waitUntilSynced() }
            do throws(CameraError) {
                let event = try camera.nextEvent(timeoutMs: events.pollSendsRequest == true ? 0 : 1)
                if let event {
                    events.recordEvent()
                    handle(event)
                    // The event may have added a photo to the store. If the store is now full, other photos
                    // must stay in the camera.
                    if photoStore.isFull { return }
                } else {
                    events.recordNoEvent(didSendRequest: camera.requests != requests)
                }
                // With a separate event connection, the driver reads one event per poll. The driver handles
                // some events internally and returns no event for them.
                guard camera.mayHaveEvents || (events.pollSendsRequest != true && event != nil) else {
                    return
                }
            } catch {
                return handleEventFailure(
                    error, didSendRequest: camera.requests != requests || !camera.isGuarded)
            }
            let mustReturn =
                queue.hasUrgent || (Instant.now >= end && !queue.isEmpty) || operationDelay == Duration.zero
            guard isAll || !mustReturn else { return }
        }
    }

    /// Polls for events during a long transfer, if ``needsPollDuringTransfer`` is `true`.
    mutating func pollDuringTransfer() { if needsPollDuringTransfer { pollEvents() } }

    /// Whether to poll for events now, during a long transfer: an interval has passed, an event is queued, or
    /// a photo can be read.
    var needsPollDuringTransfer: Bool {
        let hasMore = queue.hasShot
        let isDue = mustPoll && events.pace.isDueDuringTransfer(at: .now, hasMore: hasMore)
        let isCheap = events.pollSendsRequest == false || !hasMore
        return isDue || camera.isPhotoReady || (isCheap && camera.queuedEvents > 0)
    }

    /// Records that the photographer is shooting. The worker then polls for events more often and postpones
    /// work that can wait.
    mutating func recordActivity() {
        events.pace.recordActivity(at: .now)
        card.listing?.recordActivity(at: .now)
    }

    /// Prevents an EOS from turning itself off.
    private mutating func keepAwake() {
        guard camera.needsKeepAlive, events.mustKeepAwake(at: .now) else { return }
        do throws(CameraError) { try camera.keepAwake() } catch { classify(error, during: "event") }
    }

    /// Handles a failed poll. Repeated failures end the connection if the driver sent no request to the
    /// camera. A failed request may have another cause: the announced object was deleted.
    private mutating func handleEventFailure(_ error: CameraError, didSendRequest: Bool) {
        classify(error, during: "event")
        guard loss == nil else { return }
        if events.recordFailure(), !didSendRequest {
            return loseConnection(
                .disconnected, "cannot parse the camera's events: \(error.text)", code: error.code)
        }
        daemon.send(.listChanged(reason: "cannot read an event: \(error.text)"))
    }

    /// Announces a photo to the daemon.
    ///
    /// - Parameter isNew: Whether the photo is new. `false` for a change of a photo that was reported before.
    mutating func announce(_ object: CameraObject, isNew: Bool = true) {
        let now = Instant.now
        shared.lastAnnouncement = now
        shutter.rest.recordShot(at: now)
        shared.lastShot = now
        operation?.recordAnnouncement(of: object, isNew: isNew)
        shared.recentPhotos.record(object)
        daemon.send(.objectAdded(object))
    }

    mutating func handle(_ event: CameraEvent) {
        switch event {
        case .fileAdded(let path) where path.isInMemory:
            recordActivity()
            storeMemoryPhoto(path)
        case .fileAdded(let path), .fileChanged(let path):
            recordActivity()
            // ``pollMemory(isAsking:)`` finds the photo in the object list.
            guard memory.photos == nil else { return }
            liveView.pauseForPhoto(at: .now)
            do throws(CameraError) {
                let object = try object(at: path)
                // If the event of a new file was lost, the first report may be a change of the file.
                let isFirstReport = camera.markReported(path)
                announce(object, isNew: isFirstReport || event == .fileAdded(path))
            } catch {
                classify(error, during: "event")
                if loss == nil {
                    daemon.send(.listChanged(reason: "cannot read a new object: \(error.text)"))
                }
            }
        case .folderAdded:
            daemon.send(.listChanged(reason: "a folder was added"))
        case .captureComplete:
            recordActivity()
        case .other(let words):
            if event.changesList { daemon.send(.listChanged(reason: words)) }
        }
    }

    /// Returns an object as the worker reports it to the daemon.
    func object(at path: CameraPath) throws(CameraError) -> CameraObject {
        let facts = try camera.facts(of: path)
        return CameraObject(
            folder: path.folder, name: path.name, size: facts.size, cameraTime: facts.time,
            isProtected: facts.isProtected)
    }
}
