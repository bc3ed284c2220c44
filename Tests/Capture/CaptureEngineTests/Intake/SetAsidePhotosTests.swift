import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import ScriptedWorker
import Store
import Synchronization
import Testing

@testable import CaptureEngine

/// Tests of photos that are set aside for the user.
@Suite struct SetAsidePhotosTests {
    private static func object(_ name: String, size: UInt64 = 3, inMemory: Bool = false) -> CameraObject {
        CameraObject(
            folder: inMemory ? "/" : "/store_00010001/DCIM", name: name, size: size, cameraTime: 1)
    }

    /// Sets photos aside, each with its reason.
    private static func setAside(
        _ photos: [(CameraObject, why: String)], in camera: ScriptedCamera
    ) async throws -> (SetAsidePhotos, [CaptureRecord]) {
        let aside = SetAsidePhotos(camera.context)
        let records = try await camera.ledger.recordSeen(
            photos.map(\.0), camera: camera.context.identity, session: nil, at: Date())
        for (record, photo) in zip(records, photos) {
            try await camera.ledger.setAside(id: record.id, failure: photo.why)
            await aside.append(record.id, photo.why)
        }
        return (aside, records)
    }

    private static func reported(_ camera: ScriptedCamera) -> Set<String> {
        Set(camera.conditionBoard.current.map(\.code)).intersection(["photo-damaged", "too-large-for-link"])
    }

    @Test(arguments: [("usb:", [1, 2]), ("ptpip:10.0.0.1", [1])] as [(String, [CaptureID])])
    func `retries no photos from the camera's memory, and oversized photos only over USB`(
        port: String, again: [CaptureID]
    ) async throws {
        let camera = try await ScriptedCamera([], port: port) { _, _, _ in Data() }
        defer { camera.remove() }
        let (aside, _) = try await Self.setAside(
            [
                (Self.object("A.JPG"), "it is empty"), (Self.object("B.MOV"), SetAsidePhotos.tooLarge),
                (Self.object("C.JPG", inMemory: true), "it is empty"),
            ], in: camera)
        #expect(aside.retryable.map(\.id) == again)
        #expect(Self.reported(camera) == ["photo-damaged", "too-large-for-link"])
    }

    @Test func `reports damaged and too large photos separately until resolved`() async throws {
        let camera = try await ScriptedCamera([], port: "ptpip:10.0.0.1") { _, _, _ in Data() }
        defer { camera.remove() }
        let (aside, records) = try await Self.setAside(
            [
                (Self.object("A.JPG"), "it is empty"),
                (Self.object("B.MOV", size: 5), SetAsidePhotos.tooLarge),
                (Self.object("C.MOV", size: 9), SetAsidePhotos.tooLarge),
            ], in: camera)
        let large = try #require(camera.conditionBoard.current.first { $0.code == "too-large-for-link" })
        #expect(large.sentence.contains("C.MOV and 1 more"))
        aside.removeIntact(records[0])
        #expect(Self.reported(camera) == ["too-large-for-link"] && !aside.contains(records[0].id))
        for record in records[1...] {
            let waited = aside.remove(record.id)
            #expect(waited)
        }
        #expect(Self.reported(camera) == [])
        let wasRemoved = aside.remove(records[1].id)
        #expect(!wasRemoved)
    }

    @Test func `keeps a damaged photo's bytes until an intact transfer`() async throws {
        let camera = try await ScriptedCamera([]) { _, _, _ in Data() }
        defer { camera.remove() }
        let (aside, records) = try await Self.setAside(
            [(Self.object("A.JPG"), "it is empty")], in: camera)
        let part = camera.engine.shared.parts.path(records[0].id)
        try Data("half".utf8).write(to: URL(filePath: part))
        try await aside.saveBytes(part, of: records[0])
        let path = camera.engine.shared.settings.setAsideFolder + "/1-A.JPG"
        #expect(FileManager.default.contents(atPath: path) == Data("half".utf8))
        #expect(!DurableFile.exists(part))
        aside.removeIntact(records[0])
        #expect(!DurableFile.exists(path))
    }

    /// A listing may lack the times of all photos (seed 1662 of the simulation). If the next listing has the
    /// time, the photo gets a new record.
    @Test func `forgets a damaged record without a time once the photo is saved`() async throws {
        let photo = Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0, 0xFF, 0xD9])
        let withoutTime = CameraObject(
            folder: "/store_00010001/DCIM", name: "A.JPG", size: UInt64(photo.count), cameraTime: nil)
        let withTime = CameraObject(
            folder: withoutTime.folder, name: withoutTime.name, size: withoutTime.size, cameraTime: 1)
        let isIntact = Mutex(false)
        let camera = try await ScriptedCamera([withoutTime]) { _, _, _ in
            isIntact.withLock(\.self) ? photo : Data(count: photo.count)
        }
        defer { camera.remove() }
        let saved = ScriptedCamera.Visit {
            let records = try await camera.records()
            return records.map(\.state) == [.saved] && records.map(\.object) == [withTime]
        }
        try await camera.serve(
            until: {
                guard try await camera.records().map(\.state) == [.setAside] else { return false }
                isIntact.withLock { $0 = true }
                camera.worker.put([withTime])
                return true
            }, then: [saved])
    }

    /// After a retry by the user, the camera may announce the photo again without a time.
    @Test func `keeps a damaged photo without a time that is set aside again`() async throws {
        let withoutTime = CameraObject(
            folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: nil)
        let withTime = Self.object("A.XML")
        let camera = try await ScriptedCamera([]) { _, _, _ in Data() }
        defer { camera.remove() }
        let records = try await camera.ledger.recordSeen(
            [withoutTime], camera: camera.context.identity, session: nil, at: Date())
        let damaged = try #require(records.first)
        try await camera.ledger.setAside(id: damaged.id, failure: "it is empty")
        let seen = SeenObjects(camera.context, previous: IntakeState(), timeline: { SessionTimeline() })
        try await seen.startConnection()
        let aside = SetAsidePhotos(camera.context)
        try await aside.load(on: ObjectList([withTime]), seen)
        try await EarlierPhoto(object: withTime, bytes: Data("xml".utf8)).save(in: camera.ledger, camera.root)

        await aside.append(damaged.id, "it is empty")
        await aside.forgetSavedWithTime()
        #expect(try await camera.records().map(\.state) == [.setAside, .saved])

        _ = aside.remove(damaged.id)
        await aside.forgetSavedWithTime()
        #expect(try await camera.records().map(\.state) == [.saved])
    }
}
