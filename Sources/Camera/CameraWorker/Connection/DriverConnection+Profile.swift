import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    // MARK: Start

    /// Identifies the camera's maker and model, and applies the settings of its profile.
    mutating func applyProfile() {
        let maker = value("manufacturer") ?? ""
        let model = value("cameramodel") ?? ""
        backup = SettingsBackup(
            camera: "\(maker) \(model) \(value("serialnumber") ?? "")", crashed: request.crashedWorkers)
        var opened = OpenedCamera(
            maker: maker, vendorExtension: camera.vendorExtension,
            hasGenericCapture: camera.hasGenericCapture == true,
            hasSonyCapture: camera.hasSonyCapture == true, hasOnlyBuiltInMemory: false)
        profile = opened.profile(among: request.profiles)
        // Recovers before the worker reads the storages, because the shutter may be open. The storages affect
        // only one value of the profile: whether the camera's memory must be emptied.
        recoverFromOperation()
        opened.hasOnlyBuiltInMemory = hasOnlyBuiltInMemory()
        profile = opened.profile(among: request.profiles)
        transfer.chunks = ChunkControl(
            history: ChunkSizeHistory(camera: backup.camera),
            most: camera.listsFolderAtOnce ? ChunkSize.eosMost : ChunkSize.most)
        memory.photos = profile.memoryBytes.map { PhotoMemory(bytes: $0) }
        shutter.rest = ShutterRest(
            request.shutterWait, isKnown: profile.refusesShutterWhileRead?.contains(model) == true,
            keepsOnCard: memory.photos == nil && profile.canList)
        if let slow = profile.slowStart, slow.models.contains(model) {
            shutter.releases.pause(until: .now + .milliseconds(slow.pauseMs))
        }
        recoverFromLiveView()
        setTarget()
        if let priority = profile.priority { set(priority.setting, to: priority.body) }
    }

    /// Returns whether the camera has storages, and all of them are built-in memory. Returns `false` if the
    /// storages can't be read.
    private mutating func hasOnlyBuiltInMemory() -> Bool {
        guard loss == nil else { return false }
        do throws(CameraError) {
            let storages = try camera.storages()
            return !storages.isEmpty && storages.allSatisfy(\.isBuiltInMemory)
        } catch {
            classify(error, during: "profile")
            return false
        }
    }

    /// Sets where the camera saves photos. Saves the camera's original value first.
    private mutating func setTarget() {
        guard let target = profile.target else { return }
        switch target.settingStore {
        case .driver:
            guard request.captureTarget != .leave else { return }
            let wanted: CaptureTarget = request.captureTarget == .host ? .host : .card
            if let setting = target.setting, let value = target.driverValues?[wanted] {
                set(setting, to: value)
            }
            driverTarget = wanted
        case .camera:
            guard let setting = target.setting, let now = value(setting) else { return }
            if request.captureTarget == .leave {
                // The camera may still have the target that a crashed worker set.
                return recoverSetting(setting)
            }
            let wanted = target.driverValues?[request.captureTarget] ?? target.driverValues?[.card]
            guard let wanted, wanted != now else { return }
            if backup[setting] == nil { backup.save(setting, now) }
            set(setting, to: wanted)
        }
    }

    /// Returns the camera's current target for photos, as a `CaptureTarget` value or the driver's own text.
    mutating func currentTarget() -> String? {
        guard let target = profile.target else {
            return profile.memoryBytes == nil ? nil : CaptureTarget.host.rawValue
        }
        guard target.settingStore == .camera else { return driverTarget?.rawValue }
        return target.setting.flatMap { value($0) }.map { target.readings?[$0]?.rawValue ?? $0 }
    }

    // MARK: End

    /// Restores the camera's own settings. After a crash or an unplugged cable, the next connection restores
    /// them.
    mutating func restoreSessionSettings() {
        enableDials()
        guard loss == nil, !backup.changed().isEmpty else { return }
        // While the dials control the camera, their positions may override the restored values.
        if let priority = profile.priority { set(priority.setting, to: priority.host) }
        let saved = backup
        for (name, value) in saved.changed() {
            guard backup.beginAttempt(name, for: .session, countsKills: false) else { continue }
            let isSet = set(name, to: value)
            backup.endAttempt(name, for: .session)
            if isSet { backup.remove(name) }
        }
        if let priority = profile.priority { set(priority.setting, to: priority.body) }
    }

    /// Changes a driver setting. Logs a failure.
    @discardableResult
    mutating func set(_ name: String, to value: String, isListed: Bool = true) -> Bool {
        guard loss == nil else { return false }
        do throws(CameraError) {
            try camera.setConfig(name, to: value, isListed: isListed)
            if let key = settings.table?.key(of: name) {
                settings.table?.recordSent(key, at: .now, readsAgain: true)
            }
            return true
        } catch {
            classify(error, during: "profile")
            Log.line("cannot set \(name) to \(value): \(error.text)")
            return false
        }
    }
}
