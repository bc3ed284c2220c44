import ChildProcesses
import Foundation
import FrameFastModel
import Logging
import Makers
import USBHotplug
import WorkerProtocol

/// What stands between a camera and its session, and what is said of it.
extension CameraSupervisor {
    /// The camera is connected: nothing stands in the way.
    func isWell() { health.connected(camera: id) }

    // MARK: before a worker

    /// Whether the system lets us open the camera. Asked before anything is opened: the driver would only say that
    /// something went wrong (libgphoto2 gives −7 for a missing permission).
    func isAllowed() -> Bool {
        guard let place else { return true }
        switch place.bus.access(to: place.device) {
        case .allowed:
            health.clear(.noPermission, subject: .camera(id))
            return true
        case .missing:
            next = ladder.failed(workerIsAlive: false)
            return false
        case .denied(let owner, let group, let mode):
            next = ladder.failed(workerIsAlive: false)
            let guidance = knowledge.noPermission(
                name: camera.name, node: place.device.nodePath, owner, group, mode, place.verdict.maker)
            tell(.noPermission, .danger, .noPermission, guidance)
            return false
        }
    }

    // MARK: in a session

    /// What a person has to change on a camera that lets us in and cannot be tethered as it is; `nil` when it can.
    func wrongMode(_ facts: CameraFacts) -> Guidance? {
        guard let place else { return nil }
        let verdict = knowledge.judge(session: SessionFacts(facts), after: place.verdict)
        registry.change(id) { $0.mode = verdict.mode }
        guard verdict.action == .leave, let guidance = verdict.guidance else { return nil }
        logger.info("the camera is in another mode", metadata: ["mode": "\(verdict.mode.rawValue)"])
        tell(verdict.condition ?? .wrongMode, .warning, .wrongMode, guidance)
        return guidance
    }

    /// A session could not be opened.
    func cannotOpen(_ failure: WorkerFailure) async {
        wasConnected = false
        suspects.cameraIsAway()
        if suspects.quarantined.isEmpty { health.clear(.objectSetAside, subject: .camera(id)) }
        if failure.kind == .unguarded {
            return tell(.notSupported, .danger, .failed, Self.unguarded(registry.driverVersion))
        }
        if failure.kind == .busy, let place {
            if let holder = await place.bus.holder(of: place.device) {
                return tell(.held, .warning, .inUse, knowledge.held(by: holder, maker: place.verdict.maker))
            }
        }
        let maker = place?.verdict.maker ?? knowledge.maker(named: registry.camera(id)?.facts?.maker ?? "")
        let diagnosis = knowledge.diagnose(
            DriverFailure(
                maker: maker, model: place?.verdict.model, connection: camera.isNetwork ? .network : .usb,
                code: Int(failure.code), text: failure.text, phase: .opening, nodeIsAccessible: true))
        let condition = diagnosis?.condition ?? (camera.isNetwork ? .unreachable : .asleep)
        var guidance = diagnosis?.guidance ?? knowledge.guidance(for: condition, maker: maker)
        if condition == .unreachable || condition == .asleep {
            guidance.sentence = "\(camera.name) does not answer at \(camera.port)."
        }
        tell(condition, .warning, .searching, guidance)
    }

    /// The library keeps the camera's photos from being guarded.
    private static func unguarded(_ version: String?) -> Guidance {
        Guidance(
            sentence:
                "libgphoto2\(version.map { " \($0)" } ?? "") hides what it says to a camera, so that photos on it cannot be "
                + "guarded: no camera is used.",
            steps: ["Install the libgphoto2 of Debian 12 (2.5.30), or a FrameFast that knows this one."])
    }

    private func tell(
        _ kind: ConditionKind, _ severity: Condition.Severity, _ state: CameraState, _ guidance: Guidance
    ) {
        switch kind {
        case .asleep, .unreachable: health.departed(camera: id, except: kind)
        default: health.connected(camera: id, except: kind)
        }
        registry.change(id) { status in
            status.state = state
            status.guidance = guidance
        }
        health.raise(
            kind, severity, subject: .camera(id), sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }

    // MARK: after a worker

    /// A worker has ended: perhaps over an object.
    func judge(_ end: WorkerProcess.End, lastObject: UInt32?) {
        if case .hung(let call) = end {
            logger.warning("ended a worker that hung", metadata: ["call": "\(call)"])
        } else {
            logger.info("worker ended", metadata: ["how": "\(end)"])
        }
        if !isStopping { registry.workerEnded(end) }
        if ladder.failures == 0, !isStopping { next = ladder.failed(workerIsAlive: false) }
        guard end.blamesObject, let lastObject, suspects.died(over: lastObject) else { return }
        let handle = "0x" + String(lastObject, radix: 16)
        logger.error("object set aside", metadata: ["handle": "\(handle)", "why": "\(end)"])
        health.raise(
            .objectSetAside, subject: .camera(id),
            sentence:
                "\(camera.name): \(suspects.quarantined.count) file(s) on the card make the camera driver crash "
                + "(last: object \(handle)); they are left alone and everything else is taken.",
            nextStep:
                "Copy them from the card with a card reader; unusually long file names are the common cause.")
    }

    /// Resets the port of a camera that answers nobody. One that another program uses is left to it, and one that the
    /// system does not let us open cannot be reset either.
    func resetPort() async {
        guard let place, case .allowed = place.bus.access(to: place.device),
            await place.bus.holder(of: place.device) == nil
        else { return }
        logger.warning("resetting the camera's USB port", metadata: ["port": "\(place.device.portPath)"])
        do { try await place.bus.reset(place.device) } catch {
            logger.info("cannot reset the port", metadata: ["reason": "\(error)"])
        }
    }

    /// Why no worker could be started; of the program speaks the next step.
    private static func reason(_ error: any Error) -> String {
        (error as? ChildProcess.StartError)?.reason ?? "\(error)"
    }

    /// No worker could be started.
    func cannotStart(_ error: any Error) {
        logger.error("cannot start the camera worker", metadata: ["reason": "\(error)"])
        next = .freshWorker(after: RecoveryLadder.pauses.maximum)
        registry.update(id, state: .failed)
        health.raise(
            .unreachable, .danger, subject: .camera(id),
            sentence: "The worker for \(camera.name) cannot be started: \(Self.reason(error)).",
            nextStep: error is WorkerHomeError
                ? "Free some space on the disk that holds \(workers.settings.homes): it is retried automatically."
                : "Check that \(workers.settings.program) is installed and can be run.")
    }
}
