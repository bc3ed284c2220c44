import Cameras
import Foundation
import FrameFastModel
import Store
import Testing

@testable import CaptureEngine

/// Tests of the transfers of one connection.
@Suite struct PhotoTransfersTests {
    @Test func `does not fetch a saved photo again for an outdated record`() async throws {
        let photo = CameraObject(folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: 1)
        let camera = try await ScriptedCamera([photo]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        let wake = AsyncStream<Void>.makeStream().continuation
        let transfers = PhotoTransfers(
            camera.context, outcome: ConnectionOutcome(), previous: IntakeState(), wake: wake)
        let record = try #require(
            try await camera.ledger.recordSeen(
                [photo], camera: camera.context.identity, session: nil, at: Date()
            ).first)
        transfers.append([record])
        #expect(transfers.startNext()?.id == record.id)
        try await camera.publishing { _ = await transfers.fetchAndPublish(record) }
        #expect(try await camera.records().map(\.state) == [.saved])
        // The camera announced the photo again, and the ledger was queried before the photo was saved.
        transfers.append([record])
        #expect(transfers.startNext() == nil)
    }
}
