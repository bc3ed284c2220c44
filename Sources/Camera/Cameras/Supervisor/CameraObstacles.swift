import ChildProcesses
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Makers
import SystemPackage
import USBHotplug
import WorkerProtocol

/// The detection and reporting of obstacles that prevent a connection to a camera.
struct CameraObstacles: Sendable {
    let id: CameraID
    /// The camera's USB connection, or `nil` for a network camera.
    let attachment: USBAttachment?
    let knowledge: KnowledgeBase
    let registry: CameraRegistry
    let conditionBoard: ConditionBoard

    /// Clears the obstacles of a camera that has connected.
    func clearAll() { conditionBoard.clearObstacles(of: id) }

    // MARK: Before a worker starts

    /// Returns whether the system permits opening the camera, and reports a missing permission. This check
    /// runs before the driver opens the camera, because the driver's error does not name the cause
    /// (libgphoto2 returns −7).
    func isAllowed(_ camera: ConfiguredCamera) -> Bool {
        guard let attachment else { return true }
        return isAllowed(camera, at: attachment.device, maker: attachment.classification.maker) {
            attachment.bus.access(to: $0)
        }
    }

    /// Returns whether the system permits opening a camera at a USB device, and reports a missing permission.
    ///
    /// - Parameter access: A function that checks the access of this process to the device.
    func isAllowed(
        _ camera: ConfiguredCamera, at device: USBDevice, maker: Maker?, access: (USBDevice) -> USBAccess
    ) -> Bool {
        switch access(device) {
        case .allowed:
            conditionBoard.clear(.noPermission, subject: .camera(id))
            return true
        case .missing: return false
        case .denied(let owner, let group, let mode):
            let guidance = knowledge.noPermission(
                name: camera.name, node: device.nodePath, owner, group, mode, maker)
            raise(.noPermission, .danger, .noPermission, guidance)
            return false
        case .blocked:
            let guidance = knowledge.blocked(name: camera.name, node: device.nodePath)
            raise(.noPermission, .danger, .noPermission, guidance)
            return false
        }
    }

    /// Reports that a worker started. This camera is then no longer affected by a shortage of file
    /// descriptors, processes or memory.
    func reportStart() { conditionBoard.endShortage(of: .camera(id)) }

    /// Reports that a worker could not be started.
    func reportStartFailure(_ error: any Error, _ camera: ConfiguredCamera, _ settings: WorkerSettings) {
        registry.update(id, state: .failed)
        if let reason = HostShortage.reason(of: error) {
            conditionBoard.clear(.unreachable, subject: .camera(id))
            return conditionBoard.reportShortage(
                .camera(id), "the camera program for \(camera.name) cannot be started", reason)
        }
        conditionBoard.endShortage(of: .camera(id))
        conditionBoard.raise(
            .unreachable, .danger, subject: .camera(id),
            sentence: "The camera program for \(camera.name) cannot be started: \(Self.reason(error)).",
            nextStep: (error as? WorkerHomeError).map { Self.nextStep(after: $0, settings) }
                ?? "Check that \(settings.program) is installed and executable.")
    }

    private static func nextStep(after error: WorkerHomeError, _ settings: WorkerSettings) -> String {
        let step =
            switch error.errno {
            case let errno? where errno == .ioError:
                "Check the disk that holds \(settings.homes): 'sudo dmesg' shows its errors."
            case let errno? where !errno.isDiskFull:
                "Make sure that the service can write to \(settings.homes)."
            default: "Free some space on the disk that holds \(settings.homes)."
            }
        return step + " FrameFast retries automatically."
    }

    /// Returns the reason why a worker could not be started, without the program's path. The next step
    /// contains the path.
    private static func reason(_ error: any Error) -> String {
        (error as? ChildProcess.StartError)?.reason ?? "\(error)"
    }

    // MARK: During a connection

    /// Returns the guidance for a camera in a mode that does not support tethering, or `nil` if the mode is
    /// supported or unknown.
    func checkMode(_ facts: CameraFacts, _ logger: Logger) -> Guidance? {
        // If the worker sees no packets, only the driver's summary indicates the mode. If the summary does
        // not contain the capture operations, the mode is unknown.
        guard let attachment, !facts.onlyFetchesPhotos || facts.hasGenericCapture != nil else { return nil }
        let classification = knowledge.classify(
            session: SessionFacts(facts), after: attachment.classification)
        registry.change(id) { $0.mode = classification.mode }
        guard classification.action == .leave, let guidance = classification.guidance else { return nil }
        logger.info(
            "the camera is in the wrong USB mode", metadata: ["mode": "\(classification.mode.rawValue)"])
        raise(classification.condition ?? .wrongMode, .warning, .wrongMode, guidance)
        return guidance
    }

