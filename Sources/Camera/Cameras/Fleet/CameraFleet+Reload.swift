import Foundation
import FrameFastModel
import USBHotplug

/// Reloading the configuration while cameras are connected.
extension CameraFleet {
    /// Applies new cameras and settings. Does not interrupt a camera whose settings are unchanged. If a
    /// camera's settings have changed, disconnects the camera cleanly and connects to it again.
    ///
    /// - Returns: The names of the cameras whose new settings require a restart.
    public func reconfigure(_ new: Options) -> [String] {
        let change = FleetChange(from: options.configured, to: new.configured) { members[$0] != nil }
        options = new
        for id in change.removed { removeConfigured(id) }
        for camera in change.changed {
            var camera = camera
            if let attachment = members[camera.id]?.attachment { camera.port = attachment.device.driverPort }
            updateSettings(of: camera)
        }
        for camera in change.added { addConfigured(camera) }
        for member in members.values where member.origin != .configured {
            let usual = member.camera.isNetwork ? new.kept : new.newcomer ?? new.kept
            updateSettings(of: member.camera.with(settingsOf: usual))
        }
        for device in bus?.present ?? [] { if let id = handleArrival(of: device) { requestCheck(of: id) } }
        return change.namesNeedingRestart
    }

    /// Removes a camera from the configured cameras. A plugged-in camera may then be used as an unconfigured
    /// camera.
    private func removeConfigured(_ id: CameraID) {
        guard let member = members[id], member.origin == .configured else { return }
        status.clearConditions(of: id)
        removeMember(member)
    }

    /// Adds a camera that is new in the configuration.
    private func addConfigured(_ camera: ConfiguredCamera) {
        addMember(CameraMember(camera: camera, origin: .configured))
        guard let address = USBAddress(camera.port) else { return requestCheck(of: camera.id) }
        // The camera may already be in use as an unconfigured camera.
        let holder = members.values.first { $0.attachment.map { address.matches($0.device) } ?? false }
        if let holder, holder.origin == .plugged {
            removeMember(holder)
        } else {
            showDisconnected(camera.id)
        }
    }

    /// Changes the settings of a camera and restarts its connection, if the settings differ.
    private func updateSettings(of camera: ConfiguredCamera) {
        guard let member = members[camera.id], member.camera != camera else { return }
        members[camera.id]?.camera = camera
        registry.change(camera.id) { $0.port = camera.port }
        member.supervisor?.stop(.unwanted)
    }
}
