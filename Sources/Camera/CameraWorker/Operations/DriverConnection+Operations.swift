import FrameFastModel
import GPhoto2
import Glibc
import SystemIO
import WorkerProtocol

extension DriverConnection {
    /// The time before an exact step of an operation during which the worker starts no other work. A poll for
    /// events is shorter than this time. Between two chunks of a photo, the worker instead reserves the
    /// duration of a chunk plus ``chunkMargin``, up to ``reservedMax``.
    static let reserved = Duration.milliseconds(40)
    static let reservedMax = Duration.milliseconds(150)
    static let chunkMargin = Duration.milliseconds(10)
    /// The maximum number of tries while the camera is busy. The end of an exposure has another limit.
    static let triesMax = 10

    // MARK: Requests

    /// Starts an operation.
    mutating func beginOperation(_ id: UInt64, _ command: CameraOperation) {
        guard operation == nil, focusMove == nil else { return refuseOccupied(id) }
        guard command.isWithinBounds else { return refuse(id, .refused, OperationReasons.bounds) }
        finishLiveView(for: command.kind)
        let now = BootClock.nowNs
        operation = RunningOperation(command: command, step: .shot, beganNs: now, dueNs: now)
        let earlierInMemory = profile.canList ? 0 : camera.photosInMemory ?? 0
        do throws(WorkerFailure) {
            switch command {
            case .bulb(let command): try beginBulb(command)
            case .interval(let command): try beginInterval(command)
            case .bracket: try beginBracket()
            case .focusStack: try beginFocusStack()
            case .movie(let command): try beginMovie(command)
            case .release(let command): try beginInterval(command.interval)
            }
            operation?.earlierPhotos = shared.recentPhotos
            operation?.earlierInMemory = earlierInMemory
            operation?.unreportedBefore = card.unreported
            // The operation must be visible before the daemon receives the reply.
            reportProgress()
            daemon.send(.done(id: id))
        } catch {
            restoreSettings()
            operation = nil
            process.setRestoreRequired(false)
            daemon.send(.failed(id: id, error))
        }
    }

    /// Stops the running operation. The request also confirms the camera's current settings (see
    /// ``confirmSettings(_:key:)``).
    mutating func endOperation(_ id: UInt64) {
        if operation == nil { liveView.requestEnd(at: .now) }
        confirmSettings()
        stopOperation(.stopped, OperationReasons.asked)
        daemon.send(.done(id: id))
    }

    /// Replies that a running operation occupies the camera.
    func refuseOccupied(_ id: UInt64) {
        refuse(id, .occupied, operation?.kind.rawValue ?? CameraOperation.Kind.focusStack.rawValue)
    }

    func refuse(_ id: UInt64, _ kind: WorkerFailure.Kind, _ text: String) {
        daemon.send(.failed(id: id, WorkerFailure(kind: kind, during: "operation", text: text)))
    }

    // MARK: Time

    /// The time until the operation's next step, or `nil` if no operation runs or the operation waits for a
    /// setting.
    var operationDelay: Duration? { operationWait(reserving: Self.reserved) }

    /// Returns the time during which the worker may start other work before the operation's next step.
    /// Returns `nil` if no operation runs or the operation waits for a setting.
    ///
    /// - Parameter reserved: The time before an exact step during which the worker starts no other work.
    func operationWait(reserving reserved: Duration) -> Duration? {
        guard let operation, operation.dueNs < .max else { return nil }
        let wait = BootClock.delay(until: operation.dueNs)
        return BootClock.pollDelay(before: isExact ? max(.zero, wait - reserved) : wait)
    }

    /// Returns the time before an exact step of the operation during which the worker starts no other work.
    func reserve(in situation: Admission) -> Duration {
        switch situation {
        case .betweenChunks, .duringShutterPause:
            // The next chunk may take as long as the previous one.
            let chunk = Duration.milliseconds(camera.lastReadMs?.total ?? 0) + Self.chunkMargin
            return min(max(chunk, Self.reserved), Self.reservedMax)
        case .whileClosing: return .zero
        default: return Self.reserved
        }
    }

    /// Whether the next step must run at an exact time.
    private var isExact: Bool {
        switch operation?.step {
        case .open, .ticks: true
        default: false
        }
    }

