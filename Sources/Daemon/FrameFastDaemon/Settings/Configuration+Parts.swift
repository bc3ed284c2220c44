import Cameras
import CaptureEngine
import Foundation
import FrameFastConfiguration
import FrameFastModel
import SettingKeys

/// From the configuration's words to what the rooms take.
extension CaptureSettings {
    init(
        _ capture: Settings<CaptureKeys>, sidecars: SidecarPolicy, stateDirectory: String
    ) throws {
        self.init(
            directory: capture.directory, template: try NamingTemplate(capture.template, host: sidecars.host),
            minFreeBytes: UInt64(max(capture.minFreeBytes, 0)),
            pairSettleSeconds: capture.pairSettle / .seconds(1),
            existing: capture.existing == .skip ? .skip : .fetch,
            folderMemory: stateDirectory + "/capture-folder",
            verify: capture.verify == .reread ? .reread : .structure,
            sidecars: sidecars)
    }
}

extension SidecarPolicy {
    /// What the capture directory gets.
    init(_ configuration: Configuration) {
        let sidecar = configuration.sidecar
        self.init(
            xmp: sidecar.xmp, writesJSON: sidecar.json, position: sidecar.position, host: configuration.host)
    }
}

extension ConfiguredCamera {
    /// What holds for a camera that no table names; id, name and port are to be filled in.
    init(_ capture: Settings<CaptureKeys>) {
        self.init(
            id: "", name: "", port: "", zone: .configured(capture.timeZone),
            deletesAfterSave: capture.deletesAfterSave,
            captureTarget: capture.captureTarget, shutterWait: capture.shutterWait, clock: capture.clock)
    }

    /// - Parameter capture: What holds where the camera's table says nothing.
    init(_ camera: Configuration.Camera, _ capture: Settings<CaptureKeys>) {
        self.init(
            // The table is what is stable of it: another body may answer at its address.
            id: CameraID(rawValue: camera.name), name: camera.name, port: camera.address,
            zone: .configured(camera.timeZone ?? capture.timeZone),
            deletesAfterSave: camera.deletesAfterSave, captureTarget: camera.captureTarget,
            shutterWait: camera.shutterWait, clock: camera.clock, preset: camera.preset)
    }
}

extension TimeZone {
    /// A zone of the configuration; this computer's where it names none, or `local`.
    static func configured(_ name: String?) -> TimeZone {
        guard let name, name != SettingKind<String>.localZone else { return .current }
        return TimeZone(identifier: name) ?? .current
    }
}
