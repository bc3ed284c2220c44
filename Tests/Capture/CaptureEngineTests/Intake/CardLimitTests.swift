import Cameras
import Foundation
import FrameFastModel
import Testing

@testable import CaptureEngine

/// Tests of the maximum number of objects that one connection records in the ledger.
@Suite struct CardLimitTests {
    private static let photo = Data([0xFF, 0xD8, 0xFF, 0xD9])

    private static func object(_ number: Int) -> CameraObject {
        CameraObject(
            folder: "/store_00010001/DCIM", name: "IMG_\(number).BIN", size: UInt64(photo.count),
            cameraTime: 1)
    }

    @Test(arguments: [(5, 3), (3, 3), (2, 3)])
    func `stops at the object limit of a connection, and raises a condition if objects remain`(
        there: Int, most: Int
    )
        async throws
    {
        let objects = (1...there).map(Self.object)
        let camera = try await ScriptedCamera(objects, configure: { $0.newObjectsMax = most }) { _, _, _ in
            Self.photo
        }
        defer { camera.remove() }
        try await camera.serve { try await camera.records().count { $0.state == .saved } == min(there, most) }
        #expect(try await camera.records().count == min(there, most))
        let reported = camera.conditionBoard.current.filter { $0.kind == .cardOverfull }
        #expect(reported.count == (there > most ? 1 : 0))
        #expect(reported.allSatisfy { !$0.nextStep.isEmpty })
    }
}