    /// Performs the due step of the operation. Before an exact step, waits until the step's time.
    mutating func performOperationStep() {
        guard loss == nil, let due = operation?.dueNs, due < .max else { return }
        if case .ticks = operation?.step, profile.losesEventsAtRelease == true,
            BootClock.delay(until: due) > .zero
        {
            // When the driver releases the shutter, it discards queued events.
            pollEvents(isAll: true)
        }
        let wait = BootClock.delay(until: due)
        if wait > .zero { poll(nil, 0, wait.pollTimeout) }
        guard loss == nil, let step = operation?.step else { return }
        let startDelay = step.releasesShutter ? shutter.releases.startDelay(at: .now) : .zero
        guard startDelay == .zero else {
            operation?.dueNs = BootClock.nowNs + UInt64(startDelay.wholeNanoseconds)
            return
        }
        switch step {
        case .open(let untilNs): continueExposure(untilNs)
        case .recording(let untilNs): continueRecording(untilNs)
        case .ticks(let ticks): performTick(ticks)
        case .shot: takePhoto()
        case .releasing: endExposure()
        case .exposing: continueSeries()
        case .focus: moveForStack()
        case .restoring: restoreAndFinish()
        case .setting: operation?.dueNs = .max
        case .photos(let wait): continuePhotoWait(wait)
        }
    }

    /// Reports the operation's progress. Does not report the end of an interval that continues in the next
    /// connection.
    func reportProgress(_ tick: IntervalTick? = nil) {
        guard let operation, operation.end == nil || !operation.continues else { return }
        daemon.send(
            .operation(operation.progress(nowNs: BootClock.nowNs, wallMs: SystemTime.wallMs, tick: tick)))
    }

    // MARK: End

    /// Stops the operation. The next step restores the changed settings.
    mutating func stopOperation(_ state: CameraOperationProgress.State, _ reason: String?) {
        guard var running = operation, running.end == nil else { return }
        settings.writings.removeAll { $0.id == nil }
        let mustEndExposure = running.stop(state, reason, nowNs: BootClock.nowNs)
        operation = running
        if mustEndExposure { endExposure() }
    }

    /// Closes the shutter, releases its button or ends the movie. Retries if the camera refuses.
    private mutating func endExposure() {
        guard let toggle = operation?.toggle, loss == nil else { return }
        let askedNs = BootClock.nowNs
        let isEnded = writeEnd(of: toggle) == nil
        guard loss == nil else { return }
        if isEnded { backup.remove(Self.runningKey, for: .operation) }
        operation?.recordEndTry(isEnded: isEnded, askedNs: askedNs, nowNs: BootClock.nowNs)
    }

    /// Writes the settings that end an exposure or movie. The first setting ends the exposure or movie. The
    /// other settings release the button.
    ///
    /// - Returns: The camera's refusal of the first setting, or `nil` if the exposure or movie has ended.
    mutating func writeEnd(of toggle: CameraProfile.Toggle) -> CameraError? {
        guard let first = toggle.end.first else { return nil }
        do throws(CameraError) { try camera.setConfig(first.setting, to: first.value) } catch {
            classify(error, during: "operation")
            Log.line("cannot set \(first.setting) to \(first.value): \(error.text)")
            return error
        }
        for setting in toggle.end.dropFirst() { set(setting.setting, to: setting.value) }
        return nil
    }

    /// Reports the open shutter each second, and closes the shutter at the requested time.
    private mutating func continueExposure(_ untilNs: UInt64) {
        if operation?.end != nil { return endExposure() }
        let now = BootClock.nowNs
        guard now < untilNs else {
            let result = operation?.result
            operation?.end = result
            return endExposure()
        }
        reportProgress()
        let due = operation?.dueNs ?? now
        operation?.dueNs = min(untilNs, due + Self.secondNs)
    }

    private mutating func continueRecording(_ untilNs: UInt64?) {
        if operation?.end != nil { return endExposure() }
        let now = BootClock.nowNs
        guard let untilNs, now >= untilNs else {
            reportProgress()
            operation?.dueNs = min(untilNs ?? .max, now + Self.secondNs)
            return
        }
        operation?.end = (.ended, nil)
        endExposure()
    }

    static let secondNs: UInt64 = 1_000_000_000
    /// The key under which a running exposure or movie is saved.
    static let runningKey = "runs"

