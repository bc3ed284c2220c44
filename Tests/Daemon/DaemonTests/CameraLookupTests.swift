import Foundation
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import Store
import TestRig
import Testing

@testable import FrameFastDaemon

@Suite(.blocking) struct CameraLookupTests {
    private static let left = ScriptedService.Body(
        id: "test-t-1", name: "left", worker: .init([]) { _, _, _ in Data() }, serial: "4711")

    /// Returns a service with the stored camera `left` and several forgotten cameras.
    private static func service() async throws -> ScriptedService {
        let service = try await ScriptedService()
        let cameras: [(BodyID, CameraID, String, Double)] = [
            ("a", "test-t-2", "right", 100), ("b", "test-t-3", "right", 200), ("c", "test-t-4", "left", 300),
        ]
        for (body, id, name, seconds) in cameras {
            try await service.ledger.recordCamera(
                CameraStatus(id: id, name: name, port: "p", state: .gone), as: body, zone: nil, place: "1-1",
                isListed: true, at: Date(timeIntervalSince1970: seconds))
        }
        try await service.remember([left])
        return service
    }

    @Test(
        arguments: [
            ("test-t-1", "test-t-1"), ("left", "test-t-1"), ("test-t-2", "test-t-2"), ("right", "test-t-3"),
            ("nobody", "nobody"),
        ] as [(CameraReference, CameraID)])
    func `resolves a reference by id, then name, then name of the newest forgotten camera`(
        word: CameraReference, id: CameraID
    ) async throws {
        let service = try await Self.service()
        #expect(
            try await CameraLookup(registry: service.registry, ledger: service.ledger).recordedCameraID(word)
                == id)
        #expect(try await service.control.captures.list(CapturesQuery(camera: word)).captures.isEmpty)
    }

    @Test func `a forgotten camera keeps its photos if its name is another camera's id`() async throws {
        let service = try await Self.service()
        try await service.remember([.init(id: "right", name: "bench", worker: Self.left.worker, serial: "9")])
        let record = try await service.ledger.recordSeen(
            [CameraObject(folder: "/store_1", name: "A.JPG", size: 1, cameraTime: 1)], camera: "b",
            session: nil,
            at: Date())
        #expect(record.count == 1)
        let camera = try await service.control.cameras.get("bench")
        #expect(camera.pending == 0)
        #expect(try await service.control.captures.list(CapturesQuery(camera: "right")).captures.isEmpty)
        #expect(
            try await service.control.captures.list(CapturesQuery(camera: "test-t-3")).captures.count == 1)
    }

    @Test func `tests a template with the name of a disconnected camera`() async throws {
        let service = try await ScriptedService()
        try await service.remember([Self.left])
        let reply = try await service.control.templates.test(.init(template: "{camera}.{ext}", count: 1))
        #expect(reply.names == ["left.jpg"])
    }
}
