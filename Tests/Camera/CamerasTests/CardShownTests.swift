import Foundation
import FrameFastModel
import Testing

@testable import Cameras
@testable import Makers

/// Tests whether the condition for photos left in a camera ends when the camera's USB mode changes.
@Suite struct CardShownTests {
    @Test(
        arguments: [(.mtp, false), (.massStorage, false), (.tether, true), (.charging, true)]
            as [(CameraMode, Bool)])
    func `photos-left condition ends when the card becomes readable`(
        mode: CameraMode, isStanding: Bool
    ) throws {
        let conditionBoard = ConditionBoard { _ in }
        let status = FleetStatus(
            registry: CameraRegistry { _ in }, conditionBoard: conditionBoard, knowledge: try .bundled())
        let camera = ConfiguredCamera(
            id: "one", name: "one", port: "", zone: .gmt, deletesAfterSave: false)
        conditionBoard.raise(
            .photosLeftInCamera, subject: .camera("one"), sentence: "Four.", nextStep: "Copy them.")
        status.showPlugged(
            CameraMember(camera: camera, origin: .plugged),
            DeviceClassification(maker: .sony, mode: mode, action: .leave))
        #expect(conditionBoard.current.contains { $0.kind == .photosLeftInCamera } == isStanding)
    }
}
