import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import ScriptedWorker
import Store
import Synchronization
import Testing
import WorkerProtocol

@testable import CaptureEngine

/// Tests of photos that are read twice. The second reading finds and corrects transfer errors before a photo
/// is uploaded, or deleted on the camera.
@Suite struct RereadTests {
    private static let bytes = Data("the right bytes".utf8)
    private static let wrong = Data("the wrong bytes".utf8)
    private static let other = Data("still other one".utf8)

    private static func photo(_ name: String, folder: String = "/store_00010001/DCIM") -> CameraObject {
        CameraObject(folder: folder, name: name, size: UInt64(bytes.count), cameraTime: 1)
    }

    private func start(
        _ objects: [CameraObject], verify: CaptureSettings.Verify = .reread, deletesAfterSave: Bool = true,
        reading: @escaping ScriptedWorker.Reading
    ) async throws -> ScriptedCamera {
        try await ScriptedCamera(
            objects, deletesAfterSave: deletesAfterSave, configure: { $0.verify = verify }, reading: reading)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var readings: [Data]
        var isNamed: Bool
    }

    static let rows = [
        Row(
            testDescription: "a correct link", readings: [bytes, bytes], isNamed: false),
        Row(testDescription: "a wrong second reading", readings: [bytes, wrong, bytes], isNamed: true),
        Row(testDescription: "a wrong first reading", readings: [wrong, bytes, bytes], isNamed: true),
        Row(testDescription: "two wrong readings", readings: [wrong, other, bytes, bytes], isNamed: true),
    ]

    @Test(arguments: rows)
    func `saves the bytes of two equal readings before deleting the original`(row: Row) async throws {
        let photo = Self.photo("A.XML")
        let camera = try await start([photo]) { _, number, _ in
            row.readings[min(number, row.readings.count) - 1]
        }
        defer { camera.remove() }
        let onDisk = Mutex<[Data?]>([])
        let path = camera.root + "/photos/1.xml"
        camera.worker.onDelete { _ in
            onDisk.withLock { $0.append(FileManager.default.contents(atPath: path)) }
        }
        try await camera.serve { !camera.worker.deleted.isEmpty }
        #expect(onDisk.withLock { $0 } == [Self.bytes])
        #expect(camera.worker.readings(photo) == row.readings.count)
        let record = try #require(try await camera.records().first)
        #expect(record.verified == .reread && record.path == path && record.bytes == photo.size)
        #expect(try record.sha256 == PhotoHash.sha256(of: FileReader(path)))
        #expect(camera.conditionBoard.current.contains { $0.kind == .linkCorrupts } == row.isNamed)
    }

    @Test func `reads a photo once and deletes it by default`() async throws {
        let photo = Self.photo("A.XML")
        let camera = try await start([photo], verify: .structure) { _, _, _ in Self.bytes }
        defer { camera.remove() }
        try await camera.serve { !camera.worker.deleted.isEmpty }
        #expect(camera.worker.readings(photo) == 1)
        #expect(try await camera.records().map(\.verified) == [.structure])
        #expect(try await camera.ledger.unplannedUploads(limit: 9).count == 1)
    }

    @Test func `holds uploads until the second reading or until rereading is disabled`()
        async throws
    {
        let photo = Self.photo("A.XML")
        let camera = try await start([photo]) { _, number, _ throws(WorkerFailure) in
            guard number == 1 else { throw WorkerFailure(kind: .refused, during: "fetch", text: "not now") }
            return Self.bytes
        }
        defer { camera.remove() }
        try await camera.serve { camera.worker.readings(photo) >= 2 }
        let ledger = camera.ledger
        #expect(camera.worker.deleted.isEmpty)
        #expect(try await camera.records().map(\.verified) == [.awaitingReread])
        #expect(try await ledger.unplannedUploads(limit: 9).isEmpty)
        #expect(try await ledger.uploadablePhotos(after: 0, limit: 9).isEmpty)
        #expect(try await ledger.totals(startOfDay: Date(), now: Date()).awaitingReread == 1)
        #expect(camera.conditionBoard.current.contains { $0.kind == .rereadWaits })
        #expect(try await ledger.endAwaitingReread() == 1)
        #expect(try await ledger.unplannedUploads(limit: 9).count == 1)
    }

    @Test func `postpones second readings until the connection is idle`() async throws {
        let photos = [Self.photo("A.XML"), Self.photo("B.XML")]
        let order = Mutex<[String]>([])
        // Without a tick the connection never becomes idle.
        let camera = try await ScriptedCamera(
            [photos[0]], deletesAfterSave: true,
            configure: {
                $0.verify = .reread
                $0.idleTick = .seconds(3_600)
            }
        ) { object, number, _ in
            order.withLock { $0.append("\(object.name) \(number)") }
            return Self.bytes
        }
        defer { camera.remove() }
        try await camera.serve {
            let saved = try await camera.records().filter { $0.state == .saved }
            if saved.count == 1 { camera.announce(photos[1]) }
            return saved.count == photos.count
        }
        #expect(order.withLock { $0 } == ["A.XML 1", "B.XML 1"])
        #expect(try await camera.records().map(\.verified) == [.awaitingReread, .awaitingReread])
        #expect(camera.worker.deleted.isEmpty)
    }

