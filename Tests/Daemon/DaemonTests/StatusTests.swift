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
@testable import FrameFastDaemon

/// Everything at a glance: as fresh as what happened last, and no dearer with a hundred cameras.
@Suite struct StatusTests {
    private static func bodies(_ count: Int) -> [ScriptedService.Body] {
        (1...count).map { CameraHandlerTests.body($0, "camera-\($0)") }
    }

    /// Questions that a status asks the ledger when it is not the first.
    private static func questions(cameras: Int) async throws -> Int {
        let service = try await ScriptedService()
        try await service.remember(bodies(cameras))
        for body in bodies(cameras) { service.registry.update(body.id, state: .ready) }
        #expect(try await service.control.status().cameras.count == cameras)
        let before = service.ledger.questions
        #expect(try await service.control.status().cameras.count == cameras)
        return service.ledger.questions - before
    }

    @Test func `it asks the ledger no more with a hundred cameras than with one`() async throws {
        let one = try await Self.questions(cameras: 1)
        #expect(try await Self.questions(cameras: 100) == one)
        #expect(one <= 5)
    }

    @Test func `a camera without a photo is looked for in the ledger once, and its first photo shows`()
        async throws
    {
        let body = CameraHandlerTests.body(1, "left", photos: 1)
        let service = try await ScriptedService()
        try await service.remember([body])
        let control = service.control
        let first = service.ledger.questions
        _ = try await control.cameras()
        let second = service.ledger.questions
        #expect(try await control.camera("left").lastCapture == nil)
        #expect(second - first == 2 && service.ledger.questions - second == 1)
        try await service.running {
            try service.connect(body)
            try await service.settled(1)
            let announced = try await eventually("the photo to be announced") {
                try await control.camera("left").lastCapture
            }
            #expect(announced.id == 1)
        }
    }

    @Test func `what happened shows in the next status`() async throws {
        let body = CameraHandlerTests.body(1, "left")
        let service = try await ScriptedService()
        try await service.remember([body])
        let (control, registry) = (service.control, service.registry)
        func camera() async throws -> CameraReply { try await #require(control.status().cameras.first) }

        for state in [CameraState.connecting, .ready, .downloading, .reconnecting] {
            registry.update(body.id, state: state)
            #expect(try await camera().state.rawValue == state.rawValue)
        }
        for percent in [80, 79] {
            registry.update(body.id, facts: CameraFacts(batteryPercent: percent))
            #expect(try await camera().batteryPercent == percent)
        }
        control.health.raise(.diskLow, sentence: "The disk is nearly full.", nextStep: "Make room.")
        #expect(try await control.status().conditions.map(\.code) == ["disk-low"])
        control.health.clear(.diskLow)
        #expect(try await control.status().conditions.isEmpty)
        let session = try await control.startSession(SessionStartRequest(name: "wedding"))
        #expect(try await control.status().session?.id == session.id)
        _ = try await control.stopSession()
        #expect(try await control.status().session == nil)

        let met = CameraStatus(id: body.id, name: body.name, port: "p", state: .ready)
        try await service.ledger.remember(met, as: "body", place: "p", isListed: true, at: Date())
        for waiting in 1...3 {
            let object = CameraObject(folder: "/DCIM", name: "\(waiting).JPG", size: 1, cameraTime: 1)
            _ = try await service.ledger.recordSeen(
                [object], camera: "body", session: nil, at: Date())
            #expect(try await camera().pending == waiting)
        }
    }
}
