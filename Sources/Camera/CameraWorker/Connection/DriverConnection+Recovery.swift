import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

/// Recovery at the start of a connection: restores settings that an earlier worker changed and did not
/// restore. The driver may crash while it restores a value. After one crash, the worker skips that value
/// until a person has checked the camera. The worker also skips a value if two earlier workers were killed or
/// exited while they restored the value.
extension DriverConnection {
    /// The maximum time for which the worker retries to end an earlier exposure while the camera is busy.
    private static let endTimeMax = Duration.seconds(10)
    /// The pause between two tries to end an earlier exposure.
    private static let endPause = Duration.milliseconds(50)

    /// Ends an exposure or movie of an earlier worker, and restores the settings changed for it.
    mutating func recoverFromOperation() {
        let changed = backup.changed(for: .operation)
        guard !changed.isEmpty else { return }
        // If the daemon exits during an attempt, this process completes the attempt before it exits.
        // Otherwise, the next worker would treat the end of this process as a crash.
        process.setRestoreRequired(true)
        defer { process.setRestoreRequired(false) }
        if let saved = changed[Self.runningKey].flatMap({ SavedOperation($0) }),
            !backup.isGivenUp(Self.runningKey, for: .operation)
        {
            endSavedOperation(saved)
            guard loss == nil else { return }
        }
        restoreSettings(isRecovery: true)
        if let handBack = profile.handBack { _ = attemptRestore(handBack.setting, handBack.value) }
    }

    /// Ends an exposure or movie of an earlier worker. First tries the method that the earlier worker used:
    /// the shutter may be open, and selecting the other methods takes several requests. Some cameras accept
    /// only another method in a new connection (gphoto2 issue 261).
    ///
    /// While the camera is busy, the worker retries. If the camera stays busy, the next connection tries
    /// again.
    private mutating func endSavedOperation(_ saved: SavedOperation) {
        defer { backup.endAttempt(Self.runningKey, for: .operation) }
        let isNetwork = camera.sockets.isNetwork
        let used = saved.method(in: profile, isNetwork: isNetwork)
        var isAccepted = false
        var busy: [CameraProfile.Toggle] = []
        if let used { (isAccepted, busy) = attemptEnd(with: [used]) }
        guard loss == nil else { return }
        let others = supportedToggles(saved.methods(in: profile)).filter { $0 != used }
        if !others.isEmpty, loss == nil {
            let busyOthers = attemptEnd(with: others).busy
            if !isAccepted { busy += busyOthers }
        }
        if saved.kind != .bulb { busy = [] }
        let limit = Instant.now + Self.endTimeMax
        while !busy.isEmpty, loss == nil, Instant.now < limit {
            poll(nil, 0, Self.endPause.pollTimeout)
            busy = attemptEnd(with: busy).busy
        }
        guard loss == nil, busy.isEmpty else { return }
        backup.remove(Self.runningKey, for: .operation)
    }

    /// Ends an exposure or movie of an earlier worker: writes the end settings of each method. If this
    /// process is killed before the settings are written, the attempt counts as failed. A later kill does not
    /// count, because its cause may be an unplugged cable.
    ///
    /// - Returns: Whether the camera accepted a method, and the methods for which it was busy.
    private mutating func attemptEnd(
        with methods: [CameraProfile.Toggle]
    ) -> (isAccepted: Bool, busy: [CameraProfile.Toggle]) {
        _ = backup.beginAttempt(Self.runningKey, for: .operation)
        if let priority = profile.priority { set(priority.setting, to: priority.host) }
        var isAccepted = false
        var busy: [CameraProfile.Toggle] = []
        for method in methods where loss == nil {
            guard let refusal = writeEnd(of: method) else {
                isAccepted = true
                continue
            }
            if refusal.kind == .busy { busy.append(method) }
            // The shutter button may be half pressed.
            for setting in method.end.dropFirst() { set(setting.setting, to: setting.value) }
        }
        _ = backup.beginAttempt(Self.runningKey, for: .operation, countsKills: false)
        return (isAccepted, busy)
    }

    /// Restores one setting of an earlier worker's operation. Skips the setting if the driver crashed, or two
    /// workers died, while restoring it.
    mutating func attemptRestore(_ name: String, _ value: String, isListed: Bool = true) -> Bool {
        guard backup.beginAttempt(name, for: .operation) else { return false }
        let isSet = set(name, to: value, isListed: isListed)
        backup.endAttempt(name, for: .operation)
        return isSet
    }

    /// Restores the settings that an earlier worker could not restore after live view.
    mutating func recoverFromLiveView() {
        var names: [String] = []
        for name in backup.changed(for: .liveView).keys.sorted() {
            if backup.beginAttempt(name, for: .liveView) { names.append(name) }
        }
        guard !names.isEmpty else { return }
        process.setRestoreRequired(true)
        liveView.recordStart(at: .now)
        finishLiveView()
        for name in names { backup.endAttempt(name, for: .liveView) }
        process.setRestoreRequired(false)
    }

    /// Restores a setting that an earlier worker changed for its connection. Called only if this connection
    /// leaves the setting unchanged.
    mutating func recoverSetting(_ name: String) {
        guard let value = backup[name], backup.beginAttempt(name, for: .session) else { return }
        process.setRestoreRequired(true)
        let isSet = set(name, to: value)
        backup.endAttempt(name, for: .session)
        if isSet { backup.remove(name) }
        process.setRestoreRequired(false)
    }

    /// The names of the settings that the worker has stopped restoring or changing automatically. For an
    /// exposure or movie that may still run, the entry is `bulb` or `movie`.
    var unrestored: [String] {
        let saved = backup.changed(for: .operation)[Self.runningKey].flatMap { SavedOperation($0) }
        return backup.givenUp.map { _, setting in
            setting == Self.runningKey ? saved?.kind.rawValue ?? setting : setting
        }
    }

    /// Whether a bulb exposure of this or an earlier worker may have left the shutter open. `false` while an
    /// operation runs.
    var isShutterLeftOpen: Bool {
        guard operation == nil, let saved = backup.changed(for: .operation)[Self.runningKey] else {
            return false
        }
        return SavedOperation(saved)?.kind == .bulb
    }

    /// Reports to the daemon whether the shutter may be open, after an operation has ended.
    mutating func reportShutter() {
        guard facts.isShutterOpen != isShutterLeftOpen else { return }
        facts.isShutterOpen = isShutterLeftOpen
        daemon.send(.facts(facts))
    }

    /// Discards the saved values of settings that the worker has stopped trying to restore. Called when a
    /// person has set these settings, or has confirmed that the camera's settings are correct.
    ///
    /// - Parameters:
    ///   - name: The driver's name of the setting, or `nil` for all settings.
    ///   - key: FrameFast's key of the setting. Automatic changes are saved under this key.
    mutating func confirmSettings(_ name: String? = nil, key: CameraSettingKey? = nil) {
        let confirmed = backup.givenUp.filter { purpose, setting in
            name == nil || setting == name || (purpose == .automatic && setting == key?.rawValue)
        }
        guard !confirmed.isEmpty else { return }
        for (purpose, setting) in confirmed { backup.remove(setting, for: purpose) }
        facts.unrestored = unrestored
        facts.isShutterOpen = isShutterLeftOpen
        daemon.send(.facts(facts))
    }
}