    /// Reports that a lost connection may have left the shutter open.
    func reportOpenShutter(_ camera: ConfiguredCamera) {
        conditionBoard.reportShutter(of: id, name: camera.name, isOpen: true)
    }

    /// Reports that a connection could not be opened.
    func reportOpenFailure(_ failure: WorkerFailure, _ camera: ConfiguredCamera) async {
        if failure == .earlierWorkerIsEnding {
            let guidance = Guidance(
                sentence:
                    "\(camera.name) is still finishing an exposure or live view that started before the service restarted.",
                steps: ["Wait. FrameFast then connects to the camera automatically."])
            return raise(.held, .warning, .inUse, guidance)
        }
        if let attachment,
            reportUnconfigured(camera, at: attachment.device, isConfigured: { $0.isConfigured() })
        {
            return
        }
        if failure.kind == .busy, let attachment {
            if let holder = await attachment.bus.holder(of: attachment.device) {
                return raise(
                    .held, .warning, .inUse,
                    knowledge.held(
                        by: holder, node: attachment.device.nodePath,
                        maker: attachment.classification.maker))
            }
        }
        let maker =
            attachment?.classification.maker
            ?? knowledge.maker(named: registry.camera(id)?.facts?.maker ?? "")
        let diagnosis = knowledge.diagnose(
            DriverFailure(
                maker: maker, model: attachment?.classification.model,
                connection: camera.isNetwork ? .network : .usb,
                code: Int(failure.code), text: failure.text, phase: .opening, nodeIsAccessible: true,
                isKnownCamera: registry.camera(id)?.lastSeenAt != nil))
        let condition = diagnosis?.condition ?? (camera.isNetwork ? .unreachable : .asleep)
        var guidance = diagnosis?.guidance ?? knowledge.guidance(for: condition, maker: maker)
        if condition == .unreachable || condition == .asleep {
            guidance.sentence = "\(camera.name) does not respond at \(camera.port)."
        }
        if condition == .unreachable, let address = try? NetworkAddress(camera.port) {
            guidance.steps += HostNetworks.current(withIdle: true).stepsForSharedNetworks(of: address.host)
        }
        raise(condition, .warning, .searching, guidance)
    }

    /// Reports a camera whose USB device has no active configuration. libgphoto2 then reports −53, as if
    /// another program used the camera.
    ///
    /// - Parameter isConfigured: A function that checks whether the device has an active configuration.
    /// - Returns: Whether the device has no active configuration.
    func reportUnconfigured(
        _ camera: ConfiguredCamera, at device: USBDevice, isConfigured: (USBDevice) -> Bool
    ) -> Bool {
        guard !isConfigured(device) else { return false }
        raise(.unreachable, .warning, .searching, knowledge.unconfigured(name: camera.name))
        return true
    }

    /// Reports the functions that are missing because libgphoto2 does not provide the camera's packets. The
    /// condition ends when a connection provides packets.
    func reportMissingFunctions(_ facts: CameraFacts, _ camera: ConfiguredCamera) {
        guard facts.onlyFetchesPhotos else { return conditionBoard.clear(.photosOnly, subject: .camera(id)) }
        conditionBoard.raise(
            .photosOnly, subject: .camera(id),
            sentence: PhotosOnly.sentence(
                name: camera.name,
                maker: attachment?.classification.maker ?? knowledge.maker(named: facts.maker),
                version: registry.driverVersion),
            nextStep: PhotosOnly.nextStep)
    }

    // MARK: After a worker ended

    /// Reports objects that are hidden from the driver because workers crashed while reading them. The
    /// condition ends after all photos of the camera were read and no object is hidden. After a reconnect,
    /// the worker reads the card again, and objects that crash the driver are detected again.
    func reportQuarantine(_ count: Int, last: UInt32, _ camera: ConfiguredCamera) {
        conditionBoard.raise(
            .objectSetAside, subject: .camera(id),
            sentence:
                "\(camera.name): \(count) file(s) on the card make the camera driver crash "
                + "(last file: \(last.asHandle)); FrameFast skips these files and fetches all others.",
            nextStep:
                "Copy these files from the card with a card reader. This message clears when you connect the camera without these files. "
                + "The most common cause is an unusually long file name.")
    }

    private func raise(
        _ kind: ConditionKind, _ severity: Condition.Severity, _ state: CameraState, _ guidance: Guidance
    ) {
        switch kind {
        case .asleep, .unreachable: conditionBoard.clearDeparted(id, except: kind)
        default: conditionBoard.clearObstacles(of: id, except: kind)
        }
        registry.change(id) { status in
            status.state = state
            status.guidance = guidance
        }
        conditionBoard.raise(
            kind, severity, subject: .camera(id), sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }
}

extension UInt32 {
    /// The hexadecimal text of an object handle.
    var asHandle: String { "0x" + String(self, radix: 16) }
}
