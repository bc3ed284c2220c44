import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension CameraSession {
    /// Handles the events that the driver has or can get now.
    ///
    /// - Parameter isAll: Whether to handle all events before any command. Otherwise a command waits at most
    ///   as long as for a portion of a listing, and a release does not wait. A due step of an operation never
    ///   waits.
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
            // Without the packets, the worker can't detect that the driver starts to read a photo from the
            // camera's memory.
            if !camera.isGuarded { shelf.settle() }
            do throws(CameraError) {
                let event = try camera.nextEvent(timeoutMs: events.driverAsks == true ? 0 : 1)
                if let event {
                    events.hadOne()
                    take(event)
                    // Each poll transfers a complete photo from the camera's memory.
                    if shelf.isFull { return }
                } else {
                    events.hadNone(didAsk: camera.requests != requests)
                }
                // The driver takes one event per poll from a separate event connection. It answers some of
                // them itself with "nothing".
                guard camera.mayHaveEvents || (events.driverAsks != true && event != nil) else { return }
            } catch {
                return missed(error, didAsk: camera.requests != requests || !camera.isGuarded)
            }
            let isWanted = queue.hasUrgent || (nowMs() >= end && !queue.isEmpty) || operationDelay == 0
            guard isAll || !isWanted else { return }
        }
    }

    /// Records that the photographer is shooting. The worker then polls more often for events and delays
    /// everything that can wait.
    mutating func noteActivity() {
        events.pace.noteActivity(nowMs: nowMs())
        listing?.noteBusy(nowMs: nowMs())
    }

    /// Prevents an EOS from switching itself off.
    private mutating func keepAwake() {
        guard camera.mustBeKeptAwake, events.mustKeepAwake(nowMs: nowMs()) else { return }
        do throws(CameraError) { try camera.keepAwake() } catch { judge(error, during: "event") }
    }

    /// Handles a failed poll. An object that vanished in the meantime is not an error of the connection.
    private mutating func missed(_ error: CameraError, didAsk: Bool) {
        judge(error, during: "event")
        guard loss == nil else { return }
        if events.failed(), !didAsk {
            return lose(
                .disconnected, "the camera's events cannot be understood: \(error.text)", code: error.code)
        }
        daemon.send(.listChanged(reason: "an event failed: \(error.text)"))
    }

    /// Announces a photo to the daemon.
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
            // ``pollMemory(isAsking:)`` finds the photo in the object list.
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

    /// Stores a photo that arrived together with its event. It gets the camera's name and time instead of the
    /// driver's. They do not depend on the connection, and the two files of a shot share them.
    private mutating func takeFromMemory(_ path: CameraPath) {
        let told = camera.takeMemoryObject()
        guard !camera.isOnlyTakenForMemory || !keepsPhotosOnCard() else {
            camera.release(path)
            return daemon.send(.listChanged(reason: "the facts of a new object were cut short"))
        }
        do throws(CameraError) {
            var bytes = shelf.room()
            try camera.get(path) { piece in
                // A growing array would keep its old memory and use twice as much.
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
        // Without a card, an EOS saves to its memory regardless of the requested target.
        if habits.target?.keeper == .driver { driverTarget = .host }
    }

    /// Returns the first of these names that no stored photo has. The driver restarts its own names in each
    /// connection.
    private func freeName(_ names: [String]) -> String {
        if let name = names.first(where: { !$0.isEmpty && !shelf.holds($0) }) { return name }
        let last = names.last ?? ""
        return (2...).lazy.map { "\($0)-\(last)" }.first { !shelf.holds($0) } ?? last
    }

    /// Whether the camera saves new photos where they can be listed.
    private mutating func keepsPhotosOnCard() -> Bool {
        habits.canList && (memory != nil || currentTarget() != CaptureTarget.host.rawValue)
    }

    /// Returns an object as reported to the daemon.
    func object(at path: CameraPath) throws(CameraError) -> CameraObject {
        let facts = try camera.facts(of: path)
        return CameraObject(
            folder: path.folder, name: path.name, size: facts.size, cameraTime: facts.time,
            isProtected: facts.isProtected)
    }
}
