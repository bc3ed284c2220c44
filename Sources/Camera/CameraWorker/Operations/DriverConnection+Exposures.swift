import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    // MARK: Bulb and movie

    mutating func beginBulb(_ command: BulbCommand) throws(WorkerFailure) {
        guard let toggle = supportedToggles(profile.bulb).first else { throw .cannot(.bulb) }
        let isBulb: Bool
        do throws(CameraError) { isBulb = try setShutterToBulb() } catch {
            classify(error, during: "bulb")
            throw loss ?? WorkerFailure(kind: .refused, during: "bulb", text: OperationReasons.needsBulb)
        }
        guard isBulb else {
            throw WorkerFailure(kind: .unsupported, during: "bulb", text: OperationReasons.noShutterSpeed)
        }
        let refusal: String?
        do throws(WorkerFailure) {
            refusal = try startToggle(
                toggle, for: .bulb, endsAt: .now + .milliseconds(command.durationMs))
        } catch {
            // The driver disables a Nikon's dials before it opens the shutter (_put_Nikon_Bulb).
            handBackControl()
            throw error
        }
        let now = BootClock.nowNs
        if let refusal {
            operation = RunningOperation.refusedExposure(
                command, toggle: toggle, reason: refusal, nowNs: now)
            return
        }
        let untilNs = now + UInt64(command.durationMs) * 1_000_000
        operation = RunningOperation(
            command: .bulb(command), step: .open(untilNs: untilNs), beganNs: now,
            dueNs: min(untilNs, now + Self.secondNs), toggle: toggle)
    }

    /// Sets the shutter speed to bulb. Does nothing if the mode dial or the shutter speed is already at bulb.
    ///
    /// - Returns: `false` if the driver has no setting for the camera's shutter speed. Pressing the shutter
    ///   button could then take a photo with another exposure time. The driver's bulb method for a Nikon sets
    ///   the shutter speed itself, but fails for a camera without this setting (_put_Nikon_Bulb).
    /// - Throws: An error if the camera does not offer bulb or refuses the change.
    private mutating func setShutterToBulb() throws(CameraError) -> Bool {
        let bulb = "bulb"
        let table = try settingsTable()
        if let name = table.names[.mode], try setting(.mode, name).value?.text == bulb { return true }
        guard let name = table.names[.shutter] else { return false }
        let now = try setting(.shutter, name)
        guard now.value?.text != bulb else { return true }
        let word = now.choices.first { $0.value?.text == bulb }?.word ?? bulb
        backup.save(name, now.word, for: .operation)
        if let priority = profile.priority { set(priority.setting, to: priority.host) }
        try camera.setConfig(name, to: word, isListed: !now.choices.isEmpty)
        return true
    }

    mutating func beginMovie(_ command: MovieCommand) throws(WorkerFailure) {
        guard let toggle = supportedToggles(profile.movie).first else { throw .cannot(.movie) }
        if toggle.usesLiveView == true { saveLiveViewSettings() }
        do throws(WorkerFailure) { _ = try startToggle(toggle, for: .movie, endsAt: .now) } catch {
            // The driver may have started live view before the camera refused the movie.
            if toggle.usesLiveView == true, loss == nil {
                liveView.recordStart(at: .now)
                finishLiveView()
            }
            guard error.kind == .busy else { throw error }
            throw WorkerFailure(kind: .busy, during: "movie", text: OperationReasons.busyForMovie)
        }
        if toggle.usesLiveView == true { liveView.recordStart(at: .now) }
        let now = BootClock.nowNs
        let untilNs = command.durationMs.map { now + UInt64($0) * 1_000_000 }
        operation = RunningOperation(
            command: .movie(command), step: .recording(untilNs: untilNs), beganNs: now,
            dueNs: min(untilNs ?? .max, now + Self.secondNs), toggle: toggle)
    }

    /// Starts an exposure or a movie that must be ended later. First saves to the disk how to end it. If this
    /// worker cannot end the exposure or movie, the next worker ends it.
    ///
    /// - Returns: `nil` if the exposure or movie has started. Otherwise, the reason why the camera refused to
    ///   start an exposure. The camera then also refused to end the exposure, and the worker must keep
    ///   trying, because the shutter may be open.
    /// - Throws: The failure if the exposure or movie has not started.
    private mutating func startToggle(
        _ toggle: CameraProfile.Toggle, for kind: CameraOperation.Kind, endsAt end: Instant
    ) throws(WorkerFailure) -> String? {
        backup.save(Self.runningKey, SavedOperation(kind, endedBy: toggle).text, for: .operation)
        process.setRestoreRequired(true, by: end)
        if let priority = profile.priority { set(priority.setting, to: priority.host) }
        var accepted = 0
        do throws(CameraError) {
            for setting in toggle.begin {
                try camera.setConfig(setting.setting, to: setting.value)
                accepted += 1
            }
            return nil
        } catch {
            let failure = classify(error, during: "operation")
            // The shutter button may be half pressed, and the exposure may have started despite the refusal.
            if loss == nil, let refusal = writeEnd(of: toggle), loss == nil {
                let isBusy = refusal.kind == .busy
                if RunningOperation.mayBeExposing(kind, accepted: accepted, isBusy: isBusy) {
                    return OperationReasons.refused(error)
                }
                for setting in toggle.end.dropFirst() { set(setting.setting, to: setting.value) }
            }
            if loss == nil { backup.remove(Self.runningKey, for: .operation) }
            if let priority = profile.priority { set(priority.setting, to: priority.body) }
            throw failure
        }
    }

    // MARK: Interval

    mutating func beginInterval(_ command: IntervalCommand) throws(WorkerFailure) {
        guard profile.mayTrigger, camera.canTrigger else { throw .cannot(.interval) }
        operation?.done = command.shot ?? 0
        operation?.failedChanges = command.failedChanges
        // If an interval continues after a restart, all ticks before the current time were missed. The worker
        // still applies the setting changes of these ticks.
        scheduleTick(IntervalTicks(command), since: 0)
    }

    /// Schedules the next tick. First, the worker applies the setting changes of this tick and of the missed
    /// ticks from `first` on.
    private mutating func scheduleTick(_ ticks: IntervalTicks, since first: Int) {
        operation?.step = .ticks(ticks)
        guard let due = ticks.dueNs else { return finishTicks() }
        operation?.dueNs = due
        let changes = ticks.changes(since: first)
        if !changes.isEmpty { enqueueChanges(changes, takesNearest: true) }
    }

    /// Ends the interval after its last tick. First waits for the results of unfinished setting changes.
    private mutating func finishTicks() {
        guard !settings.writings.contains(where: { $0.id == nil }) else {
            operation?.dueNs = .max
            return
        }
        let reason = operation?.failedChanges?.sentence
        operation?.end = (.ended, reason)
        operation?.step = .restoring
        operation?.dueNs = BootClock.nowNs
    }

    mutating func performTick(_ ticks: IntervalTicks) {
        let first = ticks.next + 1
        var ticks = ticks
        let now = BootClock.nowNs
        let began = Instant.now
        let (missed, tick) = ticks.removeDue(nowNs: now)
        // Reports contain the time of the next tick.
        operation?.step = .ticks(ticks)
        var report: IntervalTick?
        if let tick {
            let lateUs = Int(clamping: (now - min(now, ticks.command.due(tick))) / 1_000)
            do throws(CameraError) {
                try release()
                operation?.done += 1
                report = IntervalTick(
                    number: tick, outcome: .shot, latenessUs: lateUs,
                    answerUs: Int(clamping: (BootClock.nowNs - now) / 1_000))
            } catch {
                classify(error, during: "interval")
                wasRefusedForReading(error, began: began)
                report = IntervalTick(
                    number: tick, outcome: .refused, latenessUs: lateUs,
                    reason: OperationReasons.refused(error))
            }
        }
        // Reports the missed ticks after the release, because reports would delay the release.
        for tick in missed.suffix(IntervalTicks.reportedMax) {
            reportProgress(IntervalTick(number: tick, outcome: .missed, reason: OperationReasons.missed))
        }
        if let report { reportProgress(report) }
        guard loss == nil else { return }
        handBackControl()
        if profile.losesEventsAtRelease == true {
            daemon.send(.listChanged(reason: "the shutter was released"))
        }
        recordActivity()
        scheduleTick(ticks, since: first)
    }

    // MARK: Bracket

    mutating func beginBracket() throws(WorkerFailure) {
        guard profile.mayTrigger, camera.canTrigger else { throw .cannot(.bracket) }
        var base: CameraSetting?
        do throws(CameraError) { base = try bracketSetting() } catch {
            throw classify(error, during: "operation")
        }
        guard let base else {
            throw WorkerFailure(kind: .unsupported, during: "bracket", text: OperationReasons.noExposure)
        }
        operation?.base = base
        backup.save(base.name, base.word, for: .operation)
        process.setRestoreRequired(true)
        changeForBracket()
    }

    /// Returns the setting that a bracket changes in the camera's mode, or `nil` if no setting changes the
    /// exposure in stops.
    private mutating func bracketSetting() throws(CameraError) -> CameraSetting? {
        let table = try settingsTable()
        var mode: String?
        if let name = table.names[.mode] { mode = try setting(.mode, name).value?.text }
        let keys: [CameraSettingKey] =
            mode == "M" ? [.shutter] : [.exposureCompensation, .shutter]
        for key in keys {
            guard let name = table.names[key] else { continue }
            let setting = try setting(key, name)
            if setting.writable != .no, setting.brighter(by: 0) != nil { return setting }
        }
        return nil
    }

    private mutating func changeForBracket() {
        guard let running = operation, case .bracket(let command) = running.command, let base = running.base,
            let key = base.key, let value = base.brighter(by: command.stops[running.done])
        else { return stopOperation(.failed, OperationReasons.noExposure) }
        operation?.step = .setting
        operation?.dueNs = .max
        enqueueChanges([CameraSettingChange(name: key.rawValue, value: value.text)], takesNearest: true)
    }

    /// Enqueues setting changes for the running operation.
    private mutating func enqueueChanges(_ changes: [CameraSettingChange], takesNearest: Bool) {
        settings.writings.append(
            SettingsWriting(
                id: nil, CameraSettingsCommand(changes, takesNearest: takesNearest), at: .now))
    }

    /// Continues the operation after the setting changes were written. A bracket ends if a change fails. An
    /// interval continues and reports the failed change.
    mutating func handleSettingResults(_ results: [CameraSettingResult]) {
        if case .ticks(let ticks) = operation?.step {
            if operation?.recordFailures(among: results, through: ticks.next) == true { reportProgress() }
            if ticks.dueNs == nil { finishTicks() }
            return
        }
        guard case .setting = operation?.step else { return }
        if let failed = results.first(where: { ![.set, .unchanged, .adjusted].contains($0.outcome) }) {
            return stopOperation(.failed, failed.reason)
        }
        operation?.step = .shot
        operation?.dueNs = BootClock.nowNs
    }

    // MARK: Series

    mutating func takePhoto() {
        if case .focusStack = operation?.command, operation?.release == nil {
            let method = methodForRelease()
            operation?.release = method.map { ReleaseSequence($0) }
        }
        if profile.losesEventsAtRelease == true { pollEvents(isAll: true) }
        guard loss == nil else { return }
        let began = Instant.now
        do throws(CameraError) {
            if operation?.release == nil { try release() } else { try writeRelease() }
        } catch {
            classify(error, during: "operation")
            wasRefusedForReading(error, began: began)
            guard loss == nil else { return }
            let tries = operation?.tries ?? 0
            guard error.kind == .busy, tries < Self.triesMax else {
                return stopOperation(.failed, OperationReasons.refused(error))
            }
            operation?.tries = tries + 1
            operation?.dueNs = BootClock.nowNs + RunningOperation.retryNs
            return
        }
        operation?.tries = 0
        operation?.done += 1
        if profile.losesEventsAtRelease == true {
            daemon.send(.listChanged(reason: "the shutter was released"))
        }
        recordActivity()
        reportProgress()
        let seconds = self.settings.table?.settings[.shutter]?.value?.seconds ?? 0
        let exposureNs = UInt64(seconds * Double(Self.secondNs))
        operation?.recordExposure(ns: exposureNs, nowNs: BootClock.nowNs)
    }

    /// Writes the settings that take a photo. Starts with the setting that the camera refused in an earlier
    /// try.
    private mutating func writeRelease() throws(CameraError) {
        while let setting = operation?.release?.next {
            operation?.release?.recordSent()
            try camera.setConfig(setting.setting, to: setting.value)
            operation?.release?.recordAccepted()
            operation?.tries = 0
        }
        operation?.release = nil
    }

    /// Continues the series after a photo.
    mutating func continueSeries() {
        pollEvents()
        guard loss == nil, let running = operation else { return }
        if running.done >= running.total { return stopOperation(.ended, nil) }
        if operation?.waitForNoiseReduction(nowNs: BootClock.nowNs) == true { return }
        if case .bracket = running.command { return changeForBracket() }
        operation?.step = .focus
        operation?.dueNs = BootClock.nowNs
    }
}

extension WorkerFailure {
    static func cannot(_ what: CameraOperation.Kind) -> WorkerFailure {
        WorkerFailure(kind: .unsupported, during: "operation", text: OperationReasons.cannot(what))
    }
}
