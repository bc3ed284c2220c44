import Cameras
import CaptureEngine
import Foundation
import FrameFastConfiguration
import FrameFastModel
import SettingKeys

/// From the configuration's words to what the rooms take.
extension CaptureSettings {
    init(_ capture: Settings<CaptureKeys>, stateDirectory: String) throws {
        self.init(
            directory: capture.directory, template: try NamingTemplate(capture.template),
            minFreeBytes: UInt64(max(capture.minFreeBytes, 0)),
            pairSettleSeconds: capture.pairSettle / .seconds(1),
            existing: capture.existing == .skip ? .skip : .fetch,
            folderMemory: stateDirectory + "/capture-folder",
            verify: capture.verify == .reread ? .reread : .structure)
    }
}

extension ConfiguredCamera {
    /// What holds for a camera that no table names; id, name and port are to be filled in.
    init(_ capture: Settings<CaptureKeys>) {
        self.init(
            id: "", name: "", port: "", zone: nil, deletesAfterSave: capture.deletesAfterSave,
            captureTarget: capture.captureTarget, shutterWait: capture.shutterWait, clock: capture.clock)
    }

    init(_ camera: Configuration.Camera) {
        self.init(
            // The table is what is stable of it: another body may answer at its address.
            id: CameraID(rawValue: camera.name), name: camera.name, port: camera.address,
            zone: camera.timeZone.flatMap(TimeZone.init(identifier:)),
            deletesAfterSave: camera.deletesAfterSave, captureTarget: camera.captureTarget,
            shutterWait: camera.shutterWait, clock: camera.clock, preset: camera.preset)
    }
}