    @Test func `continues with the next photo if a second reading ends the connection`() async throws {
        let photos = [Self.photo("A.XML"), Self.photo("B.XML")]
        let camera = try await start(photos) { object, number, _ throws(WorkerFailure) in
            guard object != photos[0] || number == 1 else {
                throw WorkerFailure(kind: .disconnected, during: "fetch", text: "gone")
            }
            return Self.bytes
        }
        defer { camera.remove() }
        try await camera.serve(
            until: { camera.worker.readings(photos[0]) == 2 },
            then: [.init(until: { try await camera.records().last?.verified == .reread })])
        #expect(try await camera.records().map(\.verified) == [.awaitingReread, .reread])
    }

    @Test func `uses a copy in the second slot as the second reading`() async throws {
        let slots = [Self.photo("A.XML"), Self.photo("A.XML", folder: "/store_00020001/DCIM")]
        let camera = try await start(slots) { _, _, _ in Self.bytes }
        defer { camera.remove() }
        try await camera.serve { camera.worker.deleted.count == 2 }
        #expect(slots.map(camera.worker.readings).reduce(0, +) == 2)
        #expect(Set(camera.worker.deleted) == Set(slots))
        #expect(try await camera.records().map(\.verified) == [.reread])
    }

    @Test func `verifies a photo from the camera's memory by its structure`() async throws {
        let photo = Self.photo("A.XML", folder: "/")
        let camera = try await start([photo]) { _, _, _ in Self.bytes }
        defer { camera.remove() }
        try await camera.serve { !camera.worker.deleted.isEmpty }
        #expect(camera.worker.readings(photo) == 1)
        #expect(try await camera.records().map(\.verified) == [.structure])
    }

    @Test func `verifies only the structure if the camera no longer has the photo`() async throws {
        let photo = Self.photo("A.XML")
        let camera = try await start([photo]) { _, number, _ throws(WorkerFailure) in
            guard number == 1 else { throw WorkerFailure(kind: .objectGone, during: "fetch", text: "gone") }
            return Self.bytes
        }
        defer { camera.remove() }
        try await camera.serve { try await camera.records().first?.verified == .structure }
        #expect(camera.worker.deleted.isEmpty)
    }

    @Test(arguments: [Data("edited meanwhile".utf8), nil] as [Data?])
    func `saves a correction separately if the first file changed or disappeared`(
        edited: Data?
    )
        async throws
    {
        let photo = Self.photo("A.XML")
        let root = Mutex("")
        let camera = try await start([photo]) { _, number, _ in
            let path = root.withLock { $0 } + "/photos/1.xml"
            if number == 2 {
                try? FileManager.default.removeItem(atPath: path)
                try? edited?.write(to: URL(filePath: path))
            }
            return number == 1 ? Self.wrong : Self.bytes
        }
        defer { camera.remove() }
        root.withLock { $0 = camera.root }
        try await camera.serve { !camera.worker.deleted.isEmpty }
        let record = try #require(try await camera.records().first)
        let path = try #require(record.path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Self.bytes && record.verified == .reread)
        if let edited {
            #expect(try Data(contentsOf: URL(filePath: camera.root + "/photos/1.xml")) == edited)
        }
    }

    /// The copy has the right bytes if the service stopped before it recorded a correction.
    @Test(arguments: [wrong, bytes, other])
    func `removes a wrong copy of a saved photo unless the copy was edited`(onDisk: Data) async throws {
        let photo = Self.photo("A.XML")
        let path = Mutex("")
        let camera = try await ScriptedCamera(
            [photo], deletesAfterSave: true, configure: { $0.verify = .reread },
            seed: { ledger, root in
                try await EarlierPhoto(object: photo, bytes: Self.bytes).save(in: ledger, root)
                // The connection then records the photo on the card again.
                try await ledger.markAllPast(camera: "test-S1")
                path.withLock { $0 = root + "/photos/1.xml" }
            },
            reading: { _, number, _ in
                if number == 2 { try? onDisk.write(to: URL(filePath: path.withLock { $0 })) }
                return number == 1 ? Self.wrong : Self.bytes
            })
        defer { camera.remove() }
        try await camera.serve { !camera.worker.deleted.isEmpty }
        let files = try FileManager.default.contentsOfDirectory(atPath: camera.root + "/photos")
            .filter { !$0.hasPrefix(".") }.sorted()
        #expect(files == (onDisk == Self.other ? ["1.xml", "earlier-1.xml"] : ["earlier-1.xml"]))
        let copy = try #require(try await camera.ledger.capture(id: 2))
        #expect(copy.state == .duplicate && copy.duplicateOf == 1)
        #expect(try await camera.records().map(\.id) == [1])
        #expect(try await camera.ledger.interruptedClearings().isEmpty)
        #expect(camera.worker.deleted == [photo])
    }

    @Test(arguments: [other, nil] as [Data?])
    func `corrects a wrong copy if the saved photo's file was edited or removed`(edited: Data?) async throws {
        let photo = Self.photo("A.XML")
        let camera = try await ScriptedCamera(
            [photo], deletesAfterSave: true, configure: { $0.verify = .reread },
            seed: { ledger, root in
                try await EarlierPhoto(object: photo, bytes: Self.bytes).save(in: ledger, root)
                let path = root + "/photos/earlier-1.xml"
                try FileManager.default.removeItem(atPath: path)
                try edited?.write(to: URL(filePath: path))
                try await ledger.markAllPast(camera: "test-S1")
            },
            reading: { _, number, _ in number == 1 ? Self.wrong : Self.bytes })
        defer { camera.remove() }
        try await camera.serve { !camera.worker.deleted.isEmpty }
        let copy = try #require(try await camera.ledger.capture(id: 2))
        #expect(copy.state == .saved && copy.verified == .reread)
        let path = try #require(copy.path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Self.bytes, "[loss] no file has the bytes")
    }
}
