import Foundation
import FrameFastModel
import ScriptedWorker
import Testing
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine

/// Tests of a camera that opens the session but refuses access to the objects on its card.
@Suite struct RefusedCardTests {
    private static let photo = CameraObject(
        folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: 1)

    /// A reason why photos cannot be listed.
    enum Cause: CaseIterable {
        case objects, listing
    }

    @Test(arguments: Cause.allCases, ["ptpip:192.168.1.1", "usb:"])
    func `reports a refused card until the camera describes its objects`(
        cause: Cause, port: String
    ) async throws {
        let camera = try await ScriptedCamera([], port: port) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        switch cause {
        case .objects: camera.worker.setRefusedCount(2)
        case .listing:
            camera.worker.failListing(WorkerFailure(kind: .refused, during: "list", text: "Access Denied"))
        }
        try await camera.serve(
            until: {
                let condition = camera.conditionBoard.current.first { $0.kind == .photoFailing }
                guard let condition else { return false }
                #expect(condition.sentence.contains("the camera refuses access to"))
                #expect(condition.nextStep.contains("Wi-Fi for a smart device") == port.hasPrefix("ptpip"))
                #expect(condition.nextStep.contains("Do not format the card"))
                // The user follows the next step.
                camera.worker.setRefusedCount(0)
                camera.worker.failListing(nil)
                camera.worker.put([Self.photo])
                return true
            },
            then: [
                ScriptedCamera.Visit {
                    let records = try await camera.records()
                    return camera.conditionBoard.current.isEmpty
                        && records.contains { $0.object == Self.photo && $0.state == .saved }
                }
            ])
    }
}
