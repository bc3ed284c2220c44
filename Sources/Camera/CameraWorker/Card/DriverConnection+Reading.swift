import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// The maximum duration of one portion of a listing. The worker then handles commands and events.
    static let portion = Duration.milliseconds(100)
    /// The number of objects that the worker reads to measure the camera's response time.
    static let trialObjects = 3

    /// Whether the worker reads the card with its own requests, which require access to the packets. `false`
    /// for an EOS, which lists a folder in one response, and for a camera that stops shooting when its memory
    /// is full.
    var readsByHandle: Bool {
        camera.isGuarded && profile.canList && memory.photos == nil && !camera.listsFolderAtOnce
            && !facts.storages.isEmpty
    }

    /// Starts to list a card in portions if the driver's listing would take too long. If an earlier listing
    /// hid most of a folder from the driver, the driver's own listing would be incomplete. In this
    /// case, the driver must not list the card.
    ///
    /// - Returns: `false` if the driver should list the card, because the driver is fast enough or the worker
    ///   can't read in portions.
    mutating func beginListing(_ id: UInt64) -> Bool {
        guard readsByHandle else { return failHidden(id) }
        let isHidden = !card.view.largeFolders.isEmpty
        do throws(CameraError) {
            let handles = try camera.allHandles()
            guard isHidden || handles.count > CardReading.readLimitMin else { return false }
            let root = CardReading.Folder(path: "/", handle: nil, depth: 0)
            let start = Instant.now
            for handle in handles.prefix(Self.trialObjects) {
                guard let object = try camera.object(handle) else { continue }
                let storage = CardReading.path(of: root, storage: object.storage)
                // If the driver uses another path for this storage, the worker can't read in portions.
                guard facts.storages.contains(where: { $0.folder == storage }) else {
                    return failHidden(id)
                }
            }
            let time = Double((Instant.now - start).wholeNanoseconds)
            let responseMs = time / 1_000_000 / Double(Self.trialObjects)
            card.view.updateLimits(responseMs: responseMs)
            guard isHidden || handles.count > card.view.readLimit else { return false }
            if let listing = card.listing, !listing.isSent {
                daemon.send(
                    .failed(
                        id: listing.id,
                        WorkerFailure(kind: .busy, during: "list", text: "a new listing has started"))
                )
            }
            card.listing = Listing(id: id, total: handles.count, at: .now)
            card.listing?.pending = photoStore.objects
            card.cache = CardCache(camera: backup.camera)
            return true
        } catch {
            let failure = classify(error, during: "list")
            guard isHidden else { return false }
            daemon.send(.failed(id: id, failure))
            return true
        }
    }

    /// Fails the listing if only the driver could list the card, but most of a folder is hidden from the
    /// driver. This happens after the card was replaced. The next connection lists the whole card.
    ///
    /// - Returns: Whether the listing failed.
    private func failHidden(_ id: UInt64) -> Bool {
        guard !card.view.largeFolders.isEmpty else { return false }
        daemon.send(
            .failed(id: id, WorkerFailure(kind: .busy, during: "list", text: "the card was changed")))
        return true
    }

    /// Reads one portion of the card, then polls for events. A portion ends early if a step of an operation
    /// is due.
    mutating func readPortion() {
        let end = Instant.now + Self.portion
        do throws(CameraError) {
            while loss == nil {
                let delay = operationDelay
                guard let step = card.listing?.nextStep(at: .now, end: end, operationDelay: delay) else {
                    break
                }
                try execute(step)
            }
            if card.listing?.reading.isComplete == true, card.listing?.isSent == false {
                try readDriverOnlyObjects()
                sendListed(isLast: true)
            } else if card.listing?.isSendDue(at: .now) == true {
                sendListed(isLast: false)
            }
            if card.listing?.reading.isOver == true { card.listing = nil }
        } catch {
            listingFailed(error)
        }
        // A poll may announce a photo in a folder that is not listed yet. The driver would then read the
        // whole folder.
        if loss == nil, card.listing?.delaysEvents(at: .now) != true { pollDuringTransfer() }
    }

    private mutating func listingFailed(_ error: CameraError) {
        let failure = classify(error, during: "list")
        guard let listing = card.listing else { return }
        card.listing = nil
        if !listing.isSent { daemon.send(.failed(id: listing.id, failure)) }
    }

    private mutating func sendListed(isLast: Bool) {
        guard var now = card.listing else { return }
        // Saves the objects before sending them. If the connection ends in between, the next connection
        // reports them from the cache.
        card.cache?.append(now.fresh)
        if !now.isSent {
            var rest = now.pending[...]
            while rest.count > WorkerLimits.objectsPerListing {
                let part = Array(rest.prefix(WorkerLimits.objectsPerListing))
                daemon.send(.listed(id: now.id, part, isLast: false, total: now.total))
                rest = rest.dropFirst(part.count)
            }
            if isLast || !rest.isEmpty {
                daemon.send(.listed(id: now.id, Array(rest), isLast: isLast, total: now.total))
            }
        }
        now.pending = []
        now.fresh = []
        now.isSent = now.isSent || isLast
        now.lastSent = .now
        if isLast, now.skipped > 0 { Log.line("\(now.skipped) objects could not be read") }
        card.listing = now
    }

    // MARK: Steps

    private mutating func execute(_ step: CardReading.Step) throws(CameraError) {
        switch step {
        case .folder(let folder): try readFolder(folder)
        case .object(let handle, let folder): try readObject(handle, in: folder)
        case .recheck(let handle, let folder): try recheck(handle, in: folder)
        }
    }

    private mutating func readFolder(_ folder: CardReading.Folder) throws(CameraError) {
        var handles: [UInt32]
        do throws(CameraError) { handles = try camera.handles(in: folder.handle) } catch {
            // If the root or a folder in the root can't be listed, the listing fails. If a deeper folder
            // can't be listed, the listing continues.
            guard folder.depth > 1, canContinue(after: error) else { throw error }
            return Log.line("cannot list \(folder.path): \(error.text)")
        }
        handles.removeAll(where: request.quarantinedHandles.contains)
        if let handle = folder.handle, handles.count > card.view.readLimit, !camera.hasListed(handle) {
            camera.hide(handles)
            card.view.add(LargeFolder(handle: handle, order: handles), at: folder.path)
        }
        let cache = card.cache
        let known =
            card.listing?.reading.addHandles(handles, in: folder) { cache?[$0]?.folder == folder.path } ?? []
        for handle in known {
            guard let object = cache?[handle] else { continue }
            card.view.register(object.name, handle, in: folder.path)
            camera.markReported(handle)
            card.listing?.pending.append(object)
        }
    }

    private mutating func readObject(_ handle: UInt32, in folder: CardReading.Folder) throws(CameraError) {
        guard let object = try readable(handle) else { return }
        if object.isFolder {
            camera.unhide([handle])
            card.listing?.reading.addFolder(handle, name: object.name, storage: object.storage, in: folder)
        } else if !object.isPlain {
            card.listing?.driverOnlyObjects[folder, default: []].append(handle)
        } else if !card.view.register(object.name, handle, in: folder.path) {
            // The driver finds only the first of two objects with the same name.
            camera.markReported(handle)
        } else {
            let listed = object.cameraObject(in: CardReading.path(of: folder, storage: object.storage))
            card.listing?.pending.append(listed)
            card.listing?.fresh.append((handle, listed))
            camera.markReported(handle)
        }
    }

    /// Returns the camera's description of an object. Returns `nil` and logs the error if the camera does not
    /// provide it.
    private mutating func readable(_ handle: UInt32) throws(CameraError) -> CardObject? {
        do throws(CameraError) {
            if let object = try camera.object(handle) { return object }
        } catch {
            guard canContinue(after: error) else { throw error }
            card.listing?.skipped += 1
            Log.line("cannot read object 0x\(String(handle, radix: 16)): \(error.text)")
        }
        // An unreadable object must not count as missing, because a new listing could not read the object
        // either.
        camera.markReported(handle)
        return nil
    }

    /// Returns whether the listing can continue after an error.
    private func canContinue(after error: CameraError) -> Bool {
        !camera.sockets.isClosed && !camera.awaitsResponse && !camera.isOutOfStep
            && error.kind != .unsupported && error.kind != .disconnected
            && (card.listing?.skipped ?? 0) < Self.unreadableLimit
    }

    /// Verifies a cached object against the camera's current description.
    private mutating func recheck(_ handle: UInt32, in folder: CardReading.Folder) throws(CameraError) {
        guard let before = card.cache?[handle], let object = try readable(handle) else { return }
        let now = object.cameraObject(in: folder.path)
        guard object.isFolder || !object.isPlain || now != before || now.isProtected != before.isProtected
        else { return }
        card.cache?.discard()
        guard !object.isFolder, object.isPlain else {
            return loseConnection(.disconnected, "the card was replaced: reading it again")
        }
        card.view.register(now.name, handle, in: folder.path)
        announce(now, isNew: false)
    }

    /// Reads the objects that only the driver can describe completely.
    private mutating func readDriverOnlyObjects() throws(CameraError) {
        guard let driverOnlyObjects = card.listing?.driverOnlyObjects, !driverOnlyObjects.isEmpty else {
            return
        }
        if driverOnlyObjects.keys.contains(where: {
            card.view.largeFolder($0.path).map { camera.hasListed($0.handle) } ?? false
        }
        ) {
            try reopen()
        }
        for handles in driverOnlyObjects.values { camera.unhide(handles) }
        var skipped = 0
        for folder in driverOnlyObjects.keys.map(\.path).sorted() {
            for name in try files(in: folder, skipped: &skipped)
            where card.view.largeFolder(folder)?[name] == nil {
                guard let object = try readable(CameraPath(folder: folder, name: name), &skipped) else {
                    continue
                }
                card.listing?.pending.append(object)
            }
        }
        card.listing?.skipped += skipped
    }

    // MARK: Objects shown to the driver

    /// Shows a hidden file and the files after it to the driver, because photos are usually fetched in the
    /// camera's order. The driver reads each folder only once per connection. If the driver has already read
    /// the folder, this method reopens the driver's connection.
    mutating func reveal(_ path: CameraPath) throws(CameraError) {
        guard let place = card.view.location(of: path.name, in: path.folder), camera.isHidden(place.handle)
        else {
            return
        }
        if camera.hasListed(place.folder) { try reopen() }
        camera.unhide(place.shown)
    }

    /// Reopens the driver's connection to the same camera.
    ///
    /// - Parameter hidingPartialTransfers: See ``CameraHandle/reopen(hidingPartialTransfers:)``. `nil` keeps
    ///   the current value.
    mutating func reopen(hidingPartialTransfers: Bool? = nil) throws(CameraError) {
        pollEvents(isAll: true)
        guard loss == nil else { return }
        for folder in card.view.largeFolders { camera.hide(folder.order) }
        do throws(CameraError) {
            try camera.reopen(hidingPartialTransfers: hidingPartialTransfers ?? camera.hidesPartialTransfers)
        } catch {
            loseConnection(.disconnected, error.text, code: error.code)
            throw error
        }
        events.beginSession()
        // A camera may use other handles in the new session.
        transfer.handles = ReadHandles()
        daemon.send(.listChanged(reason: "the driver's connection was reopened"))
        // The first poll makes an EOS start to collect its events.
        pollEvents(isAll: true)
    }
}

extension CardObject {
    /// Returns the object as the worker reports it to the daemon.
    func cameraObject(in folder: String) -> CameraObject {
        CameraObject(folder: folder, name: name, size: size, cameraTime: time, isProtected: isProtected)
    }
}
