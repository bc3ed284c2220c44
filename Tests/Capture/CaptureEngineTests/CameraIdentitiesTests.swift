import Cameras
import Foundation
import FrameFastModel
import ScriptedWorker
import Store
import Synchronization
import Testing
import WorkerProtocol

@testable import CaptureEngine

/// Tests of two bodies with the same serial number, whose photos match in name, size and time. Only the bytes
/// of the photos distinguish the bodies.
@Suite struct CameraIdentitiesTests {
    private static let photos = ["A.PNG", "B.PNG"].map {
        CameraObject(folder: "/store_00010001/DCIM", name: $0, size: 7, cameraTime: 1)
    }

    private static func bytes(_ body: String, _ object: CameraObject) -> Data {
        Data("\(body) \(object.name)".utf8)
    }

    private static func seedBodies(_ ledger: LedgerStore) async throws {
        for (id, place) in [("test-S1", "1-1"), ("test-S1#2", "9-9")] {
            let body = CameraStatus(
                id: CameraID(rawValue: id), name: id, port: "p", state: .ready,
                facts: CameraFacts(maker: "Test", model: "T", serial: "S1"))
            try await ledger.recordCamera(
                body, as: BodyID(rawValue: id), zone: nil, place: place, isListed: true, at: Date())
        }
    }

    private static func seed(_ ledger: LedgerStore, _ root: String) async throws {
        try await seedBodies(ledger)
        // One photo of the second body is not saved yet.
        for (camera, body, photos) in [
            ("test-S1", "a", photos), ("test-S1#2", "b", Array(photos.prefix(1))),
        ] {
            for photo in photos {
                try await EarlierPhoto(
                    object: photo, camera: BodyID(rawValue: camera), bytes: bytes(body, photo)
                )
                .save(in: ledger, root)
            }
        }
    }

    /// Serves a camera until it has an identity and `isDone` returns `true`.
    ///
    /// - Returns: All identities that the camera had.
    private static func identities(
        of camera: ScriptedCamera, until isDone: @escaping @Sendable () async throws -> Bool
    ) async throws -> Set<BodyID> {
        let identities = Mutex<Set<BodyID>>([])
        try await camera.serve {
            guard let now = camera.engine.identity(ofCamera: camera.connection.camera) else { return false }
            identities.withLock { _ = $0.insert(now) }
            return try await isDone()
        }
        return identities.withLock { $0 }
    }

    @Test(arguments: [("a", "test-S1", 0), ("b", "test-S1#2", 1), ("c", "test-S1#3", 2)])
    func `identifies a body by its photos' bytes if name, size and time match`(
        body: String, identity: BodyID, new: Int
    ) async throws {
        let camera = try await ScriptedCamera(
            Self.photos, seed: Self.seed, reading: { object, _, _ in Self.bytes(body, object) })
        defer { camera.remove() }
        let identities = try await Self.identities(of: camera) {
            let records = try await camera.records()
            return camera.worker.readings(Self.photos[0]) > 0 && records.count == 3 + new
                && records.allSatisfy { $0.state == .saved }
        }
        #expect(identities == [identity])
        let records = try await camera.records()
        #expect(records.allSatisfy { $0.state == .saved })
        #expect(records.dropFirst(3).map(\.bodyID) == Array(repeating: identity, count: new))
        let parts = try FileManager.default.contentsOfDirectory(
            atPath: camera.root + "/photos/.framefast/incoming")
        #expect(parts == [])
    }

    @Test(arguments: [("a", true), ("b", false)])
    func `does not match a body by name, size and time alone`(
        body: String, isTheOther: Bool
    ) async throws {
        let camera = try await ScriptedCamera(
            Self.photos,
            seed: { ledger, root in
                try await Self.seedBodies(ledger)
                for photo in Self.photos {
                    try await EarlierPhoto(
                        object: photo, camera: "test-S1", bytes: Self.bytes("a", photo)
                    ).save(in: ledger, root)
                }
            }, reading: { object, _, _ in Self.bytes(body, object) })
        defer { camera.remove() }
        let identities = try await Self.identities(of: camera) {
            let records = try await camera.records()
            return records.count == (isTheOther ? 2 : 4) && records.allSatisfy { $0.state == .saved }
        }
        #expect(identities.contains("test-S1") == isTheOther)
    }

