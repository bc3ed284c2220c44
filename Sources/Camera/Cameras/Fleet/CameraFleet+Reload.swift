import Foundation
import FrameFastModel
import USBHotplug

/// Another configuration while cameras are connected.
extension CameraFleet {
    /// Takes other cameras and settings. A camera that stays as it is notices nothing; one whose table changed is let
    /// go in order and connected again.
    ///
    /// - Returns: names of tables that only a restart can bring into force.
    public func reconfigure(_ new: Options) -> [String] {
        let change = FleetChange(from: options.configured, to: new.configured) { members[$0] != nil }
        options = new
        reads.set(onEachBus: new.readsOnEachBus)
        for id in change.released { release(id) }
        for camera in change.changed {
            var camera = camera
            if let place = members[camera.id]?.place { camera.port = place.device.driverPort }
            renew(camera)
        }
        for camera in change.entered { enter(camera) }
        for member in members.values where member.origin != .configured {
            let usual = member.camera.isNetwork ? new.kept : new.newcomer ?? new.kept
            renew(member.camera.with(settingsOf: usual))
        }
        for device in bus?.present ?? [] { if let id = arrived(device) { look(at: id) } }
        return change.late
    }

    /// A camera that the configuration does not name any more. What is plugged in may be used as one that nobody named.
    private func release(_ id: CameraID) {
        guard let member = members[id], member.origin == .configured else { return }
        status.forgetConditions(id)
        letGo(member)
    }

    /// A camera that the configuration names now.
    private func enter(_ camera: ConfiguredCamera) {
        take(CameraMember(camera: camera, origin: .configured))
        guard let address = USBAddress(camera.port) else { return look(at: camera.id) }
        // The body may be in use already, as one that nobody named.
        let holder = members.values.first { $0.place.map { address.matches($0.device) } ?? false }
        if let holder, holder.origin == .plugged {
            letGo(holder)
        } else {
            showAway(camera.id)
        }
    }

    /// Other settings for a camera: its session begins anew.
    private func renew(_ camera: ConfiguredCamera) {
        guard let member = members[camera.id], member.camera != camera else { return }
        members[camera.id]?.camera = camera
        registry.change(camera.id) { $0.port = camera.port }
        member.supervisor?.leave(.unwanted)
    }
}
