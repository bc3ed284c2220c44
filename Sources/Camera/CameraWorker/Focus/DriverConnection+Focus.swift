import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// Starts or stops autofocus, or moves the focus.
    mutating func focus(_ id: UInt64, _ command: FocusCommand) {
        guard operation == nil, focusMove == nil else { return refuseOccupied(id) }
        switch command {
        case .auto: writeFocusSettings(profile.focus?.auto, replyingTo: id)
        case .cancel: writeFocusSettings(profile.focus?.cancel, replyingTo: id)
        case .drive(let step):
            guard FocusStep.countRange.contains(step.count) else {
                return refuse(id, .refused, OperationReasons.bounds)
            }
            do throws(WorkerFailure) { try beginMove(step, replyingTo: id) } catch {
                daemon.send(.failed(id: id, error))
            }
        }
    }

    private mutating func writeFocusSettings(_ settings: [CameraProfile.Setting]?, replyingTo id: UInt64) {
        guard let settings else { return daemon.send(.failed(id: id, .cannot(.focusStack))) }
        if let priority = profile.priority { set(priority.setting, to: priority.host) }
        let reply: WorkerEvent
        do throws(CameraError) {
            for setting in settings { try camera.setConfig(setting.setting, to: setting.value) }
            reply = .done(id: id)
        } catch {
            reply = .failed(id: id, classify(error, during: "operation"))
        }
        if let priority = profile.priority { set(priority.setting, to: priority.body) }
        daemon.send(reply)
    }

    // MARK: Steps

    private mutating func beginMove(_ step: FocusStep, replyingTo id: UInt64?) throws(WorkerFailure) {
        guard let focus = profile.focus, let setting = focus.drive,
            let word = (step.isFar ? focus.far : focus.near)?[step.size]
        else { throw .cannot(.focusStack) }
        if focus.usesLiveView == true { try startLiveViewForFocus() }
        focusMove = FocusMove(id: id, setting: setting, word: word, left: step.count, due: .now)
    }

    /// Starts live view, because some makers' lenses move only in live view. Live view ends after its timeout
    /// or with the operation.
    private mutating func startLiveViewForFocus() throws(WorkerFailure) {
        liveView.keepOn(at: .now)
        guard !liveView.isOn else { return }
        guard hasLiveView() else { throw .cannot(.focusStack) }
        saveLiveViewSettings()
        do throws(CameraError) { _ = try camera.preview() } catch {
            // A busy camera may have started live view despite the error.
            if error.kind != .busy { throw classify(error, during: "operation") }
        }
        liveView.recordStart(at: .now)
    }

    /// Performs the next step of a focus move.
    mutating func moveFocus() {
        guard var move = focusMove, loss == nil else { return }
        liveView.keepOn(at: .now)
        do throws(CameraError) {
            try camera.setConfig(move.setting, to: move.word)
            move.left -= 1
            move.tries = 0
        } catch {
            let failure = classify(error, during: "operation")
            move.tries += 1
            guard loss == nil, error.kind == .busy, move.tries < FocusMove.triesMax else {
                return endMove(move, failure)
            }
        }
        guard move.left > 0 else { return endMove(move, nil) }
        move.due = .now + FocusMove.step
        focusMove = move
    }

    private mutating func endMove(_ move: FocusMove, _ failure: WorkerFailure?) {
        focusMove = nil
        if let id = move.id { return daemon.send(failure.map { .failed(id: id, $0) } ?? .done(id: id)) }
        guard operation != nil else { return }
        if let failure { return stopOperation(.failed, failure.text) }
        operation?.step = .shot
        operation?.dueNs = BootClock.nowNs + RunningOperation.settleNs
    }

    // MARK: Stack

    mutating func beginFocusStack() throws(WorkerFailure) {
        guard profile.mayTrigger, camera.canTrigger, let focus = profile.focus, focus.drive != nil else {
            throw .cannot(.focusStack)
        }
        if focus.usesLiveView == true { try startLiveViewForFocus() }
        operation?.dueNs = BootClock.nowNs + RunningOperation.settleNs
    }

    mutating func moveForStack() {
        guard case .focusStack(let command) = operation?.command else { return }
        operation?.dueNs = .max
        do throws(WorkerFailure) { try beginMove(command.step, replyingTo: nil) } catch {
            stopOperation(.failed, error.text)
        }
    }
}
