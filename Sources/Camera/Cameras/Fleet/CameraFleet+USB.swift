import Foundation
import FrameFastModel
import Logging
import Makers
import USBHotplug

/// Cameras come and go on the USB.
extension CameraFleet {
    /// A device was plugged in.
    ///
    /// - Returns: the camera that is to be looked at.
    func arrived(_ device: USBDevice) -> CameraID? {
        guard let bus, !members.contains(where: { $0.value.place?.device == device }) else { return nil }
        let verdict = knowledge.judge(DeviceDescriptors(device), allowing: options.allowances)
        guard verdict.action != .ignore else { return nil }
        guard let id = claim(device, verdict) else {
            logger.info("a camera is left alone", metadata: ["device": "\(device.portPath)"])
            return nil
        }
        logger.info(
            "camera on the USB",
            metadata: [
                "camera": "\(members[id]?.camera.name ?? "")", "port": "\(device.portPath)",
                "mode": "\(verdict.mode.rawValue)",
            ])
        members[id]?.place = USBPlace(device: device, verdict: verdict, bus: bus)
        members[id]?.leftAt = nil
        members[id]?.camera.port = device.driverPort
        show(id, verdict)
        return id
    }

    /// A device was unplugged.
    ///
    /// - Returns: the camera that it was.
    func left(_ device: USBDevice) -> CameraID? {
        guard let (id, member) = members.first(where: { $0.value.place?.device == device }) else {
            return nil
        }
        logger.info(
            "camera unplugged", metadata: ["camera": "\(member.camera.name)", "port": "\(device.portPath)"])
        members[id]?.place = nil
        members[id]?.leftAt = Date()
        health.departed(camera: id)
        if let supervisor = member.supervisor {
            supervisor.leave(.unplugged)
        } else {
            showAway(id)
        }
        return id
    }

    // MARK: who it is

    /// The member that a device is; a new one where nobody named it. `nil` when it is not to be used.
    private func claim(_ device: USBDevice, _ verdict: Verdict) -> CameraID? {
        let named = options.configured
            .compactMap { camera in USBAddress(camera.port).map { (camera, $0) } }
            .filter { $0.1.matches(device) && members[$0.0.id]?.place == nil }
        if let (camera, _) = named.first(where: \.1.isPrecise) ?? named.first { return camera.id }
        guard let settings = options.newcomer else { return nil }
        // Some makers give every body the same serial number. One that was called by its port keeps that over a restart,
        // whichever of them comes first.
        let own = Self.id(of: device, verdict.maker)
        let here = CameraID(rawValue: "\(own)-at-\(CameraNames.slug(device.portPath))")
        let isShared = members[own]?.place != nil || (members[here] != nil && members[here]?.place == nil)
        let id = isShared ? here : own
        if members[id] == nil {
            var camera = settings
            camera.id = id
            camera.name =
                roster[id]?.name ?? freeName(verdict.model ?? verdict.maker?.name ?? "camera")
            members[id] = CameraMember(camera: camera, origin: .plugged)
        }
        members[id]?.isForgotten = false
        members[id]?.isIgnored = roster[id]?.isIgnored ?? false
        return id
    }

    /// Stable for a body with a serial number, else for the socket that it is plugged into.
    private static func id(of device: USBDevice, _ maker: Maker?) -> CameraID {
        let maker = maker?.rawValue ?? "usb"
        guard let serial = device.serial.flatMap(CameraBodies.meaningful) else {
            return CameraID(rawValue: "\(maker)-at-\(CameraNames.slug(device.portPath))")
        }
        return CameraID(rawValue: "\(maker)-\(CameraNames.slug(serial))")
    }

    // MARK: what is shown of it

    /// Shows a camera that is plugged in, and what a person has to do where it cannot be used like that.
    func show(_ id: CameraID, _ verdict: Verdict) {
        guard let member = members[id] else { return }
        var status = registry.camera(id) ?? CameraStatus(member.camera, state: .searching)
        status.name = member.camera.name
        status.port = member.camera.port
        status.mode = verdict.mode
        status.isIgnored = member.isIgnored
        status.guidance = verdict.action == .leave ? verdict.guidance : nil
        status.state =
            verdict.action != .leave ? .connecting : verdict.condition == .notSupported ? .failed : .wrongMode
        if member.isIgnored { status.state = .gone }
        status.facts =
            status.facts
            ?? CameraFacts(
                maker: verdict.maker?.name ?? "", model: verdict.model ?? "",
                serial: member.place?.device.serial ?? "")
        registry.put(status)
        health.clear(.asleep, subject: .camera(id))
        if verdict.mode == .mtp || verdict.mode == .massStorage {
            // The card can be copied now, and that is what it was about.
            health.clear(.photosLeftInCamera, subject: .camera(id))
        }
        guard !member.isIgnored, verdict.action == .leave, let guidance = verdict.guidance else { return }
        let code = verdict.condition ?? .wrongMode
        health.raise(
            code, .warning, subject: .camera(id), sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }

    /// Shows a camera that is not there.
    func showAway(_ id: CameraID) {
        guard let member = members[id], member.place == nil || member.isIgnored else { return }
        guard member.origin != .plugged || roster[id] != nil else {
            // It was never connected: nothing to remember.
            members[id] = nil
            registry.remove(id)
            return
        }
        registry.change(id) { status in
            status.state = member.origin == .configured && !member.isIgnored ? .searching : .gone
            status.isIgnored = member.isIgnored
            status.guidance = nil
            status.mode = nil
        }
        guard !member.isIgnored, USBAddress(member.camera.port) != nil,
            Absence(of: member).deservesAttention(at: Date())
        else { return }
        let code: ConditionKind = member.origin == .configured ? .unreachable : .asleep
        var guidance = knowledge.guidance(
            for: .asleep, maker: knowledge.maker(named: roster[id]?.maker ?? ""))
        guidance.sentence = "\(member.camera.name) is unplugged, asleep or switched off."
        health.raise(
            code, member.origin == .configured ? .warning : .info, subject: .camera(id),
            sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }
}
