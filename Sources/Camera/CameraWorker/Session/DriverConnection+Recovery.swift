import FrameFastModel
import WorkerProtocol

/// Recovery at the start of a connection: restores what an earlier worker left on the camera. The driver may
/// crash while it restores a value, as it may have done before. If two processes died while restoring a
/// value, the worker skips the value until a person has checked the camera.
extension DriverConnection {
    /// Ends an exposure or movie of an earlier worker, and restores the settings that it changed.
    mutating func recoverFromOperation() {
        let changed = backup.changed(for: .operation)
        guard !changed.isEmpty else { return }
        // If the daemon ended the process during an attempt, it would look like a crash.
        process.setRestoreRequired(true)
        defer { process.setRestoreRequired(false) }
        if let kind = changed[Self.runs].flatMap({ CameraOperation.Kind(rawValue: $0) }),
            !backup.isGivenUp(Self.runs, for: .operation)
        {
            // The table is read before the attempt is saved. Reading takes seconds, in which a person may
            // pull the cable.
            let toggles = supportedToggles(kind == .movie ? profile.movie : profile.bulb)
            _ = backup.beginAttempt(Self.runs, for: .operation)
            if let priority = profile.priority { set(priority.setting, to: priority.host) }
            for toggle in toggles {
                for setting in toggle.end { set(setting.setting, to: setting.value) }
            }
            backup.endAttempt(Self.runs, for: .operation)
            guard loss == nil else { return }
            backup.remove(Self.runs, for: .operation)
        }
        restoreSettings(isRecovery: true)
        if let handBack = profile.handBack { _ = attemptRestore(handBack.setting, handBack.value) }
    }

    /// Restores a setting after an earlier worker's operation, unless two workers died while doing so.
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
        liveView.recordStart(nowMs: nowMs())
        finishLiveView()
        for name in names { backup.endAttempt(name, for: .liveView) }
        process.setRestoreRequired(false)
    }

    /// Restores a value that an earlier worker changed for the whole connection, if this connection does not
    /// change the camera's settings.
    mutating func recoverSetting(_ name: String) {
        guard let value = backup[name], backup.beginAttempt(name, for: .session) else { return }
        process.setRestoreRequired(true)
        let isSet = set(name, to: value)
        backup.endAttempt(name, for: .session)
        if isSet { backup.remove(name) }
        process.setRestoreRequired(false)
    }

    /// The settings that the worker has given up, by the driver's names. `bulb` or `movie` for an exposure or
    /// movie that may still run.
    var unrestored: [String] {
        let runs = backup.changed(for: .operation)[Self.runs]
        return backup.givenUp.map { $0.setting == Self.runs ? runs ?? $0.setting : $0.setting }
    }

    /// Forgets the saved values of settings that the worker has given up. A person has set them, or confirms
    /// that the camera is right.
    ///
    /// - Parameter name: The driver's name of the setting, or `nil` for all.
    mutating func confirmSettings(_ name: String? = nil) {
        let confirmed = backup.givenUp.filter { name == nil || $0.setting == name }
        guard !confirmed.isEmpty else { return }
        for (purpose, setting) in confirmed { backup.remove(setting, for: purpose) }
        facts.unrestored = unrestored
        daemon.send(.facts(facts))
    }
}
