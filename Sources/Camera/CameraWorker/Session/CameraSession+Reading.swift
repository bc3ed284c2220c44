import FrameFastModel
import GPhoto2
import WorkerProtocol

extension CameraSession {
    /// Time that one portion of a listing may take before commands and events are looked after, in milliseconds.
    static let portionMs: UInt64 = 100
    /// Objects that are asked for to learn how fast the camera answers.
    static let trialObjects = 3

    /// Whether the worker itself can ask for what is on the card. An EOS needs none of it, and a memory that must be emptied
    /// is small. Where packets are not seen, the answers are not either.
    var readsByHandle: Bool {
        camera.isGuarded && habits.canList && memory == nil && !camera.listsFolderAtOnce
            && !facts.storages.isEmpty
    }

    /// Begins to list a card that the driver could list only with a long pause. An earlier list of the session may have held
    /// most of a folder back from the driver, which then could list a part only: from then on the card is always read so.
    ///
    /// - Returns: false when the driver is quick enough, or when there is no other way.
    mutating func beginListing(_ id: UInt64) -> Bool {
        guard readsByHandle else { return failHeldBack(id) }
        let isHeldBack = !view.large.isEmpty
        do throws(CameraError) {
            let handles = try camera.allHandles()
            guard isHeldBack || handles.count > CardReading.atOnceMin else { return false }
            let root = CardReading.Folder(path: "/", handle: nil, depth: 0)
            let start = monotonicNanoseconds()
            for handle in handles.prefix(Self.trialObjects) {
                guard let object = try camera.object(handle) else { continue }
                let storage = CardReading.path(of: root, storage: object.storage)
                // The driver would call it something else.
                guard facts.storages.contains(where: { $0.folder == storage }) else {
                    return failHeldBack(id)
                }
            }
            let answerMs = Double(monotonicNanoseconds() - start) / 1_000_000 / Double(Self.trialObjects)
            view.measured(answerMs: answerMs)
            guard isHeldBack || handles.count > view.atOnce else { return false }
            if let listing, !listing.isTold {
                daemon.send(
                    .failed(id: listing.id, WorkerFailure(kind: .busy, during: "list", text: "listed anew")))
            }
            listing = Listing(id: id, total: handles.count, nowMs: nowMs())
            listing?.part = shelf.objects
            card = CardMemory(camera: settings.camera)
            return true
        } catch {
            let failure = judge(error, during: "list")
            guard isHeldBack else { return false }
            daemon.send(.failed(id: id, failure))
            return true
        }
    }

    /// Fails a listing for which only the driver is left, if most of a folder was held back from it: the card is another one by
    /// now. A new session lists all of it.
    ///
    /// - Returns: Whether the listing failed.
    private func failHeldBack(_ id: UInt64) -> Bool {
        guard !view.large.isEmpty else { return false }
        daemon.send(
            .failed(id: id, WorkerFailure(kind: .busy, during: "list", text: "the card was changed")))
        return true
    }

    /// Reads a portion of the card, then takes what the camera has to say.
    mutating func readOn() {
        let end = nowMs() + Self.portionMs
        do throws(CameraError) {
            while loss == nil, nowMs() < end, let step = listing?.reading.next() { try take(step) }
            if listing?.reading.isComplete == true, listing?.isTold == false {
                try readDoubtful()
                tell(isLast: true)
            } else if listing?.isTellingDue(nowMs: nowMs()) == true {
                tell(isLast: false)
            }
            if listing?.reading.isOver == true { listing = nil }
        } catch {
            listingFailed(error)
        }
        // A photo that is announced in a folder of which nothing is known the driver would read with all of that folder.
        if loss == nil, listing?.keepsEventsWaiting(nowMs: nowMs()) != true { lookDuringTransfer() }
    }

    private mutating func listingFailed(_ error: CameraError) {
        let failure = judge(error, during: "list")
        guard let listing else { return }
        self.listing = nil
        if !listing.isTold { daemon.send(.failed(id: listing.id, failure)) }
    }

    private mutating func tell(isLast: Bool) {
        guard var now = listing else { return }
        // Before: what is remembered and was not told is told by the next session.
        card?.note(now.read)
        if !now.isTold {
            var rest = now.part[...]
            while rest.count > WorkerFrame.objectsPerListing {
                let part = Array(rest.prefix(WorkerFrame.objectsPerListing))
                daemon.send(.listed(id: now.id, part, isLast: false, total: now.total))
                rest = rest.dropFirst(part.count)
            }
            if isLast || !rest.isEmpty {
                daemon.send(.listed(id: now.id, Array(rest), isLast: isLast, total: now.total))
            }
        }
        now.part = []
        now.read = []
        now.isTold = now.isTold || isLast
        now.toldMs = nowMs()
        if isLast, now.skipped > 0 { Log.line("\(now.skipped) objects could not be read") }
        listing = now
    }

    // MARK: Steps

    private mutating func take(_ step: CardReading.Step) throws(CameraError) {
        switch step {
        case .folder(let folder): try look(into: folder)
        case .object(let handle, let folder): try read(handle, in: folder)
        case .recheck(let handle, let folder): try recheck(handle, in: folder)
        }
    }

