import Foundation
import FrameFastModel
import FrameFastSystem
import ScriptedWorker
import Store
import Synchronization
import Testing
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine

/// Tests of the comparison of the card with the records of earlier connections.
@Suite struct SeenObjectsTests {
    @Test func `enters repeated announcements once and in one commit`() async throws {
        let objects = (1...20).map {
            CameraObject(folder: "/store_00010001/DCIM", name: "\($0).XML", size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera([]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        camera.announce(objects + objects)
        try await camera.serve {
            let records = try await camera.records()
            return records.count == objects.count && records.allSatisfy { $0.state == .saved }
        }
        let entering = camera.statements.changes.filter { change in
            change.contains { $0.contains("INSERT INTO capture ") }
        }
        #expect(entering.count == 1)
        #expect(objects.map(camera.worker.readings) == objects.map { _ in 1 })
    }

    @Test func `assigns an announced photo to the running session`() async throws {
        let objects = ["A.XML", "B.XML", "C.XML"].map {
            CameraObject(folder: "/store_00010001/DCIM", name: $0, size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera([]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        let wedding = try await camera.ledger.startSession(name: "Wedding", at: Date())
        let running: [Session?] = [nil, wedding, nil]
        let announced = Mutex(0)
        try await camera.serve {
            let saved = try await camera.records().count { $0.state == .saved }
            guard announced.withLock(\.self) == saved else { return false }
            guard saved < objects.count else { return true }
            camera.engine.setSession(running[saved])
            camera.announce(objects[saved])
            announced.withLock { $0 += 1 }
            return false
        }
        #expect(try await camera.records().map(\.sessionID) == [nil, wedding.id, nil])
    }

    @Test func `forgets records whose misread facts match no listed object`()
        async throws
    {
        let photo = CameraObject(folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: 1)
        var misread = [photo, photo, photo, photo]
        misread[0].name = "<none>"
        misread[1].size = 0
        misread[2].cameraTime = nil
        misread[3].cameraTime = 12
        let camera = try await ScriptedCamera([photo]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        // This record has correct facts. Its photo may be on another card.
        let elsewhere = CameraObject(folder: "/store_00010001/DCIM", name: "B.XML", size: 3, cameraTime: 1)
        _ = try await camera.ledger.recordSeen(
            misread + [elsewhere], camera: "test-S1", session: nil, at: Date())
        try await camera.serve {
            let records = try await camera.records()
            return records.map(\.object) == [elsewhere, photo] && records.last?.state == .saved
        }
    }

    @Test func `forgets a damaged photo after saving it from another folder`()
        async throws
    {
        let folder = "/store_00010001/DCIM/100CANON"
        func object(_ name: String, in folder: String) -> CameraObject {
            CameraObject(folder: folder, name: name, size: 3, cameraTime: 1)
        }
        let slot = "/store_00020001/DCIM/100CANON"
        let card = [object("A.XML", in: slot), object("B.JPG", in: slot)]
        // The card was moved to the other slot. Photo B is also damaged there, and photo C is on another
        // card.
        let damaged = ["A.XML", "B.JPG", "C.XML"].map { object($0, in: folder) }
        let camera = try await ScriptedCamera(
            card,
            seed: { ledger, root in
                for record in try await ledger.recordSeen(
                    damaged, camera: "test-S1", session: nil, at: Date())
                {
                    try await ledger.setAside(id: record.id, failure: "its end marker is missing")
                }
            },
            reading: { _, _, _ in Data("xml".utf8) })
        defer { camera.remove() }
        try await camera.serve {
            let records = try await camera.records()
            return records.contains { $0.state == .saved } && !records.contains { $0.object == damaged[0] }
        }
        let left = try await camera.records().filter { $0.state == .setAside }.map(\.object)
        #expect(left.contains(damaged[1]))
        #expect(left.contains(damaged[2]))
    }

    @Test func `forgets a set-aside photo with misread facts and no bytes`() async throws {
        let photo = CameraObject(folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: 1)
        var misread = CameraObject(folder: "/store_00010001", name: "<none>", size: 0, cameraTime: nil)
        let nothing = misread
        misread.folder = "/store_00020001"
        let something = misread
        // If the card is formatted, the ledger is the only trace of this photo.
        let elsewhere = CameraObject(folder: "/store_00010001/DCIM", name: "B.XML", size: 3, cameraTime: 1)
        let seeded = [nothing, something, elsewhere]
        let camera = try await ScriptedCamera(
            [photo],
            seed: { ledger, root in
                let aside = root + "/photos/.framefast/set-aside"
                try DurableFile.createFolder(aside)
                for record in try await ledger.recordSeen(seeded, camera: "test-S1", session: nil, at: Date())
                {
                    try await ledger.setAside(id: record.id, failure: "it is empty")
                    let bytes = record.object == something ? Data("xm".utf8) : Data()
                    try bytes.write(
                        to: URL(filePath: "\(aside)/\(record.id)-\(SafeName.component(record.object.name))"))
                }
            }, reading: { _, _, _ in Data("xml".utf8) })
        defer { camera.remove() }
        try await camera.serve { try await camera.records().last?.state == .saved }
        #expect(try await camera.records().map(\.object) == [something, elsewhere, photo])
        let files = try FileManager.default.contentsOfDirectory(
            atPath: camera.root + "/photos/.framefast/set-aside")
        #expect(files.sorted() == ["2-_none_", "3-B.XML"])
    }

    @Test(arguments: [5 as Int64?, nil])
    func `fetches a waiting photo from its new folder`(
        time: Int64?
    ) async throws {
        let waiting = CameraObject(
            folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: time)
        var moved = waiting
        moved.folder = "/store_00020001/DCIM"
        let (here, elsewhere) = (moved, waiting)
        let camera = try await ScriptedCamera([here]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        _ = try await camera.ledger.recordSeen([elsewhere], camera: "test-S1", session: nil, at: Date())
        try await camera.serve { try await camera.records().last?.state == .saved }
        // Without a time, the record may belong to another photo on the removed card.
        #expect(try await camera.records().map(\.object) == (time == nil ? [elsewhere, here] : [here]))
    }

    @Test(arguments: [(false, false), (true, false), (true, true)])
    func `relists once for a photo that the camera does not find`(
        isFromEarlierConnection: Bool, wasNotFound: Bool
    ) async throws {
        let photo = CameraObject(folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: 1)
        let camera = try await ScriptedCamera(
            [photo], configure: { $0.idleTick = .milliseconds(10) },
            seed: { ledger, _ in
                guard isFromEarlierConnection else { return }
                _ = try await ledger.recordSeen([photo], camera: "test-S1", session: nil, at: Date())
            },
            reading: { _, _, _ throws(WorkerFailure) in
                throw WorkerFailure(kind: .objectGone, during: "fetch", text: "Directory not found")
            })
        defer { camera.remove() }
        if wasNotFound {
            let waiting = try await camera.ledger.pending(camera: "test-S1").map(\.id)
            camera.engine.intakeStates.withLock { $0["test-S1"] = IntakeState(notFound: Set(waiting)) }
        }
        let end = try await camera.serve {
            // The connection has ended, or continued for several rounds of attempts.
            camera.worker.readings(photo) > 6
                || camera.worker.readings(photo) > 0
                    && camera.engine.identity(ofCamera: camera.connection.camera) == nil
        }
        if case .relist = end { #expect(!wasNotFound) } else { #expect(wasNotFound, "\(end)") }
    }

    @Test(arguments: [
        CameraOperationProgress(kind: .interval, state: .running, done: 1),
        // The next photo is due now. The computer's date was set back after this report.
        CameraOperationProgress(
            kind: .interval, state: .running, done: 1, nextAtMs: 4_000_000_000_000, nextNs: 1),
        CameraOperationProgress(kind: .bulb, state: .running, done: 1),
        CameraOperationProgress(kind: .bracket, state: .running, done: 1),
    ])
    func `postpones a relist until a running operation ends`(
        operation: CameraOperationProgress
    ) async throws {
        let camera = try await ScriptedCamera(
            [], configure: { $0.idleTick = .milliseconds(2) }, reading: { _, _, _ in Data() })
        defer { camera.remove() }
        let (registry, id) = (camera.engine.shared.registry, camera.connection.camera)
        registry.insert(CameraStatus(id: id, name: "studio-a", port: "usb:", state: .ready))
        registry.update(id, operation: operation)
        camera.worker.setMissingCount(1)
        let looks = Mutex(0)
        let end = try await camera.serve {
            let isServed = camera.engine.identity(ofCamera: id) != nil
            let count = looks.withLock { count in
                if isServed || count > 0 { count += 1 }
                return count
            }
            // The operation lasts long enough for several comparisons of handles.
            if count == 40 {
                #expect(isServed, "the connection ended during the operation")
                registry.update(
                    id, operation: CameraOperationProgress(kind: operation.kind, state: .ended, done: 2))
            }
            return count > 40 && !isServed
        }
        #expect(end == .relist)
    }

    @Test func `relists the card if an announcement was lost during sleep`()
        async throws
    {
        let camera = try await ScriptedCamera(
            [], configure: { $0.idleTick = .milliseconds(2) }, reading: { _, _, _ in Data() })
        defer { camera.remove() }
        let hasWoken = Mutex(false)
        let end = try await camera.serve {
            // After the listing and the first idle moment, no other duty compares the handles.
            guard camera.worker.comparisons >= 2 else { return false }
            let wakes = hasWoken.withLock { hasWoken in
                defer { hasWoken = true }
                return !hasWoken
            }
            if wakes {
                camera.worker.setMissingCount(1)
                await camera.engine.computerWoke()
            }
            return camera.engine.identity(ofCamera: camera.connection.camera) == nil
        }
        #expect(end == .relist)
    }

    /// The worker has reported the objects of dropped announcements, so a comparison does not find them.
    @Test func `relists the card after announcements were dropped`() async throws {
        let camera = try await ScriptedCamera(
            [], configure: { $0.idleTick = .milliseconds(2) }, reading: { _, _, _ in Data() })
        defer { camera.remove() }
        let hasReported = Mutex(false)
        let end = try await camera.serve {
            // After the listing and the first idle moment, the connection has no reason for a new listing.
            guard camera.worker.comparisons >= 2 else { return false }
            let reports = hasReported.withLock { hasReported in
                defer { hasReported = true }
                return !hasReported
            }
            if reports { camera.reportDroppedAnnouncements() }
            return camera.engine.identity(ofCamera: camera.connection.camera) == nil
        }
        #expect(end == .relist)
    }

    /// While a Sony has no connection, it saves photos only to its card, which it cannot list.
    @Test(arguments: [true, false])
    func `photos that are marked as past are listed again only if the camera can list its card`(
        canList: Bool
    ) async throws {
        var facts = CameraFacts(maker: "Test", model: "T", serial: "S1")
        facts.canList = canList
        let camera = try await ScriptedCamera(
            [], facts: facts, configure: { $0.idleTick = .milliseconds(2) }, reading: { _, _, _ in Data() })
        defer { camera.remove() }
        let known = Mutex<Int?>(nil)
        let end = try await camera.serve {
            let comparisons = camera.worker.comparisons
            let isServed = camera.engine.identity(ofCamera: camera.connection.camera) != nil
            // After the listing and the first idle moment, no duty is due.
            guard comparisons >= 2 else { return false }
            guard let before = known.withLock({ $0 }) else {
                known.withLock { $0 = comparisons }
                await camera.engine.intakes["test-S1"]?.listMarkedPhotos()
                // The next duty is a new listing, or the comparison that follows a sleep.
                await camera.engine.computerWoke()
                return false
            }
            return comparisons > before || !isServed
        }
        #expect((end == .relist) == canList)
    }

    @Test func `reports a lost photo from memory even if its name is reused`()
        async throws
    {
        let lost = CameraObject(folder: "/", name: "DSC1.XML", size: 4, cameraTime: 1)
        let here = CameraObject(folder: "/", name: "DSC1.XML", size: 3, cameraTime: 9)
        var facts = CameraFacts(maker: "Test", model: "T", serial: "S1")
        facts.canList = false
        let camera = try await ScriptedCamera(
            [here], facts: facts,
            seed: { ledger, _ in
                _ = try await ledger.recordSeen([lost], camera: "test-S1", session: nil, at: Date())
            }, reading: { _, _, _ in Data("xml".utf8) })
        defer { camera.remove() }
        try await camera.serve { try await camera.records().last?.state == .saved }
        #expect(try await camera.records().map(\.object) == [lost, here])
        #expect(try await camera.records().first?.state == .setAside)
        #expect(camera.conditionBoard.current.contains { $0.kind == .photosLeftInCamera })
    }
}