    /// Restores the changed settings and finishes the operation.
    private mutating func restoreAndFinish() {
        guard !restoreSettings(), loss == nil else { return finishOperation() }
        if waitsForNoiseReduction() { return }
        let tries = operation?.tries ?? 0
        guard tries < Self.triesMax else { return finishOperation() }
        operation?.tries = tries + 1
        operation?.dueNs = BootClock.nowNs + RunningOperation.retryNs
    }

    /// Schedules another try to restore the camera, if the camera may still reduce noise. A connection that
    /// closes does not wait for noise reduction.
    private mutating func waitsForNoiseReduction() -> Bool {
        mayAwaitPhotos && operation?.waitForNoiseReduction(nowNs: BootClock.nowNs) == true
    }

    /// Restores the settings that were changed for the operation. The worker takes control first, because a
    /// camera that is controlled by its dials refuses settings.
    ///
    /// - Parameter isRecovery: Whether an earlier worker changed the settings. The driver may have crashed
    ///   while that worker restored them.
    /// - Returns: Whether the settings have the camera's original values again. Ignores settings that the
    ///   worker no longer tries to restore.
    @discardableResult
    mutating func restoreSettings(isRecovery: Bool = false) -> Bool {
        let changed = changedForOperation
        guard !changed.isEmpty else { return true }
        if let priority = profile.priority {
            _ =
                isRecovery
                ? attemptRestore(priority.setting, priority.host) : set(priority.setting, to: priority.host)
        }
        for (name, value) in changed {
            let isSet =
                isRecovery
                ? attemptRestore(name, value, isListed: false) : set(name, to: value, isListed: false)
            if isSet { backup.remove(name, for: .operation) }
        }
        if let priority = profile.priority {
            _ =
                isRecovery
                ? attemptRestore(priority.setting, priority.body) : set(priority.setting, to: priority.body)
        }
        return changedForOperation.isEmpty
    }

    /// The camera's original values of the settings that were changed for an operation. Excludes settings
    /// that the worker no longer tries to restore.
    private var changedForOperation: [String: String] {
        let backup = backup
        return backup.changed(for: .operation).filter {
            $0.key != Self.runningKey && !backup.isGivenUp($0.key, for: .operation)
        }
    }

    /// Returns control to the camera's dials, unless a changed setting requires that they stay disabled.
    ///
    /// - Returns: `false` if the camera refused the change.
    @discardableResult
    mutating func handBackControl() -> Bool {
        guard !settings.hasDisabledDials, let handBack = profile.handBack else { return true }
        return set(handBack.setting, to: handBack.value)
    }

    private mutating func finishOperation() {
        finishLiveView()
        if let priority = profile.priority { set(priority.setting, to: priority.body) }
        if !handBackControl(), waitsForNoiseReduction() { return }
        if !restoreSettings(), operation?.end?.reason == nil {
            operation?.end?.reason = OperationReasons.settingsNotRestored
        }
        process.setRestoreRequired(false)
        if !beginPhotoWait() { concludeOperation() }
    }

    /// Ends the connection cleanly: stops the operation and restores the settings that were changed for the
    /// connection. The daemon continues an interval in the next connection. Other unfinished operations fail.
    mutating func shutDown() {
        let isInterval = operation?.kind == .interval && operation?.end == nil
        operation?.continues = isInterval
        stopOperation(.failed, OperationReasons.connectionClosed)
        if operation?.isAwaitingNoiseReduction == true { operation?.dueNs = BootClock.nowNs }
        while operation != nil, loss == nil {
            let wait = operation.map { BootClock.delay(until: $0.dueNs) } ?? .zero
            // The camera may send an event when it is no longer busy.
            if wait > .zero { _ = try? camera.nextEvent(timeoutMs: min(wait, Self.reserved).pollTimeout) }
            performDuties(in: .whileClosing)
        }
        finishLiveView()
        restoreSessionSettings()
    }

    /// Ends the operation after the connection was lost. The daemon continues an interval in the next
    /// connection.
    mutating func loseOperation() {
        guard let running = operation else { return reportShutter() }
        let isOpen = isExposing
        operation?.continues = running.kind == .interval && running.end == nil
        operation?.end = (.failed, isOpen ? OperationReasons.shutterMayBeOpen : OperationReasons.lost)
        reportProgress()
        operation = nil
        reportShutter()
        process.setRestoreRequired(false)
    }
}
