import FrameFastModel
import GPhoto2
import WorkerProtocol

extension CameraSession {
    // MARK: At the start

    /// Learns whose camera it is, and sets what has to be set for it.
    mutating func adoptHabits() {
        let maker = value("manufacturer") ?? ""
        var storages: [StorageFacts] = []
        do throws(CameraError) { storages = try camera.storages() } catch { judge(error, during: "habits") }
        let opened = OpenedCamera(
            maker: maker, vendorExtension: camera.vendorExtension,
            hasGenericCapture: camera.hasGenericCapture == true,
            hasSonyCapture: camera.hasSonyCapture == true,
            hasOnlyBuiltInMemory: !storages.isEmpty && storages.allSatisfy(\.isBuiltInMemory))
        habits = opened.habits(among: request.habits)
        let model = value("cameramodel") ?? ""
        settings = SettingsMemory(camera: "\(maker) \(model) \(value("serialnumber") ?? "")")
        pieces = PieceControl(
            memory: PieceMemory(camera: settings.camera),
            most: camera.listsFolderAtOnce ? PieceSize.eosMost : PieceSize.most)
        memory = habits.memoryBytes.map { PhotoMemory(bytes: $0) }
        shutterRest = ShutterRest(
            request.shutterWait, isKnown: habits.refusesShutterWhileRead?.contains(model) == true,
            keepsOnCard: memory == nil && habits.canList)
        if let slow = habits.slowStart, slow.models.contains(model) {
            releases.wait(untilMs: nowMs() + slow.pauseMs)
        }
        recoverFromOperation()
        recoverFromLiveView()
        setTarget()
        if let priority = habits.priority { set(priority.setting, to: priority.body) }
    }

    /// Puts photos where they are wanted, and notes what the camera had.
    private mutating func setTarget() {
        guard let target = habits.target else { return }
        switch target.keeper {
        case .driver:
            guard request.captureTarget != .leave else { return }
            let wanted: CaptureTarget = request.captureTarget == .host ? .host : .card
            if let setting = target.setting, let word = target.words?[wanted] { set(setting, to: word) }
            driverTarget = wanted
        case .camera:
            guard let setting = target.setting, let now = value(setting) else { return }
            if request.captureTarget == .leave {
                // Left over from a session that ended in a crash.
                return recoverSetting(setting)
            }
            let wanted = target.words?[request.captureTarget] ?? target.words?[.card]
            guard let wanted, wanted != now else { return }
            if settings[setting] == nil { settings.remember(setting, now) }
            set(setting, to: wanted)
        }
    }

    /// Where photos go now, in our words.
    mutating func currentTarget() -> String? {
        guard let target = habits.target else {
            return habits.memoryBytes == nil ? nil : CaptureTarget.host.rawValue
        }
        guard target.keeper == .camera else { return driverTarget?.rawValue }
        return target.setting.flatMap { value($0) }.map { target.readings?[$0]?.rawValue ?? $0 }
    }

    // MARK: At the end

    /// Gives the camera its own settings back. After a crash or a pulled cable the next session does it.
    mutating func giveBack() {
        letBodyGo()
        guard loss == nil, !settings.changed().isEmpty else { return }
        // What the body's dials stand for may go before our settings otherwise.
        if let priority = habits.priority { set(priority.setting, to: priority.host) }
        let memory = settings
        for (name, value) in memory.changed() where !memory.isGivenUp(name, for: .session) {
            if set(name, to: value) { settings.forget(name) }
        }
        if let priority = habits.priority { set(priority.setting, to: priority.body) }
    }

    /// Sets a setting of the driver's; what went wrong is in the log.
    @discardableResult
    mutating func set(_ name: String, to value: String, isListed: Bool = true) -> Bool {
        guard loss == nil else { return false }
        do throws(CameraError) {
            try camera.setConfig(name, to: value, isListed: isListed)
            if let key = table?.key(of: name) { table?.sent(key, nowMs: nowMs(), readsAgain: true) }
            return true
        } catch {
            judge(error, during: "habits")
            Log.line("cannot set \(name) to \(value): \(error.text)")
            return false
        }
    }

    // MARK: The shutter

    /// Releases the shutter; the photo comes as an event.
    mutating func trigger(_ id: UInt64) {
        if operation != nil { return occupied(id) }
        noteActivity()
        guard habits.mayTrigger else {
            return daemon.send(
                .failed(
                    id: id,
                    WorkerFailure(
                        kind: .unsupported, during: "trigger",
                        text: "the camera cannot be released in the USB mode that it is in")))
        }
        guard releases.ordered(id, nowMs: nowMs()) else { return }
        // The driver's release does not end an open capture, and the camera takes none beside it.
        if camera.previewWay == .openCapture { endLiveView() }
        liveView.hold(nowMs: nowMs())
        if habits.losesEventsAtRelease == true { takeEvents(isAll: true) }
        let beganMs = nowMs()
        do throws(CameraError) {
            try release()
            releases.ended(id)
            daemon.send(.done(id: id))
            if habits.losesEventsAtRelease == true {
                daemon.send(.listChanged(reason: "the shutter was released"))
            }
        } catch {
            let failure = judge(error, during: "trigger")
            let isTriedAgain =
                loss == nil && error.kind == .busy
                && (wasRefusedForReading(error, beganMs: beganMs) || releases.isTriedAgain(id))
                && releases.again(id, nowMs: nowMs())
            if !isTriedAgain {
                releases.ended(id)
                daemon.send(.failed(id: id, failure))
            }
        }
        if !liveView.isOn, !holdsBody, let handBack = habits.handBack {
            set(handBack.setting, to: handBack.value)
        }
        noteActivity()
    }

    /// Releases the shutter; what a refusal leaves half done is undone.
    mutating func release() throws(CameraError) {
        do throws(CameraError) {
            try releaseWithCommand()
            if !habits.canList { awaited.released(nowMs: nowMs()) }
        } catch {
            if let undo = habits.afterRefusedRelease, !camera.awaitsResponse {
                set(undo.setting, to: undo.value)
            }
            throw error
        }
    }

    /// Whether the shutter was refused because a photo was being read: from then on photos wait for it.
    @discardableResult
    mutating func wasRefusedForReading(_ error: CameraError, beganMs: UInt64) -> Bool {
        let wasKept = shutterRest.isKept
        guard error.kind == .busy, shutterRest.refused(beganMs: beganMs, nowMs: nowMs()) else { return false }
        if !wasKept { Log.line("it refuses its shutter while it is read: from now on photos wait for that") }
        return true
    }

    private mutating func releaseWithCommand() throws(CameraError) {
        guard let priority = habits.priority else { return try camera.trigger() }
        if !releases.needsCommand, priority.forRelease == .whenRefused {
            do throws(CameraError) { return try camera.trigger() } catch {
                guard error.kind == .refused || error.kind == .unsupported, !camera.awaitsResponse else {
                    throw error
                }
                releases.needsCommand = true
            }
        }
        set(priority.setting, to: priority.host)
        defer { set(priority.setting, to: priority.body) }
        try camera.trigger()
    }

    /// Releases that came before the camera was ready for them.
    mutating func triggerWaiting() {
        for id in releases.due(nowMs: nowMs()) where loss == nil { trigger(id) }
    }
}
