import Foundation
import FrameFastModel
import ScriptedWorker
import Testing
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine

/// Tests of the listing progress in the camera's status.
@Suite struct ListingProgressTests {
    private static func object(_ number: Int) -> CameraObject {
        CameraObject(
            folder: "/store_00010001/DCIM", name: "IMG_\(number).XMP", size: 3, cameraTime: Int64(number))
    }

    private func camera(_ count: Int) async throws -> (camera: ScriptedCamera, registry: CameraRegistry) {
        let camera = try await ScriptedCamera((0..<count).map(Self.object)) { _, _, _ in Data("xml".utf8) }
        let registry = camera.engine.shared.registry
        registry.insert(CameraStatus(id: "studio-a", name: "studio-a", port: "usb:", state: .connecting))
        return (camera, registry)
    }

    @Test func `shows the progress of a listing until it ends`() async throws {
        let (camera, registry) = try await camera(0)
        defer { camera.remove() }
        let seen = SeenObjects(camera.context, previous: IntakeState(), timeline: { SessionTimeline() })
        seen.reportProgress(read: 1_200, of: 5_003)
        #expect(registry.camera("studio-a")?.listing == ListingProgress(read: 1_200, total: 5_003))
        seen.reportProgress(read: 2_400, of: nil)
        #expect(registry.camera("studio-a")?.listing == ListingProgress(read: 2_400, total: nil))
        seen.clearProgress()
        #expect(registry.camera("studio-a")?.listing == nil)
    }

    @Test(arguments: [false, true])
    func `clears the listing progress after a complete or interrupted listing`(
        breaksOff: Bool
    ) async throws {
        let (camera, registry) = try await camera(40)
        defer { camera.remove() }
        if breaksOff {
            camera.worker.failListing(WorkerFailure(kind: .disconnected, during: "list", text: "gone"))
        }
        try await camera.serve {
            try await camera.records().count >= (breaksOff ? 20 : 40)
        }
        #expect(registry.camera("studio-a")?.listing == nil)
    }
}
