import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import Store
import TestRig
import Testing
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine
@testable import FrameFastDaemon

/// Tests that the status shows the last change, at a cost that does not depend on the number of cameras.
@Suite(.blocking) struct StatusTests {
    private static func bodies(_ count: Int) -> [ScriptedService.Body] {
        (1...count).map { CameraHandlerTests.body($0, "camera-\($0)") }
    }

    /// Returns the number of queries for a second status.
    private static func queryCount(cameras: Int) async throws -> Int {
        let service = try await ScriptedService()
        try await service.remember(bodies(cameras))
        for body in bodies(cameras) { service.registry.update(body.id, state: .ready) }
        #expect(try await service.control.status().cameras.count == cameras)
        let before = service.ledger.readCount
        #expect(try await service.control.status().cameras.count == cameras)
        return service.ledger.readCount - before
    }

    @Test func `a status for 100 cameras uses as many queries as for one`() async throws {
        let one = try await Self.queryCount(cameras: 1)
        #expect(try await Self.queryCount(cameras: 100) == one)
        #expect(one <= 5)
    }

    @Test func `queries the last capture of a camera without photos only once`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 1)
        let service = try await ScriptedService()
        try await service.remember([body])
        let control = service.control
        let first = service.ledger.readCount
        _ = try await control.cameras.list()
        let second = service.ledger.readCount
        #expect(try await control.cameras.get("left").lastCapture == nil)
        #expect(second - first == 2 && service.ledger.readCount - second == 1)
        try await service.running {
            try service.connect(body)
            try await service.waitForPhotos(1)
            let announced = try await eventually("the photo to be announced") {
                try await control.cameras.get("left").lastCapture
            }
            #expect(announced.id == 1)
        }
    }

    @Test func `the next status shows each change`() async throws {
        let body = CameraHandlerTests.body(1, "left")
        let service = try await ScriptedService()
        try await service.remember([body])
        let (control, registry) = (service.control, service.registry)
        func camera() async throws -> CameraReply { try await #require(control.status().cameras.first) }

        for state in [CameraState.connecting, .ready, .downloading, .reconnecting] {
            registry.update(body.id, state: state)
            #expect(try await camera().state == state)
        }
        for percent in [80, 79] {
            registry.update(body.id, facts: CameraFacts(batteryPercent: percent))
            #expect(try await camera().batteryPercent == percent)
        }
        service.parts.conditionBoard.raise(
            .diskLow, sentence: "The disk is nearly full.", nextStep: "Free some space.")
        #expect(try await control.status().conditions.map(\.code) == ["disk-low"])
        service.parts.conditionBoard.clear(.diskLow)
        #expect(try await control.status().conditions.isEmpty)
        let session = try await control.sessions.start(SessionStartRequest(name: "wedding"))
        #expect(try await control.status().session?.id == session.id)
        _ = try await control.sessions.stop()
        #expect(try await control.status().session == nil)

        let status = CameraStatus(id: body.id, name: body.name, port: "p", state: .ready)
        try await service.ledger.recordCamera(
            status, as: "body", zone: nil, place: "p", isListed: true, at: Date())
        for waiting in 1...3 {
            let object = CameraObject(folder: "/DCIM", name: "\(waiting).JPG", size: 1, cameraTime: 1)
            _ = try await service.ledger.recordSeen(
                [object], camera: "body", session: nil, at: Date())
            #expect(try await camera().pending == waiting)
            // A status may query the ledger before a newer count is stored. The result of the query must not
            // replace the newer count.
            #expect(registry.camera(body.id)?.pending == 0)
        }
    }

    @Test func `shows the last capture of a recognized body`() async throws {
        let body = CameraHandlerTests.body(1, "left")
        let service = try await ScriptedService()
        try await service.remember([body])
        let control = service.control
        #expect(try await control.cameras.get("left").lastCapture == nil)
        // The photo was saved in an earlier run, with another camera id.
        let status = CameraStatus(id: "usb:1-1", name: "old", port: "p", state: .ready)
        try await service.ledger.recordCamera(
            status, as: "body", zone: nil, place: "p", isListed: true, at: Date())
        let object = CameraObject(folder: "/DCIM", name: "A.JPG", size: 1, cameraTime: 1)
        let seen = try await service.ledger.recordSeen([object], camera: "body", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        let arrival = Arrival(id: id, bytes: 1, sha256: "", transferMs: 1)
        let naming = service.parts.engine.naming
        _ = try await service.ledger.beginPublishing([arrival], naming: naming.policy)
        try await service.ledger.finishPublishing([id], at: Date())
        #expect(try await control.cameras.get("left").lastCapture == nil)
        let now = CameraStatus(id: body.id, name: body.name, port: "p", state: .ready)
        try await service.ledger.recordCamera(
            now, as: "body", zone: nil, place: "p", isListed: true, at: Date())
        naming.add(PhotoCamera(now, zone: .gmt), identity: "body")
        #expect(try await control.cameras.get("left").lastCapture?.id == id)
    }
}
