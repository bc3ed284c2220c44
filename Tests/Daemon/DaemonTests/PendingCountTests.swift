import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import Cameras
@testable import CaptureEngine
@testable import FrameFastDaemon

/// Tests of the number of photos that still have to be fetched from a camera.
@Suite(.blocking) struct PendingCountTests {
    /// Regression test: the status showed "1 photo to fetch" next to "Saved". No event is published when
    /// a photo is forgotten or is a duplicate.
    @Test func `updates the pending count after commits that publish no event`() async throws {
        let body = CameraHandlerTests.body(1, "left")
        let service = try await ScriptedService()
        try await service.remember([body])
        let ledger = service.ledger
        let status = CameraStatus(id: body.id, name: body.name, port: "p", state: .ready)
        try await ledger.recordCamera(status, as: "body", zone: nil, place: "p", isListed: true, at: Date())

        let clock = VirtualClock()
        let counts = PendingCounts(ledger: ledger, registry: service.registry, clock: clock.hostClock)
        let running = Task { await counts.run() }
        await clock.hasSleeper()
        func counted() async -> Int? {
            clock.advance(by: .seconds(1))
            await clock.hasSleeper()
            return service.registry.camera(body.id)?.pending
        }
        func recordSeen(_ folder: String, _ name: String) async throws -> CaptureID {
            let object = CameraObject(folder: folder, name: name, size: 3, cameraTime: 99)
            let seen = try await ledger.recordSeen([object], camera: "body", session: nil, at: Date())
            return try #require(seen.first?.id)
        }
        func publish(_ id: CaptureID) async throws -> CaptureRecord.State? {
            try await ledger.beginPublishing(
                [Arrival(id: id, bytes: 3, sha256: "aa", transferMs: 1)],
                naming: service.parts.engine.naming.policy
            ).first?.state
        }

        let first = try await recordSeen("/A", "1.JPG")
        #expect(await counted() == 1)
        let again = try await recordSeen("/B", "1.JPG")
        #expect(await counted() == 2)
        #expect(try await publish(first) == .publishing)
        #expect(await counted() == 2)
        try await ledger.finishPublishing([first], at: Date())
        #expect(await counted() == 1)
        #expect(try await publish(again) == .duplicate)
        #expect(await counted() == 0)
        let misread = try await recordSeen("/A", "2.JPG")
        #expect(await counted() == 1)
        try await ledger.forget([misread])
        #expect(await counted() == 0)

        running.cancel()
        clock.advance(by: .seconds(1))
        await running.value
    }
}