    @Test func `saves a photo whose name, size and time match another camera's photo`() async throws {
        let photo = Self.photos[0]
        let camera = try await ScriptedCamera(
            [],
            seed: { ledger, root in
                try await Self.seedBodies(ledger)
                try await EarlierPhoto(object: photo, camera: "test-S1", bytes: Self.bytes("a", photo)).save(
                    in: ledger, root)
            }, reading: { object, _, _ in Self.bytes("b", object) })
        defer { camera.remove() }
        let isAnnounced = Mutex(false)
        try await camera.serve {
            // The card is empty, so only the port identifies the camera.
            guard camera.engine.identity(ofCamera: camera.connection.camera) == "test-S1" else {
                return false
            }
            let isFirst = isAnnounced.withLock { isAnnounced in
                defer { isAnnounced = true }
                return !isAnnounced
            }
            if isFirst {
                camera.worker.put([photo])
                camera.announce(photo)
            }
            let records = try await camera.records()
            return records.count == 2 && records.allSatisfy { $0.state == .saved }
        }
        #expect(Set(try await camera.records().map(\.sha256)).count == 2)
    }

    @Test func `marks a body's photos as past if a second body also has no serial number`() async throws {
        let photo = Self.photos[0]
        let facts = CameraFacts(maker: "Test", model: "T", serial: "")
        let camera = try await ScriptedCamera(
            [], facts: facts,
            seed: { ledger, root in
                let body = CameraStatus(id: "other", name: "other", port: "p", state: .ready, facts: facts)
                try await ledger.recordCamera(
                    body, as: "other", zone: nil, place: "9-9", isListed: true, at: Date())
                try await EarlierPhoto(object: photo, camera: "other", bytes: Self.bytes("a", photo)).save(
                    in: ledger, root)
            }, reading: { object, _, _ in Self.bytes("b", object) })
        defer { camera.remove() }
        #expect(try await camera.ledger.capture(of: photo, camera: "other") != nil)
        let identities = try await Self.identities(of: camera) {
            try await camera.ledger.capture(of: photo, camera: "other") == nil
        }
        #expect(identities == ["studio-a"])
    }

    @Test func `forgets a photo that was announced for the wrong body`()
        async throws
    {
        let camera = try await ScriptedCamera(
            Self.photos,
            seed: { ledger, root in
                try await Self.seedBodies(ledger)
                try await EarlierPhoto(
                    object: Self.photos[1], camera: "test-S1#2", bytes: Self.bytes("b", Self.photos[1])
                ).save(in: ledger, root)
                // The connected body is `test-S1#2`, but its first photo was recorded for `test-S1`. The
                // photo C.PNG is on the card of `test-S1`.
                let elsewhere = CameraObject(
                    folder: "/store_00010001/DCIM", name: "C.PNG", size: 7, cameraTime: 1)
                _ = try await ledger.recordSeen(
                    [Self.photos[0], elsewhere], camera: "test-S1", session: nil, at: Date())
            }, reading: { object, _, _ in Self.bytes("b", object) })
        defer { camera.remove() }
        try await camera.serve {
            let records = try await camera.records()
            return records.count { $0.state == .saved } == 2
                && records.count { $0.bodyID == "test-S1" } == 1
        }
        let records = try await camera.records()
        #expect(records.filter { $0.bodyID == "test-S1" }.map(\.object.name) == ["C.PNG"])
        #expect(Set(records.filter { $0.bodyID == "test-S1#2" }.map(\.object.name)) == ["A.PNG", "B.PNG"])
    }

    @Test(arguments: [nil, Data("changed".utf8)] as [Data?])
    func `identifies a body despite one failed or damaged reading`(wrong: Data?) async throws {
        let camera = try await ScriptedCamera(
            Self.photos, seed: Self.seed,
            reading: { object, number, _ throws(WorkerFailure) in
                guard number == 1, object == Self.photos[0] else { return Self.bytes("a", object) }
                guard let wrong else {
                    throw WorkerFailure(kind: .refused, during: "fetch", text: "not now")
                }
                return wrong
            })
        defer { camera.remove() }
        let identities = try await Self.identities(of: camera) {
            true
        }
        #expect(identities == ["test-S1"])
        #expect(camera.worker.readings(Self.photos[0]) == 2)
    }
}
