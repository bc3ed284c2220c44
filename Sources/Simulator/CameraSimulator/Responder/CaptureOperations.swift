extension Camera {
    mutating func initiateCapture(at now: WallTime) -> PTPReply {
        if identity.maker == .fuji { return fujiCapture(at: now) }
        do { _ = try shoot(at: now) } catch { return PTPReply(error.response) }
        return PTPReply(.ok)
    }

    /// Presses the shutter button on the body.
    ///
    /// - Throws: ``SimulatorError/bodyLocked`` if the client controls the camera and the body's buttons are
    ///   locked.
    @discardableResult
    public mutating func pressShutter(at now: WallTime, pair: Bool? = nil) throws(SimulatorError)
        -> [CardObject]
    {
        guard !isBodyLocked else { throw .bodyLocked }
        return try shoot(at: now, pair: pair)
    }

    /// Takes a shot: adds its files to the card or memory, and queues the events.
    ///
    /// - Parameters:
    ///   - now: The host's time, in the time zone of the camera's clock.
    ///   - pair: `true` for a raw file and a JPEG, or `nil` for the configured files.
    ///   - toMemory: `true` to keep the photo off the card, or `nil` for the client's setting.
    ///   - isMovie: Whether the new file is a completed movie instead of a photo.
    ///   - isOld: Whether the photo existed before the start. Such a photo isn't counted as a shot and
    ///     triggers no fault.
    /// - Returns: The new files.
    /// - Throws: ``SimulatorError/cardFull`` if the files don't fit, or ``SimulatorError/shutterHeld`` if a
    ///   client has just read a photo. In both cases, the camera doesn't change.
    @discardableResult
    public mutating func shoot(
        at now: WallTime, pair: Bool? = nil, toMemory: Bool? = nil, isMovie: Bool = false, isOld: Bool = false
    )
        throws(SimulatorError) -> [CardObject]
    {
        if !isOld, isShutterHeld(at: now) {
            statistics.refused += 1
            throw .shutterHeld
        }
        let number = isOld ? 0 : statistics.shots + 1
        let time = now.ahead(by: clockOffsetSeconds)
        var metadata = ShotMetadata(
            make: identity.manufacturer, model: identity.model, serial: identity.serial,
            number: photoCount + 1, time: time, rating: rating)
        metadata.exposure = shotExposure
        let quality = identity.maker == .canon ? canon.dials.imageFormat.recording : nil
        let files =
            isMovie
            ? [source.movie(of: metadata)] : source.files(of: metadata, as: pair == true ? .pair : quality)
        let bytes = files.reduce(0) { $0 + $1.bytes.count }
        if !isOld, takeFault(.shot, shot: number, matching: { $0 == .storeFull }) != nil {
            throw reportFullCard()
        }
        let toMemory =
            session != nil
            && (toMemory ?? (identity.maker == .sony ? sonyDestination == .host : memoryIsTarget))
        guard isOld || hasBufferSpace else { throw reportFullCard() }
        guard toMemory || bytes <= card.freeBytes else { throw reportFullCard() }
        photoCount += 1
        if !isOld {
            burstShots =
                statistics.lastShot.map { now.hostMs < $0.hostMs + Self.burstWriteMs } == true
                ? burstShots + 1 : 1
            statistics.shots = number
            statistics.lastShot = now
        }
        let (folderNumber, fileNumber) = numbering.next()
        // A Fujifilm's memory has no folders.
        let folder = toMemory || identity.maker == .fuji ? 0 : folder(folderNumber, at: time)
        let made = files.map { file in
            let digits = String(String(10_000 + fileNumber).dropFirst())
            var object = CardObject(
                handle: 0, parent: folder, storage: toMemory ? 0 : Card.storageID, format: file.format,
                name: CameraText("\(identity.filePrefix)\(digits).\(file.fileExtension)"), time: time)
            object.bytes = file.bytes
            object.thumbnail = file.thumbnail
            object.width = file.width
            object.height = file.height
            object.shot = number
            object.isProtected = protectsNew
            guard !isOld else { return card.add(object) }
            if !names.isEmpty { object.name = names.removeFirst() }
            return card.add(applyPhotoFaults(to: object))
        }
        newFiles += made.map { TakenPhoto(lamp: lamp, object: $0, folder: card.path(of: $0)) }
        if !isOld { addToSonyMemory(made) }
        announce(made)
        return made
    }

    /// Records that a client reads part of a photo now.
    mutating func recordReading(at now: WallTime) {
        let begin = isShutterHeld(at: now) ? reading?.lowerBound ?? now.hostMs : now.hostMs
        reading = min(begin, now.hostMs)...now.hostMs
    }

    /// Returns whether the body refuses a shot because a client has just read a photo. A shot that was due
    /// before the read is allowed, even if the computer processes it late.
    private func isShutterHeld(at now: WallTime) -> Bool {
        guard let shutterHeldMs, let reading else { return false }
        return now.hostMs >= reading.lowerBound && now.hostMs < reading.upperBound + shutterHeldMs
    }

    private mutating func reportFullCard() -> SimulatorError {
        emit(.storeFull)
        return .cardFull
    }

    /// Returns the handle of the current folder. Announces each folder that it has to create.
    private mutating func folder(_ number: Int, at time: WallTime) -> UInt32 {
        let root = card.folder("DCIM", in: 0, at: time)
        if root.isNew { emit(.objectAdded(root.handle)) }
        let folder = card.folder("\(number)\(identity.folderSuffix)", in: root.handle, at: time)
        if folder.isNew { emit(.objectAdded(folder.handle)) }
        return folder.handle
    }

    /// Applies the faults that change the photo itself.
    private mutating func applyPhotoFaults(to object: CardObject) -> CardObject {
        var object = object
        while let fault = takeFault(.shot, shot: object.shot, matching: { $0 != .storeFull }) {
            switch fault {
            case .sizeSmall(let bytes): object.announcedSize = max(0, object.bytes.count - bytes)
            case .sizeBig(let bytes): object.announcedSize = object.bytes.count + bytes
            case .truncated(let bytes):
                object.bytes = object.bytes.slice(0..<(bytes ?? object.bytes.count / 2))
            case .empty: object.bytes = ByteRope()
            case .name(let name): object.name = name
            case .date(let date): object.announcedDate = date
            default: break
            }
        }
        return object
    }

    private mutating func announce(_ objects: [CardObject]) {
        if identity.maker == .canon { Self.canonEventsBeforeShot.forEach { emit($0) } }
        defer { settingsAfterShot.forEach { emit(.propertyChanged($0)) } }
        for object in objects {
            let event = PTPEvent.objectAdded(object.handle)
            switch takeFault(.event, shot: object.shot) {
            case .lostEvent: continue
            case .doubledEvent: emit(event)
            case .ghostEvent(let handle): emit(.objectAdded(handle))
            case .eventClose:
                emit(.close)
                continue
            case .eventZeroLength:
                emit(.raw([0, 0, 0, 0, 8, 0, 0, 0]))
                continue
            case .eventHugeLength:
                emit(.raw([0, 0, 0, 0x80, 8, 0, 0, 0]))
                continue
            case .eventGarbage:
                emit(.raw((0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }))
                continue
            case .eventShort:
                emit(.raw([10, 0, 0, 0, 8, 0, 0, 0, 2, 0x40]))
                continue
            default: break
            }
            emit(event)
        }
        emit(.captureComplete)
    }
}
