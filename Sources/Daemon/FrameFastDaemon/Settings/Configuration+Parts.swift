import Cameras
import CaptureEngine
import Foundation
import FrameFastConfiguration
import FrameFastModel
import SettingKeys

/// Creates the settings of the engines from the configuration.
extension CaptureSettings {
    init(_ capture: Settings<CaptureKeys>, stateDirectory: String) throws {
        self.init(
            directory: capture.directory, template: try NamingTemplate(capture.template),
            minFreeBytes: UInt64(max(capture.minFreeBytes, 0)),
            pairSettleSeconds: capture.pairSettle / .seconds(1),
            existing: capture.existing,
            folderRecordPath: stateDirectory + "/capture-folder",
            verify: capture.verify)
    }
}

extension ConfiguredCamera {
    /// Creates the settings of a camera without a configuration table. The caller fills in id, name and port.
    init(_ capture: Settings<CaptureKeys>) {
        self.init(
            id: "", name: "", port: "", zone: nil, deletesAfterSave: capture.deletesAfterSave,
            captureTarget: capture.captureTarget, shutterWait: capture.shutterWait, clock: capture.clock)
    }

    init(_ camera: Configuration.Camera) {
        self.init(
            // The id is the table's name, which is stable. The address may later belong to another camera.
            id: CameraID(rawValue: camera.name), name: camera.name, port: camera.address,
            zone: camera.timeZone.flatMap(TimeZone.init(identifier:)),
            deletesAfterSave: camera.deletesAfterSave, captureTarget: camera.captureTarget,
            shutterWait: camera.shutterWait, clock: camera.clock, preset: camera.preset)
    }
}
