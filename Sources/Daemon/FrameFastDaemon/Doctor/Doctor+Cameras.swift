import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Makers
import SettingKeys
import USBHotplug

/// Checks of USB cameras and network cameras.
extension Doctor {
    /// Checks every camera that is plugged in: its mode, the program that uses it, and the permission to open
    /// it.
    ///
    /// - Parameter conditions: The conditions that the diagnosis already lists.
    func usbCameras(_ conditions: [ConditionReply]) async -> [Check] {
        guard let bus else {
            return [
                Check(
                    id: "usb", title: "USB", verdict: .info,
                    sentence: "This computer has no USB. You can use network cameras.")
            ]
        }
        var checks: [Check] = []
        var isAnyPresent = false
        let allowances = DeviceAllowances(configuration)
        for device in bus.present.sorted(by: { $0.portPath < $1.portPath }) {
            let classification = knowledge.classify(DeviceDescriptors(device), allowing: allowances)
            guard classification.action != .ignore else { continue }
            isAnyPresent = true
            if let service {
                if let check = usedCamera(device, classification, service, conditions) {
                    checks.append(check)
                }
            } else {
                checks.append(await camera(device, classification, bus))
            }
        }
        guard !isAnyPresent else { return checks }
        let guidance = knowledge.guidance(for: .asleep, maker: nil)
        return [
            Check(
                id: "usb", title: "USB", verdict: .info, sentence: "No camera is connected by USB.",
                steps: guidance.steps)
        ]
    }

    /// Returns the camera that is plugged in at a port. Ignores cameras that were at the port earlier.
    ///
    /// - Parameter port: A libgphoto2 port path, `usb:BUS,DEVICE`. The kernel reuses the path for later
    ///   devices.
    static func pluggedIn(at port: String, among cameras: [CameraStatus]) -> CameraStatus? {
        cameras.first { $0.port == port && $0.mode != nil }
    }

    /// Checks a USB camera of the running service. Returns `nil` if a condition reports why the service can't
    /// use the camera.
    private func usedCamera(
        _ device: USBDevice, _ classification: DeviceClassification, _ service: Service,
        _ conditions: [ConditionReply]
    ) -> Check? {
        guard let status = Self.pluggedIn(at: device.driverPort, among: service.registry.all) else {
            return Self.unusableCamera(classification.name, classification)
                ?? present(device, classification.name, classification)
        }
        if service.registry.connection(of: status.id) != nil {
            let model = status.facts.map(\.model) ?? ""
            return Check(
                id: "camera", title: status.name, verdict: .ok,
                sentence:
                    "\(model.isEmpty ? status.name : model) is connected at USB port \(device.portPath).")
        }
        if status.isIgnored {
            return Check(
                id: "camera", title: status.name, verdict: .info,
                sentence: "\(status.name) is ignored, as configured.",
                steps: ["To use the camera again: framefast cameras ignore --undo \(status.id.rawValue)"])
        }
        let obstacles = Set(ConditionKind.obstacles.map(\.rawValue))
        let isObstructed = conditions.contains { $0.camera == status.id && obstacles.contains($0.code) }
        return isObstructed ? nil : present(device, status.name, classification)
    }

    /// Returns a warning for a camera in a mode that FrameFast does not use, or `nil` for a usable camera.
    ///
    /// A running service raises a condition for such a camera only if the camera is in the registry.
    static func unusableCamera(_ name: String, _ classification: DeviceClassification) -> Check? {
        guard classification.action == .leave, let guidance = classification.guidance else { return nil }
        return Check(
            id: (classification.condition ?? .wrongMode).rawValue, title: name, verdict: .warning,
            sentence: guidance.sentence, steps: guidance.steps)
    }

