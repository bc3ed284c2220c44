import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension DriverConnection {
    /// Handles the events that the driver has queued or can read now.
    ///
    /// - Parameter isAll: Whether to handle all events before the next command. If `false`, this method
    ///   returns early for an urgent command or a due step of an operation. For any other command, this
    ///   method returns after ``portion``.
    mutating func pollEvents(isAll: Bool = false) {
        guard !photoStore.isFull, loss == nil else { return }
        keepAwake()
        defer {
            reportWaiting()
            if camera.takeCapture() { recordActivity() }
            events.pace.recordPoll(at: .now)
            shutterRest.recordPoll(at: .now)
        }
        if memory != nil {
            pollMemory(isAsking: true)
            guard camera.mayHaveEvents else { return }
        }
        let end = Instant.now + Self.portion
        for _ in 0..<Self.eventsAtOnce where loss == nil {
            let requests = camera.requests
            // If the worker can't see the packets, it can't detect when the driver starts to transfer a photo
            // from the camera's memory.
            if !camera.isGuarded { photoStore.waitUntilSynced() }
            do throws(CameraError) {
                let event = try camera.nextEvent(timeoutMs: events.pollSendsRequest == true ? 0 : 1)
                if let event {
                    events.recordEvent()
                    handle(event)
                    // Each poll transfers one complete photo from the camera's memory.
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
            let isWanted =
                queue.hasUrgent || (Instant.now >= end && !queue.isEmpty) || operationDelay == Duration.zero
            guard isAll || !isWanted else { return }
        }
    }

    /// Polls for events during a long transfer if this is necessary.
    mutating func pollDuringTransfer() { if needsPollDuringTransfer { pollEvents() } }

    /// Whether to poll for events during a long transfer: at intervals, and for events that were already
    /// received.
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

    /// Handles a failed poll. The connection continues if the reason is only that the announced object no
    /// longer exists.
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
    mutating func announce(_ object: CameraObject) {
        let now = Instant.now
        lastAnnouncement = now
        shutterRest.recordShot(at: now)
        lastShot = now
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
            guard memory == nil else { return }
            liveView.pauseForPhoto(at: .now)
            do throws(CameraError) {
                announce(try object(at: path))
                camera.markReported(path)
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

    /// Stores a photo that arrived together with its event. The photo gets the camera's name and time instead
    /// of the driver's. The camera's values do not depend on the connection, and are the same for the two
    /// files of a shot.
    private mutating func storeMemoryPhoto(_ path: CameraPath) {
        let described = camera.takeMemoryObject()
        guard !camera.isMisreadAsMemory || !keepsPhotosOnCard() else {
            camera.release(path)
            return daemon.send(.listChanged(reason: "the information about a new object was truncated"))
        }
        do throws(CameraError) {
            var bytes = photoStore.takeBuffer()
            try camera.get(path) { chunk in
                // Appending to this array would reallocate it and briefly need twice the memory.
                if bytes.isEmpty, bytes.capacity < chunk.count { bytes = [] }
                bytes.append(contentsOf: chunk)
                return true
            }
            camera.release(path)
            var object = CameraObject(
                folder: path.folder, name: path.name, size: UInt64(bytes.count),
                cameraTime: described?.time ?? Int64(zoneSecond()))
            object.name = unusedName([described?.name ?? "", path.name])
            lastAnnouncement = .now
            awaited.recordPhoto()
            photoStore.add(object, bytes) { [daemon, object] in daemon.send(.objectAdded(object)) }
            reportWaiting()
        } catch {
            classify(error, during: "event")
            Log.line("a photo from the camera's memory is lost: \(error.text)")
        }
        // Without a card, an EOS saves to its memory regardless of the requested target.
        if profile.target?.keeper == .driver { driverTarget = .host }
    }

    /// Returns the first of these names that no stored photo has. In each connection, the driver restarts the
    /// numbers in its own names.
    private func unusedName(_ names: [String]) -> String {
        if let name = names.first(where: { !$0.isEmpty && !photoStore.hasPhoto(named: $0) }) { return name }
        let last = names.last ?? ""
        return (2...).lazy.map { "\($0)-\(last)" }.first { !photoStore.hasPhoto(named: $0) } ?? last
    }

    /// Whether the camera saves new photos to a card that can be listed.
    private mutating func keepsPhotosOnCard() -> Bool {
        profile.canList && (memory != nil || currentTarget() != CaptureTarget.host.rawValue)
    }

    /// Returns an object in the form that is reported to the daemon.
    func object(at path: CameraPath) throws(CameraError) -> CameraObject {
        let facts = try camera.facts(of: path)
        return CameraObject(
            folder: path.folder, name: path.name, size: facts.size, cameraTime: facts.time,
            isProtected: facts.isProtected)
    }
}
