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

/// Tests that the engine deletes photos from the camera only after the photos are saved.
@Suite struct CameraCleanupTests {
    /// A JPEG that was truncated in the camera.
    private static let damaged = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 3])

    private static func object(_ name: String, inMemory: Bool) -> CameraObject {
        CameraObject(
            folder: inMemory ? "/" : "/store_00010001/DCIM", name: name, size: UInt64(damaged.count),
            cameraTime: 1)
    }

    @Test func `saves a damaged photo before releasing it from the camera's memory`()
        async throws
    {
        let photo = Self.object("DSC1.JPG", inMemory: true)
        let camera = try await ScriptedCamera([photo]) { _, _, _ in Self.damaged }
        defer { camera.remove() }
        let savedBytes = Mutex<[Data?]>([])
        let folder = camera.root + "/photos/.framefast/set-aside"
        let ledger = camera.ledger
        camera.worker.onDelete { _ in
            let name = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.first ?? ""
            savedBytes.withLock { $0.append(FileManager.default.contents(atPath: "\(folder)/\(name)")) }
        }
        try await camera.serve { !camera.worker.deleted.isEmpty && !camera.conditionBoard.current.isEmpty }
        #expect(savedBytes.withLock { $0 } == [Self.damaged])
        #expect(try await ledger.captures(.init(limit: 9)).map(\.record).map(\.state) == [.setAside])
        let reported = try #require(camera.conditionBoard.current.first { $0.code == "photo-damaged" })
        let words = reported.sentence + reported.nextStep
        #expect(!words.contains("stays on the card") && !words.contains("damaged on the card"))
        #expect(words.contains(folder))
    }

    @Test func `keeps a damaged photo on the card and raises a condition`() async throws {
        let photo = Self.object("IMG1.JPG", inMemory: false)
        let camera = try await ScriptedCamera([photo], deletesAfterSave: true) { _, _, _ in Self.damaged }
        defer { camera.remove() }
        try await camera.serve { camera.conditionBoard.current.contains { $0.code == "photo-damaged" } }
        let reported = try #require(camera.conditionBoard.current.first { $0.code == "photo-damaged" })
        #expect(camera.worker.deleted.isEmpty && reported.nextStep.contains("stays on the card"))
    }

    @Test func `keeps a damaged photo in the camera's memory if it cannot be saved`() async throws {
        let photo = Self.object("DSC1.JPG", inMemory: true)
        let folder = Mutex("")
        let camera = try await ScriptedCamera([photo]) { _, _, _ in
            // Replaces the folder with a file when the photo arrives, so the bytes can't be saved.
            let path = folder.withLock { $0 }
            try? FileManager.default.removeItem(atPath: path)
            try? Data().write(to: URL(filePath: path))
            return Self.damaged
        }
        defer { camera.remove() }
        folder.withLock { $0 = camera.root + "/photos/.framefast/set-aside" }
        try await camera.serve { camera.conditionBoard.current.contains { $0.code == "photos-away" } }
        #expect(camera.worker.deleted.isEmpty)
        #expect(try await camera.records().map(\.state) == [.seen])
    }

    @Test(arguments: RefusingDisk.allCases)
    func `keeps a damaged photo in the camera's memory if fsync fails`(disk: RefusingDisk) async throws {
        let photo = Self.object("DSC1.JPG", inMemory: true)
        let camera = try await ScriptedCamera([photo], sync: disk.sync) { _, _, _ in Self.damaged }
        defer { camera.remove() }
        try await camera.serve { !camera.worker.deleted.isEmpty || !camera.conditionBoard.current.isEmpty }
        #expect(camera.conditionBoard.current.map(\.code).contains("save-failing"))
        #expect(camera.worker.deleted.isEmpty)
        #expect(try await camera.records().map(\.state) == [.seen])
    }

    @Test func `reports a file too large for the link and fetches the others`()
        async throws
    {
        let movie = CameraObject(
            folder: "/store_00010001/DCIM", name: "MVI_1.MXF", size: 5 << 30, cameraTime: 1)
        let sidecar = CameraObject(
            folder: "/store_00010001/DCIM", name: "MVI_1.XML", size: 3, cameraTime: 1)
        let camera = try await ScriptedCamera([movie, sidecar], deletesAfterSave: true) {
            object, _, _ throws(WorkerFailure) in
            guard object != movie else {
                throw WorkerFailure(kind: .tooLarge, during: "fetch", text: "too large")
            }
            return Data("xml".utf8)
        }
        defer { camera.remove() }
        try await camera.serve {
            !camera.worker.deleted.isEmpty
                && camera.conditionBoard.current.contains { $0.code == "too-large-for-link" }
        }
        #expect(camera.worker.deleted == [sidecar])
        #expect(camera.worker.readings(movie) == 1)
        #expect(try await camera.records().map(\.state) == [.setAside, .saved])
        #expect(!camera.conditionBoard.current.contains { $0.code == "photo-damaged" })
        let reported = try #require(camera.conditionBoard.current.first { $0.code == "too-large-for-link" })
        #expect(reported.sentence.contains("MVI_1.MXF") && reported.nextStep.contains("card reader"))
    }

    /// The place of a photo in the camera.
    enum Place: CaseIterable {
        case card
        case memory
        /// A memory with folders. The camera stops shooting when this memory is full.
        case listedMemory
    }

    /// After an edit, the card may have the last copy of the unedited photo. The service always releases a
    /// photo from the camera's memory, because a photo there blocks the next photo.
    @Test(arguments: [true, false], Place.allCases)
    func `deletes a duplicate, but not from the card after an edit`(
        isEdited: Bool, place: Place
    ) async throws {
        let original = Data("xml".utf8)
        let photo = CameraObject(
            folder: place == .memory ? "/" : "/store_00010001/DCIM", name: "IMG_1.XML",
            size: UInt64(original.count), cameraTime: 1)
        let facts = CameraFacts(
            maker: "Test", model: "T", serial: "S1", mustDeleteAfterSave: place == .listedMemory)
        let camera = try await ScriptedCamera(
            [photo], facts: facts, deletesAfterSave: true,
            seed: { ledger, root in
                let saved = try await EarlierPhoto(object: photo, bytes: original).save(in: ledger, root)
                if isEdited {
                    let edited = Data("edited".utf8)
                    let path = try #require(try await ledger.capture(id: saved)?.path)
                    try edited.write(to: URL(filePath: path))
                    let sha256 = try PhotoHash.sha256(of: FileReader(path))
                    try await ledger.recordEdited(
                        id: saved, bytes: UInt64(edited.count), sha256: sha256, for: ["nas"])
                }
                // The camera may reuse the name. Its next photo with this name gets its own record.
                try await ledger.markAllPast(camera: "test-S1")
            }, reading: { _, _, _ in original })
        defer { camera.remove() }
        let isDeletable = !isEdited || place != .card
        let isDuplicate: @Sendable () async throws -> Bool = {
            let last = try await camera.ledger.lastNumber()
            return try await camera.ledger.capture(id: last)?.state == .duplicate
        }
        try await camera.serve {
            try await isDuplicate() && (!isDeletable || !camera.worker.deleted.isEmpty)
        }
        #expect(try await isDuplicate())
        if isDeletable {
            #expect(Set(camera.worker.deleted) == [photo])
        } else {
            #expect(camera.worker.deleted.isEmpty, "[loss] the last copy of the unedited photo was deleted")
        }
    }

    /// The ledger does not know that a person edited or removed a file. A deliberate deletion looks like an
    /// unmounted disk.
    @Test(arguments: [Data("edited".utf8), nil] as [Data?])
    func `keeps a duplicate on the card unless its saved file is intact`(edited: Data?) async throws {
        let original = Data("xml".utf8)
        let photos = ["IMG_1.XML", "IMG_2.XML"].map {
            CameraObject(
                folder: "/store_00010001/DCIM", name: $0, size: UInt64(original.count), cameraTime: 1)
        }
        let camera = try await ScriptedCamera(
            [photos[0]], deletesAfterSave: true,
            seed: { ledger, root in
                let saved = try await EarlierPhoto(object: photos[0], bytes: original).save(in: ledger, root)
                let path = try #require(try await ledger.capture(id: saved)?.path)
                try FileManager.default.removeItem(atPath: path)
                try edited?.write(to: URL(filePath: path))
                try await ledger.markAllPast(camera: "test-S1")
            }, reading: { _, _, _ in original })
        defer { camera.remove() }
        let isAnnounced = Atomic(false)
        try await camera.serve {
            guard try await camera.ledger.capture(id: 2)?.state == .duplicate else { return false }
            // The deletion of another photo shows that the connection has handled the duplicate.
            if !isAnnounced.exchange(true, ordering: .relaxed) { camera.announce(photos[1]) }
            return !camera.worker.deleted.isEmpty
        }
        #expect(camera.worker.deleted == [photos[1]], "[loss] the last copy of the photo was deleted")
    }

    private static let sidecar = CameraObject(
        folder: "/store_00010001/DCIM", name: "MVI_1.XML", size: 3, cameraTime: 1)

    /// The camera may have deleted the photo, and a new photo may have the same name, size and time.
    @Test(arguments: [WorkerFailure.Kind.disconnected, .timeout, .objectGone])
    func `fetches and deletes an object again after a deletion without a clear result`(
        kind: WorkerFailure.Kind
    ) async throws {
        let camera = try await ScriptedCamera([Self.sidecar], deletesAfterSave: true) { _, _, _ in
            Data("xml".utf8)
        }
        defer { camera.remove() }
        camera.worker.deleteFails(WorkerFailure(kind: kind, during: "delete", text: "no response"))
        try await camera.serve(
            until: { !camera.worker.deleted.isEmpty },
            then: [.init { camera.worker.deleted.count > 1 }])
        #expect(
            camera.worker.readings(Self.sidecar) > 1,
            "[loss] a new photo with the same facts was not fetched")
    }

    @Test func `retries a deletion without a clear result only once, and then recognizes the photo`()
        async throws
    {
        let others = ["MVI_2.XML", "MVI_3.XML"].map {
            CameraObject(folder: Self.sidecar.folder, name: $0, size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera([Self.sidecar], deletesAfterSave: true) { _, _, _ in
            Data("xml".utf8)
        }
        defer { camera.remove() }
        let worker = camera.worker
        worker.deleteFails(WorkerFailure(kind: .timeout, during: "delete", text: "no response"))
        try await camera.serve(
            until: { worker.deleted.count == 1 },
            then: [
                .init {
                    guard worker.deleted.count == 2 else { return false }
                    worker.put([Self.sidecar, others[0]])
                    return true
                },
                // The deletion of the other photo shows that the connection has compared the first photo.
                .init {
                    guard worker.deleted.contains(others[0]) else { return false }
                    worker.put([Self.sidecar, others[1]])
                    return true
                },
                .init { worker.deleted.contains(others[1]) },
            ])
        #expect(worker.deleted.filter { $0 == Self.sidecar }.count == 2)
        #expect(worker.readings(Self.sidecar) == 3)
    }

    @Test func `recognizes a photo that the camera refused to delete`() async throws {
        let camera = try await ScriptedCamera([Self.sidecar], deletesAfterSave: true) { _, _, _ in
            Data("xml".utf8)
        }
        defer { camera.remove() }
        camera.worker.deleteFails(WorkerFailure(kind: .refused, during: "delete", text: "read-only"))
        try await camera.serve {
            guard !camera.worker.deleted.isEmpty else { return false }
            return try await camera.ledger.capture(of: Self.sidecar, camera: "test-S1") != nil
        }
        #expect(camera.worker.deleted == [Self.sidecar] && camera.worker.readings(Self.sidecar) == 1)
    }

    @Test func `deletes nothing on the card of a photos-only camera`() async throws {
        let sidecar = CameraObject(
            folder: "/store_00010001/DCIM", name: "MVI_1.XML", size: 3, cameraTime: 1)
        var facts = CameraFacts(maker: "Test", model: "T", serial: "S1")
        facts.onlyFetchesPhotos = true
        let camera = try await ScriptedCamera([sidecar], facts: facts, deletesAfterSave: true) { _, _, _ in
            Data("xml".utf8)
        }
        defer { camera.remove() }
        try await camera.serve { try await camera.records().map(\.state) == [.saved] }
        #expect(camera.worker.deleted.isEmpty)
    }
}