    /// Checks a USB camera without a running service.
    private func camera(_ device: USBDevice, _ classification: DeviceClassification, _ bus: USBBus) async
        -> Check
    {
        let name = classification.name
        func check(_ code: String, _ level: DiagnosisReply.Level, _ guidance: Guidance) -> Check {
            Check(id: code, title: name, verdict: level, sentence: guidance.sentence, steps: guidance.steps)
        }
        if let unusable = Self.unusableCamera(name, classification) { return unusable }
        guard device.isConfigured() else {
            return check(
                ConditionKind.unreachable.rawValue, .warning, knowledge.unconfigured(name: name))
        }
        if observer != .service { return await cameraOfOtherUser(device, name, classification, bus) }
        switch bus.access(to: device) {
        case .denied(let owner, let group, let mode):
            return check(
                ConditionKind.noPermission.rawValue, .danger,
                knowledge.noPermission(
                    name: name, node: device.nodePath, owner, group, mode, classification.maker))
        case .blocked:
            return check(
                ConditionKind.noPermission.rawValue, .danger,
                knowledge.blocked(name: name, node: device.nodePath))
        case .allowed, .missing: break
        }
        if let holder = await bus.holder(of: device), !holder.isWorker {
            return check(
                ConditionKind.held.rawValue, .warning,
                knowledge.held(by: holder, node: device.nodePath, maker: classification.maker))
        }
        return present(device, name, classification)
    }

    /// Checks a camera for the service of another user. The permissions of this process don't apply to that
    /// service.
    private func cameraOfOtherUser(
        _ device: USBDevice, _ name: String, _ classification: DeviceClassification, _ bus: USBBus
    ) async -> Check {
        let check = { (id: String, level: DiagnosisReply.Level, guidance: Guidance) in
            Check(id: id, title: name, verdict: level, sentence: guidance.sentence, steps: guidance.steps)
        }
        if observer.mayOpen(device.nodePath) == false,
            case .denied(let owner, let group, let mode) = bus.denial(of: device)
        {
            return check(
                ConditionKind.noPermission.rawValue, .danger,
                knowledge.noPermission(
                    name: name, node: device.nodePath, owner, group, mode, classification.maker))
        }
        switch await bus.holder(of: device) {
        case .hiddenProgram?:
            return Check(
                id: "camera", title: name, verdict: .info,
                sentence: "\(name) is in use. This user has no permission to see which program uses it.",
                steps: ["Run the doctor as root: sudo framefast doctor"])
        case let holder? where !holder.isWorker:
            return check(
                ConditionKind.held.rawValue, .warning,
                knowledge.held(by: holder, node: device.nodePath, maker: classification.maker))
        default: return present(device, name, classification)
        }
    }

    private func present(_ device: USBDevice, _ name: String, _ classification: DeviceClassification) -> Check
    {
        Check(
            id: "camera", title: name, verdict: .ok,
            sentence:
                "\(name) is at USB port \(device.portPath) (\(device.idText)), "
                + "mode \(classification.mode.rawValue).")
    }

    /// Checks the network cameras.
    func networkCameras() -> [Check] {
        guard let service else {
            return configuration.cameras.filter { $0.address.hasPrefix("ptpip:") }.map {
                Check(
                    id: "camera", title: $0.name, verdict: .info,
                    sentence:
                        "\($0.name) is configured at \($0.address); only the running service can report its state."
                )
            }
        }
        // A camera that is not connected has a condition already.
        return service.registry.all.filter { $0.port.hasPrefix("ptpip:") }.compactMap { status in
            guard service.registry.connection(of: status.id) != nil else { return nil }
            return Check(
                id: "camera", title: status.name, verdict: .ok,
                sentence: "\(status.facts?.model ?? status.name) is connected at \(status.port).")
        }
    }
}

extension DeviceClassification {
    /// The model or maker. This is the name of a device until a person chooses another name.
    var name: String { model ?? maker?.name ?? "Unknown camera" }
}

extension USBDevice {
    /// The vendor and product number, in the format of `lsusb`.
    fileprivate var idText: String { Hex.text(vendorID) + ":" + Hex.text(productID) }
}

extension USBHolder {
    /// Whether the program is a camera worker that is opening the camera. The kernel truncates names to 15
    /// bytes.
    fileprivate var isWorker: Bool {
        if case .program(_, let name) = self { "framefast-camera".hasPrefix(name) } else { false }
    }
}
