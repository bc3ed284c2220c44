import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import Cameras
@testable import CaptureEngine

/// Tests of the model's checks for waiting records.
@Suite(.blocking) struct ModelStationTests {
    private let camera = ModelCamera(id: "camera-2", serial: "2")
    private let station: ModelStation

    init() throws {
        station = try ModelStation(
            [camera], verify: .structure, deletesAfterSave: true, seed: SeededRandom())
        camera.shoot(.lost, size: 90, secondsLater: 1)
    }

    @Test func `forgets a record with a wrong time if folder names are unreadable and its photo is deleted`()
        async throws
    {
        _ = try await record(listing(.otherTime))
        let photo = try #require(camera.taken.first)
        camera.addFault(.misplaced)
        try await station.start()
        try await eventually("the photo to be deleted on the camera") { camera.has(photo) ? nil : () }
        await station.stop()
        // Two connections did not find the photo.
        let pending = try await station.ledger.pending(camera: "test-2").map(\.object)
        #expect(pending == [])
        #expect(try await station.violations(mayConfuse: false) == [])
    }

    @Test func `reports a mistimed record while folder names can be read`() async throws {
        let mistimed = try await record(listing(.otherTime))
        #expect(try await station.waiting(mayConfuse: false).map(\.object) == [mistimed])
    }

    @Test(arguments: [ModelCamera.ListFault.timeless, .sizeless, .nameless, .doubled])
    func `reports a record with the right time even if folder names are unreadable`(
        fault: ModelCamera.ListFault
    ) async throws {
        let misread = try await record(listing(fault))
        _ = try await listing(.misplaced)
        #expect(try await station.waiting(mayConfuse: false).map(\.object) == [misread])
    }

    @Test func `reports a record whose time differs from every listing`() async throws {
        var invented = try await listing(.otherTime)
        invented.cameraTime = 13
        _ = try await record(invented)
        _ = try await listing(.misplaced)
        #expect(try await station.waiting(mayConfuse: false).map(\.object) == [invented])
    }

    /// Lists the card with a fault, in a connection that ends before it fetches anything.
    ///
    /// - Returns: The last object of the list.
    private func listing(_ fault: ModelCamera.ListFault) async throws -> CameraObject {
        camera.addFault(fault)
        var random = SeededRandom()
        let connection = try camera.connect(deletesAfterSave: true, using: &random).daemonSide
        defer {
            camera.disconnect()
            connection.abandon()
        }
        var objects: [CameraObject] = []
        for try await portion in connection.list() { objects += portion.objects }
        return try #require(objects.last)
    }

    /// Enters an object in the ledger, like a connection that ends directly after its list.
    private func record(_ object: CameraObject) async throws -> CameraObject {
        let records = try await station.ledger.recordSeen(
            [object], camera: "test-2", session: nil, at: Date(timeIntervalSince1970: 0))
        return try #require(records.first).object
    }
}
