import Cameras
import Foundation
import FrameFastModel
import ScriptedWorker
import Store
import Testing
import WorkerProtocol

@testable import CaptureEngine

/// Tests of cameras that keep tethered photos in internal memory. Saved photos must be deleted on such a
/// camera. The camera restarts its file names in each connection. A new photo may have the name of a saved
/// photo.
@Suite struct ReusedNamesTests {
    private static let photo = CameraObject(
        folder: "/store_00010001", name: "DSCF0001.XML", size: 3, cameraTime: 1)
    private static let first = Data("one".utf8)
    private static let second = Data("two".utf8)
    private static let facts = CameraFacts(
        maker: "Test", model: "T", serial: "S1", mustDeleteAfterSave: true)

    /// Makes a camera announce objects once, as soon as it has deleted its first photo.
    private static func announce(_ objects: [CameraObject], afterFirstDeletionOf camera: ScriptedCamera) {
        camera.worker.onDelete { _ in
            if camera.worker.deleted.count == 1 { camera.announce(objects) }
        }
    }

    @Test func `fetches a new photo with the name of a deleted photo`() async throws {
        let photo = Self.photo
        let camera = try await ScriptedCamera([], facts: Self.facts) { _, number, _ in
            number == 1 ? Self.first : Self.second
        }
        defer { camera.remove() }
        Self.announce([photo], afterFirstDeletionOf: camera)
        camera.announce(photo)
        try await camera.serve { camera.worker.deleted.count == 2 }
        #expect(try await camera.records().map(\.state) == [.saved, .saved])
        #expect(Set(try await camera.records().map(\.sha256)).count == 2)
    }

    @Test func `forgets a photo that is announced again after its deletion`() async throws {
        let photo = Self.photo
        let other = CameraObject(folder: photo.folder, name: "DSCF0002.XML", size: 3, cameraTime: 1)
        let camera = try await ScriptedCamera([], facts: Self.facts) {
            object, number, _ throws(WorkerFailure) in
            guard number == 1 else { throw WorkerFailure(kind: .objectGone, during: "fetch", text: "gone") }
            return object == photo ? Self.first : Self.second
        }
        defer { camera.remove() }
        Self.announce([photo, other], afterFirstDeletionOf: camera)
        camera.announce(photo)
        try await camera.serve {
            guard camera.worker.deleted.count == 2, camera.worker.readings(photo) > 1 else { return false }
            // On a slow computer, the failed fetches may raise a condition for a moment.
            guard camera.conditionBoard.current.isEmpty else { return false }
            return try await camera.ledger.pending(camera: "test-S1").isEmpty
        }
        #expect(try await camera.records().map(\.object) == [photo, other])
    }

    @Test func `retries a new photo that the camera temporarily does not find`()
        async throws
    {
        let photo = Self.photo
        let camera = try await ScriptedCamera([], facts: Self.facts) { _, number, _ throws(WorkerFailure) in
            if number == 2 { throw WorkerFailure(kind: .objectGone, during: "fetch", text: "not now") }
            return number == 1 ? Self.first : Self.second
        }
        defer { camera.remove() }
        Self.announce([photo], afterFirstDeletionOf: camera)
        camera.announce(photo)
        try await camera.serve { camera.worker.deleted.count == 2 }
        #expect(Set(try await camera.records().map(\.sha256)).count == 2)
        #expect(camera.conditionBoard.current.isEmpty)
    }

    @Test(arguments: [true, false], [true, false])
    func `compares bytes with a saved photo of the same name before deleting`(
        isSame: Bool, awaitsReread: Bool
    ) async throws {
        let photo = Self.photo
        let camera = try await ScriptedCamera(
            [photo], facts: Self.facts, configure: { $0.verify = awaitsReread ? .reread : .structure },
            seed: { ledger, root in
                let earlier = EarlierPhoto(object: photo, bytes: Self.first, awaitsReread: awaitsReread)
                try await earlier.save(in: ledger, root)
            }, reading: { _, _, _ in isSame ? Self.first : Self.second })
        defer { camera.remove() }
        try await camera.serve { camera.worker.deleted.count == 1 }
        let records = try await camera.records()
        #expect(records.map(\.state) == (isSame ? [.saved] : [.saved, .saved]))
        let contents = try records.map { try Data(contentsOf: URL(filePath: $0.path ?? "")) }
        #expect(contents == (isSame ? [Self.first] : [Self.first, Self.second]))
        let verified: [CaptureVerification?] =
            awaitsReread ? (isSame ? [.reread] : [.structure, .reread]) : records.map { _ in .structure }
        #expect(records.map(\.verified) == verified)
    }
}
