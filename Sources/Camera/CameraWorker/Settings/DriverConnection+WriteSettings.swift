import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// The maximum time that an EOS takes to confirm an accepted value, and the interval at which the worker
    /// polls for the confirmation.
    private static let eosReport = Duration.milliseconds(1_000)
    private static let eosPoll = Duration.milliseconds(100)
    /// The maximum time that a Sony takes to report an accepted value, and the interval at which the worker
    /// polls for the report. Focus modes take the longest.
    private static let sonyReport = Duration.milliseconds(3_000)
    private static let sonyPoll = Duration.milliseconds(200)

    /// Performs the next step of the first queued request to change settings.
    mutating func writeNext() {
        if settings.writings[0].attempt == nil { pollEvents() }
        guard loss == nil, !photosGoFirst() else { return failWritingsWhenLost() }
        if let name = settings.writings[0].automaticName {
            if backup.beginAttempt(name, for: .automatic) {
                performWritingStep()
                backup.endAttempt(name, for: .automatic)
            } else {
                settings.writings[0].finishChange(.skipped, reason: SettingReasons.crashed)
            }
        } else {
            performWritingStep()
        }
        if loss == nil {
            settings.writings[0].photoPriorityEnd = .now + SettingsWriting.photoPriority
            if settings.writings[0].change == nil { endWriting() }
        }
        failWritingsWhenLost()
    }

    private mutating func performWritingStep() {
        do throws(CameraError) {
            if let attempt = settings.writings[0].attempt {
                if attempt.sent == nil { try sendSetting(attempt) } else { try confirmSetting(attempt) }
            } else if let change = settings.writings[0].change {
                try beginChange(change)
            }
        } catch { settingFailed(error) }
    }

    /// Returns whether a photo must be fetched before the next step.
    private mutating func photosGoFirst() -> Bool {
        let now = Instant.now
        let (hasShot, shutterDelay) = (queue.hasShot, shutter.rest.delay(at: now))
        let lastAnnouncement = shared.lastAnnouncement
        return settings.writings[0].postponeForPhotos(
            hasShot: hasShot, shutterDelay: shutterDelay, lastAnnouncement: lastAnnouncement, at: now)
    }

    private mutating func failWritingsWhenLost() {
        guard let loss else { return }
        for id in settings.writings.compactMap(\.id) { daemon.send(.failed(id: id, loss)) }
        settings.writings = []
    }

    // MARK: Steps

    /// Reads the setting and chooses the value to send.
    private mutating func beginChange(_ change: CameraSettingChange) throws(CameraError) {
        let table = try settingsTable()
        let name =
            change.key.map { table.names[$0] } ?? (table.known.contains(change.name) ? change.name : nil)
        guard let name else {
            return settings.writings[0].finishChange(.unsupported, reason: SettingReasons.unknownName)
        }
        let now = try setting(change.key, name)
        let choice = SettingChoice.choose(
            change, now: now, profile: table.settingProfile(of: change.key), mode: settings.table?.mode,
            takesNearest: settings.writings[0].command.takesNearest)
        let settlingEnd = settings.table?.settlingEnd ?? .start
        switch choice {
        case .unchanged(let isNearest):
            if settings.writings[0].confirmsChoice(.unchanged) { confirmSettings(name, key: change.key) }
            settings.writings[0].finishChange(
                .unchanged, now: now, reason: isNearest ? SettingReasons.nearest : nil)
        case .rejected(.readOnly, _) where Instant.now < settlingEnd:
            // The setting may have been read-only in the old mode. Read it again.
            settings.writings[0].due = settlingEnd
        case .rejected(let outcome, let reason):
            settings.writings[0].finishChange(outcome, now: now, reason: reason)
        case .send where settings.writings[0].command.isTrial:
            settings.writings[0].finishChange(.trial, now: now)
        case .send(let word, let value, let isNearest):
            settings.writings[0].attempt = SettingsWriting.Attempt(
                before: now, word: word, value: value, isNearest: isNearest)
        }
    }

    private mutating func sendSetting(_ attempt: SettingsWriting.Attempt) throws(CameraError) {
        if let priority = profile.priority, !settings.writings[0].hasControl {
            settings.writings[0].hasControl = set(priority.setting, to: priority.host)
        }
        let setting = settings.table?.settingProfile(of: attempt.before.key)
        if let needs = setting?.needs, !settings.hasDisabledDials { disableDials(needs) }
        guard loss == nil else { return }
        let word =
            setting?.step(from: attempt.now, to: attempt.word, among: attempt.before.choices.map(\.word))
            ?? attempt.word
        // A photo must not interrupt a change that an operation requested, because the operation's next photo
        // would be late. While the store is full, the worker reads no photo.
        let endsForPhoto = attempt.endsForPhoto && settings.writings[0].id != nil && !photoStore.isFull
        // If the client uses the driver's own name for a setting, the driver may not list the value.
        let isComplete = try camera.setConfig(
            attempt.before.name, to: word, isListed: attempt.before.key != nil, endsForPhoto: endsForPhoto)
        let key = attempt.before.key ?? settings.table?.key(of: attempt.before.name)
        if let key { settings.table?.recordSent(key, at: .now, readsAgain: attempt.before.key == nil) }
        // Discards reports that the camera sent before it received this value.
        recordChangedSettings()
        settings.writings[0].attempt?.reported = []
        settings.writings[0].attempt?.isReportRequested = false
        settings.writings[0].attempt?.sent = (word, Instant.now)
        if !isComplete {
            settings.writings[0].attempt?.interruption = SettingsWriting.Attempt.Interruption(since: .now)
        }
    }

    private mutating func confirmSetting(_ attempt: SettingsWriting.Attempt) throws(CameraError) {
        guard let sent = attempt.sent else { return }
        let age = Instant.now - sent.at
        switch profile.confirmation ?? .reading {
        case .reading: try concludeSetting(attempt, sent.word)
        case .later:
            pollEvents()
            guard loss == nil else { return }
            let now = try setting(attempt.before.key, attempt.before.name)
            if now.word == sent.word || attempt.isReached(now) {
                concludeSetting(attempt, sent.word, now)
            } else if attempt.interruption != nil {
                if settings.writings[0].attempt?.continueChange(from: now.word, at: .now) != true {
                    settings.writings[0].due = .now + Self.sonyPoll
                }
            } else if age >= Self.sonyReport {
                concludeSetting(attempt, sent.word, now)
            } else {
                settings.writings[0].due = .now + Self.sonyPoll
            }
        case .event:
            let codes = settings.table?.codes(of: attempt.before.key) ?? []
            if !attempt.isReportRequested {
                settings.writings[0].attempt?.isReportRequested = true
                if let code = settings.table?.code(of: attempt.before) { try camera.requestReport(of: code) }
            }
            let now = try setting(attempt.before.key, attempt.before.name)
            let reported = settings.writings[0].attempt?.reported ?? []
            // If the client uses the driver's own name for a setting, the property code is unknown. The
            // worker then treats any report as confirmation.
            if codes.isEmpty ? !reported.isEmpty : !reported.isDisjoint(with: codes) {
                concludeSetting(attempt, sent.word, now)
            } else if age < Self.eosReport {
                settings.writings[0].due = .now + Self.eosPoll
            } else {
                settings.writings[0].finishChange(.unconfirmed, reason: SettingReasons.unconfirmed)
            }
        }
    }

    private mutating func concludeSetting(
        _ attempt: SettingsWriting.Attempt, _ sent: String
    ) throws(CameraError) {
        concludeSetting(attempt, sent, try setting(attempt.before.key, attempt.before.name))
    }

    /// Continues with the next intermediate value, or finishes the change.
    private mutating func concludeSetting(
        _ attempt: SettingsWriting.Attempt, _ sent: String, _ now: CameraSetting
    ) {
        if now.word == sent, sent != attempt.word {
            settings.writings[0].attempt?.prepareCall(from: sent)
            return
        }
        let (outcome, reason) = attempt.outcome(now)
        if settings.writings[0].confirmsChoice(outcome) {
            confirmSettings(attempt.before.name, key: attempt.before.key)
        }
        settings.writings[0].finishChange(outcome, now: now, reason: reason)
        guard attempt.before.key == .mode else { return }
        if outcome != .set { return enableDials() }
        // After a mode change, the driver returns cached values of the old mode for some time.
        if !camera.cachesSettings, !camera.pollsRefreshSettings {
            settings.writings[0].due = settings.lastRead + CameraHandle.settingsCache
        }
    }

    /// Handles a failed step. Retries if the camera is busy.
    private mutating func settingFailed(_ error: CameraError) {
        classify(error, during: "settings")
        guard loss == nil else { return }
        let now = settings.writings[0].attempt?.before
        let outcome = SettingsWriting.outcome(of: error)
        if outcome == .busy, settings.writings[0].retryBusy(at: .now) { return }
        let reason: String? =
            switch outcome {
            case .busy: SettingReasons.busy
            case .readOnly: now.map { SettingReasons.readOnly($0, mode: settings.table?.mode) }
            default: SettingReasons.refused(error)
            }
        settings.writings[0].finishChange(outcome, now: now, reason: reason)
        if now?.key == .mode { enableDials() }
    }

    private mutating func endWriting() {
        let writing = settings.writings.removeFirst()
        for result in writing.allResults where [.set, .adjusted, .ignored].contains(result.outcome) {
            if let key = result.change.key { settings.table?.recordCompleted(key) }
        }
        publishSettings()
        if writing.hasControl, let priority = profile.priority { set(priority.setting, to: priority.body) }
        guard let id = writing.id else { return handleSettingResults(writing.allResults) }
        daemon.send(.settingResults(id: id, writing.allResults))
    }

    /// Disables the camera's dials until the end of the connection, or until a change of the mode fails. If
    /// this connection can't enable the dials again, the next connection enables them.
    private mutating func disableDials(_ needs: CameraProfile.Setting) {
        if let handBack = profile.handBack { backup.save(handBack.setting, handBack.value) }
        settings.hasDisabledDials = set(needs.setting, to: needs.value)
    }

    /// Enables the camera's dials again.
    mutating func enableDials() {
        guard settings.hasDisabledDials, let handBack = profile.handBack else { return }
        guard set(handBack.setting, to: handBack.value) else { return }
        settings.hasDisabledDials = false
        backup.remove(handBack.setting)
    }
}
