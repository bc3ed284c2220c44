import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Testing
import WorkerProtocol

@testable import CaptureEngine

/// Tests of the evaluation of second readings.
@Suite struct SecondReadingsTests {
    private static let bytes = Data("the right bytes".utf8)

    private static func waiting(
        _ name: String = "A.XML", in camera: ScriptedCamera
    ) async throws -> CaptureRecord {
        let object = CameraObject(
            folder: "/store_00010001/DCIM", name: name, size: UInt64(bytes.count), cameraTime: 1)
        let id = try await EarlierPhoto(object: object, bytes: bytes, awaitsReread: true)
            .save(in: camera.ledger, camera.root)
        return try #require(try await camera.ledger.capture(id: id))
    }

    private static func camera() async throws -> ScriptedCamera {
        try await ScriptedCamera([], configure: { $0.verify = .reread }) { _, _, _ in Data() }
    }

    private static func recordBodies(_ ids: [String], of camera: ScriptedCamera) async throws {
        for id in ids {
            let body = CameraStatus(
                id: CameraID(rawValue: id), name: id, port: "p", state: .ready, facts: camera.connection.facts
            )
            try await camera.ledger.recordCamera(
                body, as: BodyID(rawValue: id), zone: nil, place: id, isListed: true, at: Date())
        }
    }

    private static func reading(_ sha256: String) -> FetchResult {
        FetchResult(bytes: UInt64(bytes.count), sha256: sha256, transferMs: 1)
    }

    private static func isNamed(_ camera: ScriptedCamera) -> Bool {
        camera.conditionBoard.current.contains { $0.kind == .linkCorrupts }
    }

    @Test func `an equal second reading verifies the photo`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let record = try await Self.waiting(in: camera)
        let readings = SecondReadings(camera.context)
        let settled = await readings.evaluate(record, Self.reading(try #require(record.sha256)), "/no/part")
        #expect(settled?.verified == .reread && !Self.isNamed(camera))
    }

    @Test func `repeats a second reading with different bytes and reports a corrupting link`()
        async throws
    {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let record = try await Self.waiting(in: camera)
        let readings = SecondReadings(camera.context)
        readings.append(record)
        var taken = 0
        while let next = readings.next() {
            taken += 1
            readings.finish(next.id)
            let settled = await readings.evaluate(next, Self.reading("other \(taken)"), "/no/part")
            #expect(settled == nil)
        }
        // The bytes on the disk count as the first reading.
        #expect(taken == Readings.differentMax - 1)
        #expect(Self.isNamed(camera))
        #expect(try await camera.records().map(\.verified) == [.awaitingReread])
    }

    @Test(arguments: [true, false])
    func `keeps a saved photo if another camera has the same serial number`(isShared: Bool) async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        try await Self.recordBodies(isShared ? ["test-S1", "test-S1#2"] : ["test-S1"], of: camera)
        let record = try await Self.waiting(in: camera)
        let path = try #require(record.path)
        let part = camera.root + "/other.part"
        try Data("the other photo".utf8).write(to: URL(filePath: part))
        let readings = SecondReadings(camera.context)
        for _ in 1...2 { _ = await readings.evaluate(record, Self.reading("other"), part) }
        #expect(readings.hasOtherPhoto == isShared)
        #expect((FileManager.default.contents(atPath: path) == Self.bytes) == isShared)
        // The ledger marks the kept photo as past. A past photo matches no object on the card.
        let known = try await camera.ledger.capture(of: record.object, camera: "test-S1")
        #expect((known == nil) == isShared)
    }

    @Test func `corrects a photo of this connection even if a serial number is shared`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        try await Self.recordBodies(["test-S1", "test-S1#2"], of: camera)
        let record = try await Self.waiting(in: camera)
        let part = camera.root + "/other.part"
        try Data("the other photo".utf8).write(to: URL(filePath: part))
        let readings = SecondReadings(camera.context)
        readings.append(record)
        for _ in 1...2 { _ = await readings.evaluate(record, Self.reading("other"), part) }
        #expect(!readings.hasOtherPhoto && Self.isNamed(camera))
        #expect(FileManager.default.contents(atPath: try #require(record.path)) != Self.bytes)
    }

    @Test func `attempts a second reading three times in a connection`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let readings = SecondReadings(camera.context)
        readings.append(try await Self.waiting(in: camera))
        var taken = 0
        while let next = readings.next() {
            taken += 1
            readings.finish(next.id)
            let settled = await readings.handleFailure(
                next, WorkerFailure(kind: .refused, during: "fetch", text: "not now"))
            #expect(settled == nil)
        }
        #expect(taken == 3)
    }

    @Test func `verifies only the structure of a photo missing from the camera`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let readings = SecondReadings(camera.context)
        let settled = await readings.handleFailure(
            try await Self.waiting(in: camera),
            WorkerFailure(kind: .objectGone, during: "fetch", text: "gone"))
        #expect(settled?.verified == .structure)
    }

    @Test(arguments: [true, false])
    func `queues waiting photos on the card and reports waiting photos on other cards`(
        isOnCard: Bool
    ) async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let record = try await Self.waiting(in: camera)
        let readings = SecondReadings(camera.context)
        try await readings.loadAwaiting(on: ObjectList(isOnCard ? [record.object] : []))
        #expect(readings.next()?.id == (isOnCard ? record.id : nil))
        #expect(camera.conditionBoard.current.contains { $0.kind == .rereadWaits } == !isOnCard)
    }

    @Test func `loads photos last if their second reading ended a connection`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        var records: [CaptureRecord] = []
        for name in ["A.XML", "B.XML", "C.XML"] {
            records.append(try await Self.waiting(name, in: camera))
        }
        var lost: [CaptureID] = []
        // In each connection, the first reading ends the connection.
        for expected in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]] {
            let readings = SecondReadings(camera.context, lostRereads: lost)
            try await readings.loadAwaiting(on: ObjectList(records.map(\.object)))
            var order: [CaptureID] = []
            while let next = readings.next() { order.append(next.id) }
            #expect(order == expected.map { records[$0].id })
            readings.recordLoss(try #require(order.first))
            lost = readings.lostRereads
        }
        // Photos that no longer wait for a second reading are forgotten.
        try await camera.ledger.endAwaitingReread()
        let readings = SecondReadings(camera.context, lostRereads: lost)
        try await readings.loadAwaiting(on: ObjectList(records.map(\.object)))
        #expect(readings.lostRereads.isEmpty && readings.isEmpty)
    }
}
