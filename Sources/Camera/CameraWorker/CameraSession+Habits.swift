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
        habits = MakerHabits.of(
            OpenedCamera(
                maker: maker, vendorExtension: camera.vendorExtension,
                hasGenericCapture: camera.hasGenericCapture, hasSonyCapture: camera.hasSonyCapture,
                hasOnlyBuiltInMemory: !storages.isEmpty && storages.allSatisfy(\.isBuiltInMemory)))
        let model = value("cameramodel") ?? ""
        settings = SettingsMemory(camera: "\(maker) \(model) \(value("serialnumber") ?? "")")
        memory = habits.memoryBytes.map { PhotoMemory(bytes: $0) }
        if habits.slowStarters.contains(model) { readyMs = nowMs() + MakerHabits.slowStartMs }
        setTarget()
        if let priority = habits.priority { set(priority.name, to: priority.body) }
    }

    /// Puts photos where they are wanted, and notes what the camera had.
    private mutating func setTarget() {
        switch habits.target {
        case nil: break
        case .inDriver(let widget):
            guard request.captureTarget != .leave else { return }
            let isHost = request.captureTarget == .host
            if let widget { set(widget, to: isHost ? "Internal RAM" : "Memory card") }
            driverTarget = isHost ? .host : .card
        case .inCamera(let widget):
            guard let now = value(widget.name) else { return }
            let wanted: String?
            if request.captureTarget == .leave {
                // Left over from a session that ended in a crash.
                wanted = settings[widget.name]
                if let wanted, set(widget.name, to: wanted) { settings.forget(widget.name) }
                return
            } else {
                wanted = widget.words[request.captureTarget] ?? widget.words[.card]
            }
            guard let wanted, wanted != now else { return }
            if settings[widget.name] == nil { settings.remember(widget.name, now) }
            set(widget.name, to: wanted)
        }
    }

    /// Where photos go now, in our words.
    mutating func currentTarget() -> String? {
        switch habits.target {
        case nil: return habits.memoryBytes == nil ? nil : CaptureTarget.host.rawValue
        case .inDriver: return driverTarget?.rawValue
        case .inCamera(let widget):
            return value(widget.name).map { widget.readings[$0]?.rawValue ?? $0 }
        }
    }

    // MARK: At the end

    /// Gives the camera its own settings back. After a crash or a pulled cable the next session does it.
    mutating func giveBack() {
        guard loss == nil, !settings.changed.isEmpty else { return }
        // What the body's dials stand for may go before our settings otherwise.
        if let priority = habits.priority { set(priority.name, to: priority.host) }
        for (name, value) in settings.changed where set(name, to: value) { settings.forget(name) }
        if let priority = habits.priority { set(priority.name, to: priority.body) }
    }

    @discardableResult
    private mutating func set(_ name: String, to value: String) -> Bool {
        guard loss == nil else { return false }
        do throws(CameraError) {
            try camera.setConfig(name, to: value)
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
        pace.noteActivity(nowMs: nowMs())
        guard habits.mayTrigger else {
            return daemon.send(
                .failed(
                    id: id,
                    WorkerFailure(
                        kind: .unsupported, during: "trigger",
                        text: "the camera cannot be released in the USB mode that it is in")))
        }
        guard nowMs() >= readyMs else { return waitingTriggers.append(id) }
        if habits.losesEventsAtRelease { takeEvents() }
        do throws(CameraError) {
            try release()
            daemon.send(.done(id: id))
            if habits.losesEventsAtRelease { daemon.send(.listChanged(reason: "the shutter was released")) }
        } catch {
            daemon.send(.failed(id: id, judge(error, during: "trigger")))
        }
        if let handBack = habits.handBack { set(handBack.name, to: handBack.value) }
        pace.noteActivity(nowMs: nowMs())
    }

    private mutating func release() throws(CameraError) {
        guard let priority = habits.priority else { return try camera.trigger() }
        if !needsCommand, priority.forRelease == .whenRefused {
            do throws(CameraError) { return try camera.trigger() } catch {
                guard error.kind == .refused || error.kind == .unsupported, !camera.awaitsResponse else {
                    throw error
                }
                needsCommand = true
            }
        }
        set(priority.name, to: priority.host)
        defer { set(priority.name, to: priority.body) }
        try camera.trigger()
    }

    /// Releases that came before the camera was ready for them.
    mutating func triggerWaiting() {
        guard !waitingTriggers.isEmpty, nowMs() >= readyMs else { return }
        let due = waitingTriggers
        waitingTriggers = []
        for id in due where loss == nil { trigger(id) }
    }
}
