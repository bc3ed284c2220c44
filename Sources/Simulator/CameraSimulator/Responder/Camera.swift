/// A value that simulates a camera. The camera receives requests and produces replies and events.
///
/// The camera consists of the parts that all makers share and the body of its maker. By dynamic member
/// lookup, the members of ``core`` are also members of the camera. The value uses no clock, files or sockets.
@dynamicMemberLookup
struct Camera: Sendable {
    /// The parts that all makers share.
    var core: CameraCore
    /// The maker's body.
    var body: any SimulatedBody

    /// Creates a camera with an empty card.
    init(identity: CameraIdentity, source: PhotoSource, cardBytes: Int, firstNumber: Int = 1) {
        core = CameraCore(
            identity: identity, card: Card(capacityBytes: cardBytes),
            numbering: FileNumbering(first: firstNumber), source: source)
        switch identity.maker {
        case .generic: body = GenericBody()
        case .canon: body = CanonBody(recording: source.recording)
        case .nikon: body = NikonBody()
        case .sony: body = SonyBody(identity.sonyGeneration, stepMs: Int64(identity.sonyStepMs))
        case .fuji: body = FujifilmBody()
        }
    }

    subscript<Value>(dynamicMember path: KeyPath<CameraCore, Value>) -> Value { core[keyPath: path] }

    subscript<Value>(dynamicMember path: WritableKeyPath<CameraCore, Value>) -> Value {
        get { core[keyPath: path] }
        set { core[keyPath: path] = newValue }
    }

    var isBodyLocked: Bool { body.isLocked }

    /// The destination of new photos: `card`, `host` or `card+host`.
    var captureTarget: String { body.destination.rawValue }

    /// Sets the destination as the camera's menu would.
    ///
    /// - Returns: Whether the camera has a setting for the destination.
    mutating func setCaptureTarget(_ place: String) -> Bool {
        guard let destination = PhotoDestination(rawValue: place), body.destinations.contains(destination)
        else { return false }
        body.destination = destination
        return true
    }

    /// Presses the shutter button on the body.
    ///
    /// - Throws: ``SimulatorError/bodyLocked`` if the client controls the camera and the body's buttons are
    ///   locked.
    @discardableResult
    mutating func pressShutter(at now: WallTime, pair: Bool? = nil) throws(SimulatorError)
        -> [CardObject]
    {
        guard !body.isLocked else { throw .bodyLocked }
        return try shoot(at: now, pair: pair)
    }

    /// Takes a shot: adds its files to the card or memory, and queues the events.
    ///
    /// - Parameters:
    ///   - now: The host's time, in the time zone of the camera's clock.
    ///   - pair: `true` for a raw file and a JPEG, or `nil` for the configured files.
    ///   - isOld: Whether the photo existed before the simulator started. Such a photo is not counted as a
    ///     shot and triggers no fault.
    /// - Returns: The new files.
    /// - Throws: ``SimulatorError/cardFull`` if the files do not fit, or ``SimulatorError/shutterHeld`` if a
    ///   client has just read a photo. In both cases, the camera takes no photo.
    @discardableResult
    mutating func shoot(at now: WallTime, pair: Bool? = nil, isOld: Bool = false)
        throws(SimulatorError) -> [CardObject]
    {
        try body.shoot(on: &core, at: now, pair: pair, isOld: isOld)
    }

    /// Runs a command on the body and returns the reply, without the final line break.
    mutating func run(_ control: BodyControl, at now: WallTime) throws(SimulatorError) -> String {
        try body.run(control, on: &core, at: now)
    }

    mutating func add(_ fault: Fault) {
        core.faults.add(fault, afterRequest: core.statistics.requestCount)
    }

    mutating func clearFaults() { core.faults.removeAll() }

    /// Sets the battery level and notifies the client.
    mutating func setBattery(_ percent: Int) {
        core.battery = UInt8(clamping: min(max(percent, 0), 100))
        core.emit(.propertyChanged(StandardProperty.battery))
    }

    /// Protects a photo as the photographer would, and notifies the client.
    ///
    /// - Returns: Whether the card has a photo with this name.
    mutating func protect(_ name: String) -> Bool {
        guard let object = core.card.files.first(where: { $0.name.string == name }) else { return false }
        core.card.update(object.handle) { $0.isProtected = true }
        core.emit(.objectInfoChanged(object.handle))
        return true
    }

    /// Deletes a photo as the photographer would with the body's buttons, and notifies the client.
    ///
    /// - Returns: Whether the card had a photo with this name.
    mutating func deleteByHand(_ name: String) -> Bool {
        guard let object = core.card.files.first(where: { $0.name.string == name }) else { return false }
        core.deleted.append(TakenPhoto(object: object, folder: core.card.path(of: object)))
        _ = core.card.remove(object.handle)
        core.emit(.objectRemoved(object.handle))
        return true
    }

    /// Formats the card as the photographer would. The client is not notified.
    mutating func format() {
        for file in core.card.files where file.storage != 0 {
            core.deleted.append(TakenPhoto(object: file, folder: core.card.path(of: file)))
        }
        core.card = Card(capacityBytes: core.card.capacityBytes)
        core.numbering.restart(at: 1)
    }

    /// Returns and clears the events since the last call, oldest first.
    mutating func drainEvents() -> [PTPEvent] { Self.drain(&core.outbox) }

    /// Returns and clears the files that were created since the last call.
    mutating func drainNewFiles() -> [TakenPhoto] { Self.drain(&core.newFiles) }

    /// Returns and clears the files that were deleted from the card since the last call.
    mutating func drainDeletedFiles() -> [TakenPhoto] { Self.drain(&core.deleted) }

    private static func drain<Element>(_ list: inout [Element]) -> [Element] {
        defer { list = [] }
        return list
    }

    /// Ends the session after the client's connection has closed. Photos on the card remain.
    mutating func handleLinkClosed() {
        body.endSession(on: &core)
        core.outbox = []
    }

    /// Records that a part of an object has reached the client.
    ///
    /// - Returns: Whether this part completes the object.
    mutating func recordDelivery(_ delivery: ObjectDelivery) -> Bool {
        var isComplete = false
        core.card.update(delivery.handle) {
            let wasFetched = $0.isFetched
            $0.deliveredBytes = max($0.deliveredBytes, delivery.through)
            isComplete = !wasFetched && $0.isFetched
        }
        if isComplete { core.statistics.fetched += 1 }
        if core.card[delivery.handle]?.isFetched == true {
            body.handleDelivery(of: delivery.handle, on: &core)
        }
        return isComplete
    }
}
