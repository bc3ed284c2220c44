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
        let old = options
        options = new
        for camera in old.configured where !new.configured.contains(where: { $0.id == camera.id }) {
            release(camera.id)
        }
        var late: [String] = []
        for camera in new.configured {
            let before = old.configured.first { $0.id == camera.id }
            guard before != camera else { continue }
            let isDone = before.map { change($0, to: camera) } ?? enter(camera)
            if !isDone { late.append(camera.name) }
        }
        for (id, member) in members where member.origin != .configured {
            var camera = member.camera
            camera.settings = (camera.isNetwork ? new.kept : new.newcomer ?? new.kept).settings
            renew(id, camera)
        }
        for device in bus?.present ?? [] { if let id = arrived(device) { look(at: id) } }
        return late
    }

    /// A camera that the configuration does not name any more. What is plugged in may be used as one that nobody named.
    private func release(_ id: CameraID) {
        guard let member = members[id], member.origin == .configured else { return }
        health.forget(.camera(id))
        letGo(id, member)
    }

    private func letGo(_ id: CameraID, _ member: CameraMember) {
        registry.remove(id)
        if let supervisor = member.supervisor {
            members[id]?.isForgotten = true
            supervisor.leave(.unwanted)
        } else {
            members[id] = nil
        }
    }

    /// A camera that the configuration names now.
    private func enter(_ camera: ConfiguredCamera) -> Bool {
        // Somebody has asked for a camera under this name: it is one, and changes its nature with the next start.
        guard members[camera.id] == nil else { return false }
        let isIgnored = roster[camera.id]?.isIgnored ?? false
        members[camera.id] = CameraMember(camera: camera, origin: .configured, isIgnored: isIgnored)
        registry.put(
            CameraStatus(camera, state: isIgnored ? .gone : .searching, record: roster[camera.id]))
        guard let address = USBAddress(camera.port) else {
            look(at: camera.id)
            return true
        }
        // The body may be in use already, as one that nobody named.
        let holder = members.first { $0.value.place.map { address.matches($0.device) } ?? false }
        if let holder, holder.value.origin == .plugged {
            letGo(holder.key, holder.value)
        } else {
            showAway(camera.id)
        }
        return true
    }

    private func change(_ before: ConfiguredCamera, to camera: ConfiguredCamera) -> Bool {
        var camera = camera
        if before.port != camera.port {
            guard camera.isNetwork, before.isNetwork else { return false }
        } else if let place = members[camera.id]?.place {
            camera.port = place.device.driverPort
        }
        renew(camera.id, camera)
        return true
    }

    /// Other settings for a camera: its session begins anew.
    private func renew(_ id: CameraID, _ camera: ConfiguredCamera) {
        guard let member = members[id], member.camera != camera else { return }
        members[id]?.camera = camera
        registry.change(id) { $0.port = camera.port }
        member.supervisor?.leave(.unwanted)
    }
}

extension ConfiguredCamera {
    /// What is configured of a camera beside who and where it is.
    fileprivate struct Settings {
        let zone: TimeZone
        let deletesAfterSave: Bool
        let captureTarget: CaptureTarget
    }

    fileprivate var settings: Settings {
        get { Settings(zone: zone, deletesAfterSave: deletesAfterSave, captureTarget: captureTarget) }
        set {
            zone = newValue.zone
            deletesAfterSave = newValue.deletesAfterSave
            captureTarget = newValue.captureTarget
        }
    }
}
