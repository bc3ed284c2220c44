extension SimulatedBody {
    /// Takes a shot: adds its files to the card or memory, and queues the events.
    /// ``Camera/shoot(at:pair:isOld:)`` describes the other parameters and the errors.
    ///
    /// - Parameters:
    ///   - toMemory: `true` to store the photo only in memory, `false` to store the photo on the card, or
    ///     `nil` to use the body's destination. Without a session, the photo is stored on the card.
    ///   - isMovie: Whether the new file is a completed movie instead of a photo.
    @discardableResult
    mutating func shoot(
        on camera: inout CameraCore, at now: WallTime, pair: Bool? = nil, toMemory: Bool? = nil,
        isMovie: Bool = false, isOld: Bool = false
    ) throws(SimulatorError) -> [CardObject] {
        if !isOld, camera.isShutterHeld(at: now) {
            camera.statistics.refused += 1
            throw .shutterHeld
        }
        let identity = camera.identity
        let number = isOld ? 0 : camera.statistics.shots + 1
        let time = now.ahead(by: camera.clockOffsetSeconds)
        var metadata = ShotMetadata(
            make: identity.manufacturer, model: identity.model, serial: identity.serial,
            number: camera.photoCount + 1, time: time, rating: camera.rating)
        metadata.exposure = exposure
        let files =
            isMovie
            ? [camera.source.movie(of: metadata)]
            : camera.source.files(
                of: metadata, as: pair == true ? .pair : recording, pictures: camera.pictures)
        let bytes = files.reduce(0) { $0 + $1.bytes.count }
        if !isOld, camera.takeFault(.shot, shot: number, matching: { $0 == .storeFull }) != nil {
            throw camera.reportFullCard()
        }
        // A Fujifilm's memory has no folders.
        let isFlat = camera.profile.storage == .memory
        let toMemory = camera.session != nil && (toMemory ?? (destination == .host && !isFlat))
        guard isOld || camera.hasBufferSpace else { throw camera.reportFullCard() }
        guard toMemory || bytes <= camera.card.freeBytes else { throw camera.reportFullCard() }
        camera.photoCount += 1
        if !isOld { camera.recordShot(number, at: now) }
        let (folderNumber, fileNumber) = camera.numbering.next()
        let folder = toMemory || isFlat ? 0 : camera.folder(folderNumber, at: time)
        let digits = String(String(10_000 + fileNumber).dropFirst())
        var made: [CardObject] = []
        for file in files {
            var object = CardObject(
                handle: 0, parent: folder, storage: toMemory ? 0 : Card.storageID, format: file.format,
                name: CameraText("\(camera.profile.filePrefix)\(digits).\(file.fileExtension)"), time: time)
            object.bytes = file.bytes
            object.thumbnail = file.thumbnail
            object.width = file.width
            object.height = file.height
            object.shot = number
            object.isProtected = camera.protectsNew
            if !isOld {
                if !camera.names.isEmpty { object.name = camera.names.removeFirst() }
                camera.applyPhotoFaults(to: &object)
            }
            made.append(camera.card.add(object))
        }
        for object in made {
            camera.newFiles.append(
                TakenPhoto(lamp: camera.lamp, object: object, folder: camera.card.path(of: object)))
        }
        if !isOld { handleShot(made, on: &camera) }
        for event in eventsBeforeShot { camera.emit(event) }
        camera.announce(made)
        for code in settingsAfterShot { camera.emit(.propertyChanged(code)) }
        return made
    }
}

extension CameraCore {
    /// Counts a shot, and the shots of its burst.
    fileprivate mutating func recordShot(_ number: Int, at now: WallTime) {
        burstShots =
            statistics.lastShot.map { now.hostMs < $0.hostMs + Self.burstWriteMs } == true
            ? burstShots + 1 : 1
        statistics.shots = number
        statistics.lastShot = now
    }

    fileprivate mutating func reportFullCard() -> SimulatorError {
        emit(.storeFull)
        return .cardFull
    }

    /// Returns the handle of the folder with this number. Creates and announces missing folders.
    fileprivate mutating func folder(_ number: Int, at time: WallTime) -> UInt32 {
        let root = card.folder("DCIM", in: 0, at: time)
        if root.isNew { emit(.objectAdded(root.handle)) }
        let folder = card.folder("\(number)\(profile.folderSuffix)", in: root.handle, at: time)
        if folder.isNew { emit(.objectAdded(folder.handle)) }
        return folder.handle
    }

    /// Applies the faults that change the photo itself, each at most once.
    fileprivate mutating func applyPhotoFaults(to object: inout CardObject) {
        // `shoot` handles a full store.
        var applied: Set<Fault.Kind> = [.storeFull]
        while let fault = takeFault(.shot, shot: object.shot, matching: { !applied.contains($0) }) {
            applied.insert(fault)
            switch fault {
            case .sizeSmall(let bytes): object.announcedSize = max(0, object.bytes.count - bytes)
            case .sizeBig(let bytes): object.announcedSize = object.bytes.count + bytes
            case .truncated(let bytes):
                object.bytes = object.bytes.slice(0..<(bytes ?? object.bytes.count / 2))
            case .empty: object.bytes = ByteRope()
            case .name(let name): object.name = name
            case .date(let date): object.announcedDate = date
            case .noThumbnail: object.thumbnail = ByteRope()
            default: break
            }
        }
    }

    fileprivate mutating func announce(_ objects: [CardObject]) {
        for object in objects {
            let fault = takeFault(.event, shot: object.shot)
            for event in Self.events(for: .objectAdded(object.handle), fault) { emit(event) }
        }
        emit(.captureComplete)
    }

    /// Returns the events that are sent for `event`. Without a fault of the event channel, the result
    /// contains only `event`.
    private static func events(for event: PTPEvent, _ fault: Fault.Kind?) -> [PTPEvent] {
        switch fault {
        case .lostEvent: []
        case .doubledEvent: [event, event]
        case .ghostEvent(let handle): [.objectAdded(handle), event]
        case .eventClose: [.close]
        case .eventZeroLength: [.raw([0, 0, 0, 0, 8, 0, 0, 0])]
        case .eventHugeLength: [.raw([0, 0, 0, 0x80, 8, 0, 0, 0])]
        case .eventGarbage: [.raw((0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) })]
        case .eventShort: [.raw([10, 0, 0, 0, 8, 0, 0, 0, 2, 0x40])]
        default: [event]
        }
    }
}
