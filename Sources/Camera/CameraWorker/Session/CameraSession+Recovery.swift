import FrameFastModel
import WorkerProtocol

/// What an earlier worker left on the camera is set back at the beginning of a session. The driver may crash by that, as it may
/// have before: a value in whose attempts two processes died is left alone until a person has looked at the camera.
extension CameraSession {
    /// What an earlier worker held open is closed first, and what it changed is set back.
    mutating func recoverFromOperation() {
        let changed = settings.changed(for: .operation)
        guard !changed.isEmpty else { return }
        // An attempt that is cut off by the daemon's end would look like a crash.
        process.mustEndInOrder(true)
        defer { process.mustEndInOrder(false) }
        if let kind = changed[Self.runs].flatMap({ CameraOperation.Kind(rawValue: $0) }),
            !settings.isGivenUp(Self.runs, for: .operation)
        {
            // The table is read first: that takes seconds, in which a person may pull the cable.
            let toggles = known(kind == .movie ? habits.movie : habits.bulb)
            _ = settings.beginAttempt(Self.runs, for: .operation)
            if let priority = habits.priority { set(priority.setting, to: priority.host) }
            for toggle in toggles {
                for setting in toggle.end { set(setting.setting, to: setting.value) }
            }
            settings.endAttempt(Self.runs, for: .operation)
            guard loss == nil else { return }
            settings.forget(Self.runs, for: .operation)
        }
        setBack(isRecovery: true)
        if let handBack = habits.handBack { _ = attempt(handBack.setting, handBack.value) }
    }

    /// Sets a setting after an earlier worker's operation, unless two workers died doing that.
    ///
    /// - Returns: Whether the camera has the value.
    mutating func attempt(_ name: String, _ value: String, isListed: Bool = true) -> Bool {
        guard settings.beginAttempt(name, for: .operation) else { return false }
        let isSet = set(name, to: value, isListed: isListed)
        settings.endAttempt(name, for: .operation)
        return isSet
    }

    /// What an earlier worker could not set back after live view.
    mutating func recoverFromLiveView() {
        var names: [String] = []
        for name in settings.changed(for: .liveView).keys.sorted() {
            if settings.beginAttempt(name, for: .liveView) { names.append(name) }
        }
        guard !names.isEmpty else { return }
        process.mustEndInOrder(true)
        liveView.began(nowMs: nowMs())
        finishLiveView()
        for name in names { settings.endAttempt(name, for: .liveView) }
        process.mustEndInOrder(false)
    }

    /// Sets back a value that was changed for the whole session, where the settings of the camera are left alone now.
    mutating func recoverSetting(_ name: String) {
        guard let value = settings[name], settings.beginAttempt(name, for: .session) else { return }
        process.mustEndInOrder(true)
        let isSet = set(name, to: value)
        settings.endAttempt(name, for: .session)
        if isSet { settings.forget(name) }
        process.mustEndInOrder(false)
    }

    /// The settings that are given up, by the driver's names; `bulb` or `movie` for what may still run.
    var unrestored: [String] {
        let runs = settings.changed(for: .operation)[Self.runs]
        return settings.givenUp.map { $0.setting == Self.runs ? runs ?? $0.setting : $0.setting }
    }

    /// Forgets values that are given up: a person has set them, or confirms that the camera is right.
    ///
    /// - Parameter name: The driver's name of the setting; `nil` for all.
    mutating func confirmSettings(_ name: String? = nil) {
        let confirmed = settings.givenUp.filter { name == nil || $0.setting == name }
        guard !confirmed.isEmpty else { return }
        for (purpose, setting) in confirmed { settings.forget(setting, for: purpose) }
        facts.unrestored = unrestored
        daemon.send(.facts(facts))
    }
}