    private mutating func look(into folder: CardReading.Folder) throws(CameraError) {
        var handles: [UInt32]
        do throws(CameraError) { handles = try camera.handles(in: folder.handle) } catch {
            // Without its root there is no list; without one folder there is the rest of it.
            guard folder.depth > 1, isBearable(error) else { throw error }
            return Log.line("cannot list \(folder.path): \(error.text)")
        }
        handles.removeAll(where: request.quarantinedHandles.contains)
        if let handle = folder.handle, handles.count > view.atOnce, !camera.hasShown(handle) {
            camera.holdBack(handles)
            view.add(LargeFolder(handle: handle, order: handles), at: folder.path)
        }
        let card = card
        let known = listing?.reading.found(handles, in: folder) { card?[$0]?.folder == folder.path } ?? []
        for handle in known {
            guard let object = card?[handle] else { continue }
            view.learn(object.name, handle, in: folder.path)
            camera.noteTold(handle)
            listing?.part.append(object)
        }
    }

    private mutating func read(_ handle: UInt32, in folder: CardReading.Folder) throws(CameraError) {
        guard let object = try readable(handle) else { return }
        if object.isFolder {
            camera.show([handle])
            listing?.reading.foundFolder(handle, name: object.name, storage: object.storage, in: folder)
        } else if !object.isPlain {
            listing?.doubtful[folder, default: []].append(handle)
        } else if !view.learn(object.name, handle, in: folder.path) {
            // The driver finds the first of two with one name.
            camera.noteTold(handle)
        } else {
            let told = object.told(in: CardReading.path(of: folder, storage: object.storage))
            listing?.part.append(told)
            listing?.read.append((handle, told))
            camera.noteTold(handle)
        }
    }

    /// What the camera says of an object; `nil` when it does not, which is said in the log.
    private mutating func readable(_ handle: UInt32) throws(CameraError) -> CardObject? {
        do throws(CameraError) {
            if let object = try camera.object(handle) { return object }
        } catch {
            guard isBearable(error) else { throw error }
            listing?.skipped += 1
            Log.line("cannot read object 0x\(String(handle, radix: 16)): \(error.text)")
        }
        // Listing it again in a new session would not help.
        camera.noteTold(handle)
        return nil
    }

    /// Whether the listing can go on after an error.
    private func isBearable(_ error: CameraError) -> Bool {
        !camera.sockets.isClosed && !camera.awaitsResponse && !camera.isOutOfStep
            && error.kind != .unsupported && error.kind != .disconnected
            && (listing?.skipped ?? 0) < Self.unreadableLimit
    }

    /// Asks for an object that was told of from memory. What it is by now counts.
    private mutating func recheck(_ handle: UInt32, in folder: CardReading.Folder) throws(CameraError) {
        guard let before = card?[handle], let object = try readable(handle) else { return }
        let now = object.told(in: folder.path)
        guard object.isFolder || !object.isPlain || now != before || now.isProtected != before.isProtected
        else { return }
        card?.forget()
        guard !object.isFolder, object.isPlain else {
            return lose(.disconnected, "the card is another one than it seemed: it is read anew")
        }
        view.learn(now.name, handle, in: folder.path)
        announce(now)
    }

    /// Objects of which only the driver's word counts.
    private mutating func readDoubtful() throws(CameraError) {
        guard let doubtful = listing?.doubtful, !doubtful.isEmpty else { return }
        if doubtful.keys.contains(where: { view.large($0.path).map { camera.hasShown($0.handle) } ?? false }
        ) {
            try renew()
        }
        for handles in doubtful.values { camera.show(handles) }
        var skipped = 0
        for folder in doubtful.keys.map(\.path).sorted() {
            for name in try files(in: folder, skipped: &skipped) where view.large(folder)?[name] == nil {
                guard let object = try readable(CameraPath(folder: folder, name: name), &skipped) else {
                    continue
                }
                listing?.part.append(object)
            }
        }
        listing?.skipped += skipped
    }

    // MARK: What the driver is shown

    /// Lets the driver find a file that it was not shown: with those that follow it, because photos are fetched in
    /// the camera's order. A folder that the driver has read already it reads only in a new session.
    mutating func reveal(_ path: CameraPath) throws(CameraError) {
        guard let place = view.place(of: path.name, in: path.folder), camera.holdsBack(place.handle) else {
            return
        }
        if camera.hasShown(place.folder) { try renew() }
        camera.show(place.shown)
    }

    /// Begins the driver's session anew, with the same camera.
    ///
    /// - Parameter hidingPieces: as ``CameraHandle/renew(hidingPieces:)``; `nil` to leave that as it is.
    mutating func renew(hidingPieces: Bool? = nil) throws(CameraError) {
        takeEvents(isAll: true)
        guard loss == nil else { return }
        for folder in view.large { camera.holdBack(folder.order) }
        do throws(CameraError) { try camera.renew(hidingPieces: hidingPieces ?? camera.hidesPieces) } catch {
            lose(.disconnected, error.text, code: error.code)
            throw error
        }
        events.beginSession()
        daemon.send(.listChanged(reason: "the driver's session began anew"))
        // An EOS is told to collect its events with the first look for them.
        takeEvents(isAll: true)
    }
}

extension CardObject {
    /// As the daemon is told.
    func told(in folder: String) -> CameraObject {
        CameraObject(folder: folder, name: name, size: size, cameraTime: time, isProtected: isProtected)
    }
}
