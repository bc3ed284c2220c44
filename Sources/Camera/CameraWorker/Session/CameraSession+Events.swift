import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension CameraSession {
    /// Takes the events that the driver has or can get now.
    ///
    /// - Parameter isAll: whether commands wait until there are no more; else they wait no longer than for a portion of
    ///   a listing, and a release not at all. What is due of an operation waits for none of them.
    mutating func takeEvents(isAll: Bool = false) {
        guard !shelf.isFull, loss == nil else { return }
        keepAwake()
        defer {
            tellWaiting()
            if camera.takeCapture() { noteActivity() }
            events.pace.noteLook(nowMs: nowMs())
            shutterRest.looked(nowMs: nowMs())
        }
        if memory != nil {
            lookIntoMemory(isAsking: true)
            guard camera.mayHaveEvents else { return }
        }
        let end = nowMs() + Self.portionMs
        for _ in 0..<Self.eventsAtOnce where loss == nil {
            let requests = camera.requests
            // Nothing tells when the driver begins to read a photo in the camera's memory.
            if !camera.isGuarded { shelf.settle() }
            do throws(CameraError) {
                let event = try camera.nextEvent(timeoutMs: events.driverAsks == true ? 0 : 1)
                if let event {
                    events.hadOne()
                    take(event)
                    // Each look brings a whole photo over from the camera's memory.
                    if shelf.isFull { return }
                } else {
                    events.hadNone(didAsk: camera.requests != requests)
                }
                // Of events on a connection of their own the driver takes one with each look; it answers some of its own
                // account with "nothing".
                guard camera.mayHaveEvents || (events.driverAsks != true && event != nil) else { return }
            } catch {
                return missed(error, didAsk: camera.requests != requests || !camera.isGuarded)
            }
            let isWanted = queue.hasUrgent || (nowMs() >= end && !queue.isEmpty) || operationDelay == 0
            guard isAll || !isWanted else { return }
        }
    }

    /// Somebody shoots: the camera is asked more often for events, and for nothing that can wait.
    mutating func noteActivity() {
        events.pace.noteActivity(nowMs: nowMs())
        listing?.noteBusy(nowMs: nowMs())
    }

    /// Keeps an EOS from switching itself off.
    private mutating func keepAwake() {
        guard camera.mustBeKeptAwake, events.mustKeepAwake(nowMs: nowMs()) else { return }
        do throws(CameraError) { try camera.keepAwake() } catch { judge(error, during: "event") }
    }

    /// A look that failed. An object that vanished meanwhile is no fault of the session.
    private mutating func missed(_ error: CameraError, didAsk: Bool) {
        judge(error, during: "event")
        guard loss == nil else { return }
        if events.failed(), !didAsk {
            return lose(
                .disconnected, "the camera's events cannot be understood: \(error.text)", code: error.code)
        }
        daemon.send(.listChanged(reason: "an event failed: \(error.text)"))
    }

    /// Tells the daemon of a photo.
    mutating func announce(_ object: CameraObject) {
        announcedMs = nowMs()
        shutterRest.shot(nowMs: announcedMs)
        if habits.burstRoom != nil { burstLook.shot(nowMs: announcedMs) }
        daemon.send(.objectAdded(object))
    }

    mutating func take(_ event: CameraEvent) {
        switch event {
        case .fileAdded(let path) where path.isInMemory:
            noteActivity()
            takeFromMemory(path)
        case .fileAdded(let path), .fileChanged(let path):
            noteActivity()
            // Seen in the list itself, see ``lookIntoMemory()``.
            guard memory == nil else { return }
            liveView.hold(nowMs: nowMs())
            do throws(CameraError) {
                announce(try object(at: path))
                camera.noteTold(path)
            } catch {
                judge(error, during: "event")
                if loss == nil {
                    daemon.send(.listChanged(reason: "a new object cannot be read: \(error.text)"))
                }
            }
        case .folderAdded:
            daemon.send(.listChanged(reason: "a folder was added"))
        case .captureComplete:
            noteActivity()
        case .other(let words):
            if event.changesList { daemon.send(.listChanged(reason: words)) }
        }
    }

    /// A photo that came over with its event. The camera's own name and time are better than the driver's: they are
    /// the same whoever looks, and the two files of a shot share them.
    private mutating func takeFromMemory(_ path: CameraPath) {
        let told = camera.takeMemoryObject()
        guard !camera.isOnlyTakenForMemory || !keepsPhotosOnCard() else {
            camera.release(path)
            return daemon.send(.listChanged(reason: "the facts of a new object were cut short"))
        }
        do throws(CameraError) {
            var bytes = shelf.room()
            try camera.get(path) { piece in
                // To grow, an array would keep its memory and take twice as much.
                if bytes.isEmpty, bytes.capacity < piece.count { bytes = [] }
                bytes.append(contentsOf: piece)
                return true
            }
            camera.release(path)
            var object = CameraObject(
                folder: path.folder, name: path.name, size: UInt64(bytes.count),
                cameraTime: told?.time ?? Int64(zoneSecond()))
            object.name = freeName([told?.name ?? "", path.name])
            announcedMs = nowMs()
            awaited.came()
            shelf.put(object, bytes) { [daemon, object] in daemon.send(.objectAdded(object)) }
            tellWaiting()
        } catch {
            judge(error, during: "event")
            Log.line("a photo from the camera's memory is lost: \(error.text)")
        }
        // With no card in it an EOS falls back to its memory, whatever was asked for.
        if habits.target?.keeper == .driver { driverTarget = .host }
    }

    /// The first of these names that no photo on the shelf has: the driver begins its own anew with each session.
    private func freeName(_ names: [String]) -> String {
        if let name = names.first(where: { !$0.isEmpty && !shelf.holds($0) }) { return name }
        let last = names.last ?? ""
        return (2...).lazy.map { "\($0)-\(last)" }.first { !shelf.holds($0) } ?? last
    }

    /// Whether new photos go where they can be listed.
    private mutating func keepsPhotosOnCard() -> Bool {
        habits.canList && (memory != nil || currentTarget() != CaptureTarget.host.rawValue)
    }

    /// An object as the daemon knows it.
    func object(at path: CameraPath) throws(CameraError) -> CameraObject {
        let facts = try camera.facts(of: path)
        return CameraObject(
            folder: path.folder, name: path.name, size: facts.size, cameraTime: facts.time,
            isProtected: facts.isProtected)
    }
}
