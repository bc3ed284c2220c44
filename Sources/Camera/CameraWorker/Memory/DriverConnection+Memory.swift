import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension DriverConnection {
    /// Announces new photos in the memory of a camera that stops shooting when this memory is full.
    ///
    /// The worker reads the object list each time, because the driver's announcements are incomplete. When
    /// the driver reads the list itself (`ptp_list_folder` under find_child), it marks all listed objects as
    /// known and does not announce them.
    ///
    /// In each connection, the camera restarts its photo names, even while older photos are in its memory.
    /// The driver identifies photos by name. If two photos have the same name, the driver hides the second
    /// photo until the first is deleted.
    ///
    /// - Parameter isAsking: Whether to read events if the driver answers from its own list. The driver
    ///   requests the camera's list only if its own list is empty. Later objects arrive as events, one per
    ///   poll.
    mutating func pollMemory(isAsking: Bool = false) {
        guard memory.photos != nil, loss == nil else { return }
        let requests = camera.requests
        announceListed()
        if camera.requests != requests {
            events.pace.recordPoll(at: .now)
        } else if isAsking, loss == nil {
            do throws(CameraError) {
                // If the worker can't see the packets, the number of unread events is unknown. The worker
                // polls until no event is left.
                let unread = try camera.isGuarded ? camera.countUnread() : Self.eventsAtOnce
                for _ in 0..<unread where loss == nil && !queue.hasUrgent {
                    if let event = try camera.nextEvent(timeoutMs: camera.isGuarded ? 0 : 1) {
                        handle(event)
                    } else if !camera.isGuarded {
                        break
                    }
                }
                if unread > 0 { announceListed() }
            } catch {
                classify(error, during: "event")
            }
        }
        reportMemory()
    }

    private mutating func announceListed() {
        camera.forgetListings()
        do throws(CameraError) {
            var folders = try camera.folders(in: "/").map { "/\($0)" }
            while let folder = folders.popLast() {
                let requests = camera.requests
                let names = try camera.files(in: folder)
                for name in names {
                    let path = CameraPath(folder: folder, name: name)
                    guard memory.photos?[path] == nil else { continue }
                    let object = try object(at: path)
                    memory.photos?.insert(object)
                    recordActivity()
                    announce(object)
                    camera.markReported(path)
                }
                // Skips an empty folder that the driver has just listed, because the driver would list it
                // again. The next poll finds new folders.
                guard !names.isEmpty || camera.requests == requests,
                    folder.split(separator: "/").count <= Self.memoryDepth
                else { continue }
                folders += try camera.folders(in: folder).map { "\(folder)/\($0)" }
            }
        } catch {
            classify(error, during: "event")
            if loss == nil { Log.line("cannot read the camera's memory: \(error.text)") }
        }
    }

    /// Stores a photo that the driver delivered together with its event. If the camera has reported a name
    /// and a time for the photo, uses these values. The driver's names restart in each connection, and differ
    /// between the two files of a shot.
    mutating func storeMemoryPhoto(_ path: CameraPath) {
        let described = camera.takeMemoryObject()
        guard !camera.isMisreadAsMemory || !keepsPhotosOnCard() else {
            camera.release(path)
            return daemon.send(.listChanged(reason: "the information about a new object was truncated"))
        }
        do throws(CameraError) {
            var bytes = photoStore.takeBuffer()
            try camera.get(path) { chunk in
                // Releases a buffer that is too small. Otherwise, appending would reallocate the buffer and
                // briefly need twice the memory.
                if bytes.isEmpty, bytes.capacity < chunk.count { bytes = [] }
                bytes.append(contentsOf: chunk)
                return true
            }
            camera.release(path)
            var object = CameraObject(
                folder: path.folder, name: path.name, size: UInt64(bytes.count),
                cameraTime: described?.time ?? Int64(zoneSecond()))
            object.name = unusedName([described?.name ?? "", path.name])
            shared.lastAnnouncement = .now
            memory.awaited.recordPhoto()
            operation?.recordMemoryPhoto(object)
            shared.recentPhotos.record(object)
            photoStore.add(object, bytes) { [daemon, object] in daemon.send(.objectAdded(object)) }
            reportWaiting()
        } catch {
            classify(error, during: "event")
            Log.line("a photo from the camera's memory is lost: \(error.text)")
        }
        // Without a card, an EOS saves to its memory regardless of the requested target.
        if profile.target?.settingStore == .driver { driverTarget = .host }
    }

    /// Returns the first of the names that is unused in the photo store. If all are used, returns a numbered
    /// variant of the last name. In each connection, the driver restarts the numbers in its own names.
    private func unusedName(_ names: [String]) -> String {
        if let name = names.first(where: { !$0.isEmpty && !photoStore.hasPhoto(named: $0) }) { return name }
        let last = names.last ?? ""
        return (2...).lazy.map { "\($0)-\(last)" }.first { !photoStore.hasPhoto(named: $0) } ?? last
    }

    /// Returns whether the camera saves new photos to a card that can be listed.
    private mutating func keepsPhotosOnCard() -> Bool {
        profile.canList && (memory.photos != nil || currentTarget() != CaptureTarget.host.rawValue)
    }

    /// Reports how many photos wait in a memory that can't be listed. These photos are lost if the connection
    /// breaks.
    mutating func reportWaiting() {
        guard loss == nil, let count = countInMemory else { return }
        guard count != facts.bufferedObjects else { return }
        // Each photo of a burst changes the number, but the daemon needs only an approximate number.
        let isTransition = count == 0 || facts.bufferedObjects ?? 0 == 0
        guard isTransition || Instant.now >= memory.lastReport + Self.reportWaitingInterval else { return }
        memory.lastReport = .now
        facts.bufferedObjects = count
        daemon.send(.facts(facts))
    }

    /// The number of photos that are not saved to a disk: the photos in this process's memory, and the number
    /// that the camera reports for a memory that can't be listed. `nil` if the memory can be listed or the
    /// camera reports no number.
    var countInMemory: Int? {
        guard !profile.canList, let waiting = camera.photosInMemory else { return nil }
        return waiting + photoStore.unsavedCount
    }

    /// Reports how many photos remain in a memory that can't be listed. Called after a connection was lost,
    /// before the loss is reported. The number is the larger of ``countInMemory`` and the number of releases
    /// whose photos have not arrived.
    mutating func reportRemaining() {
        guard !profile.canList else { return }
        let count = max(countInMemory ?? 0, memory.awaited.count(at: .now))
        guard count != facts.bufferedObjects ?? 0 else { return }
        facts.bufferedObjects = count
        daemon.send(.facts(facts))
    }

    /// The minimum interval between two reports of waiting photos.
    private static let reportWaitingInterval = Duration.milliseconds(250)

    /// Reads the number of waiting photos while the store is full. Does not poll for events, because a poll
    /// would transfer the next photo.
    mutating func readWaitingCount() {
        guard camera.photosInMemory != nil else { return }
        // The returned text is not used. The worker reads the number from the packets.
        _ = value("d215")
        reportWaiting()
    }

    /// Transfers all photos from a memory that the camera clears at the end of the connection. Called before
    /// this worker ends. The next worker finds the photos in the photo store.
    mutating func drainMemory() {
        guard !profile.canList else { return }
        photoStore.acceptsAll = true
        let end = Instant.now + Self.drainMax
        repeat {
            pollEvents()
            // An announced photo becomes readable after a short delay.
            poll(nil, 0, Self.pollAgain.pollTimeout)
        } while loss == nil && !photoStore.isFull && camera.photosInMemory ?? 0 > 0 && Instant.now < end
        photoStore.waitUntilSynced()
    }

    /// The maximum duration of ``drainMemory()``. A camera that continues shooting must not
    /// delay the next worker.
    private static let drainMax = Duration.milliseconds(5_000)
    /// The time between two polls.
    private static let pollAgain = Duration.milliseconds(10)

    /// The maximum folder depth in a storage of the camera's memory.
    private static let memoryDepth = 3

    /// Reports when the camera's memory fills up, and when it has free space again.
    private mutating func reportMemory() {
        guard memory.photos?.updateWarning() == true, let photos = memory.photos else { return }
        facts.bufferedObjects = photos.count
        facts.bufferedBytes = photos.usedBytes
        daemon.send(.facts(facts))
    }
}
