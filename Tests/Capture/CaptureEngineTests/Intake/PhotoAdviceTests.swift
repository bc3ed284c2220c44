import Foundation
import FrameFastModel
import FrameFastSystem
import Makers
import ScriptedWorker
import Store
import Synchronization
import SystemPackage
import Testing
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine

/// Tests of the next steps of conditions about a connected camera and its photos. Each test raises a
/// condition, performs the next step, and checks that the condition is cleared.
@Suite struct PhotoAdviceTests {
    // MARK: Facts of the camera

    /// The facts of a camera before and after the next step.
    struct Row: Sendable, CustomTestStringConvertible {
        var kind: ConditionKind
        /// A part of the next step's text.
        var advice: String
        var before: CameraFacts
        var after: CameraFacts

        var testDescription: String { "\(kind.rawValue): \(advice)" }

        init(_ kind: ConditionKind, _ advice: String, _ before: CameraFacts, then after: CameraFacts) {
            self.kind = kind
            self.advice = advice
            self.before = before
            self.after = after
        }
    }

    /// Returns the facts of the camera that all rows use, with a change.
    private static func facts(_ change: (inout CameraFacts) -> Void) -> CameraFacts {
        var facts = CameraFacts(maker: "Test", model: "T", serial: "S1")
        change(&facts)
        return facts
    }

    private static func card(freeBytes: UInt64) -> CameraFacts {
        facts { $0.storages = [CameraStorage(folder: "/store_00010001", freeBytes: freeBytes)] }
    }

    private static func battery(_ percent: Int) -> CameraFacts { facts { $0.batteryPercent = percent } }

    private static func drift(_ seconds: Int) -> CameraFacts { facts { $0.clockDriftSeconds = seconds } }

    /// The facts of a camera whose memory holds this number of photos.
    private static func memory(of photos: Int) -> CameraFacts {
        facts {
            $0.mustDeleteAfterSave = true
            $0.bufferBytes = 1_000
            $0.bufferedObjects = photos
            $0.bufferedBytes = UInt64(photos) * 300
        }
    }

    /// Next steps after which the camera reports other facts.
    static let rows = [
        Row(.batteryLow, "Charge or replace the battery soon", battery(9), then: battery(80)),
        Row(.clockDrift, "Set the clock with 'framefast clock", drift(90), then: drift(1)),
        // After the zone is set in the configuration, the worker compares the camera's clock with that zone.
        Row(.clockDrift, "set the camera's time_zone in the configuration", drift(-28_800), then: drift(0)),
        Row(
            .cardFull, "Replace the card", facts { $0.shotsLeft = 0 }, then: facts { $0.shotsLeft = 400 }),
        Row(.cardFull, "or delete photos that are saved", card(freeBytes: 0), then: card(freeBytes: 1 << 30)),
    ]

    @Test(arguments: rows)
    func `clears a condition after the camera reports the changed facts`(
        row: Row
    ) async throws {
        let camera = try await ScriptedCamera([Self.photo], facts: row.before) { _, _, _ in Self.bytes }
        defer { camera.remove() }
        let proof = NextStepProof(camera, row.kind, row.advice)
        try await proof.run(when: { try await camera.records().map(\.state) == [.saved] }) {
            // The saved photo is deleted, or another card is inserted.
            if row.kind == .cardFull { camera.worker.put([]) }
            camera.report(row.after)
        }
    }

    @Test func `fetches the photos on the card after the battery is replaced`() async throws {
        let camera = try await ScriptedCamera([], facts: Self.battery(9)) { _, _, _ in Self.bytes }
        defer { camera.remove() }
        let proof = NextStepProof(
            camera, .batteryLow, "FrameFast fetches the photos on the card after the camera reconnects")
        try await proof.runReconnecting(with: Self.battery(100)) { camera.worker.put([Self.photo]) }
    }

    @Test func `ends the memory condition after the photos in the memory are saved`() async throws {
        let photos = (1...3).map {
            CameraObject(folder: "/store_00010001", name: "DSCF\($0).XML", size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera([], facts: Self.memory(of: 3)) { object, _, _ in
            Data("\(object.name.suffix(5).prefix(1))ml".utf8)
        }
        defer { camera.remove() }
        // The camera has more free memory after the service has saved and released a photo.
        camera.worker.onDelete { _ in camera.report(Self.memory(of: 3 - camera.worker.deleted.count)) }
        let proof = NextStepProof(
            camera, .memoryFilling, "Shoot more slowly until these photos are saved", photos: 3)
        try await proof.run { camera.announce(photos) }
        #expect(camera.worker.deleted.count >= 1)
    }

    // MARK: Photos

    private static let photo = CameraObject(
        folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: 1)
    private static let bytes = Data("xml".utf8)

    private static func camera() async throws -> ScriptedCamera {
        try await ScriptedCamera([]) { _, _, _ in Data() }
    }

    /// Expects one condition with this text in its next step.
    private static func expect(_ kind: ConditionKind, _ advice: String, of camera: ScriptedCamera) throws {
        #expect(camera.conditionBoard.current.map(\.kind) == [kind])
        let step = try #require(camera.conditionBoard.current.first?.nextStep)
        #expect(step.contains(advice), "\(step)")
    }

    private static func seen(_ camera: ScriptedCamera) async throws -> CaptureRecord {
        try #require(
            try await camera.ledger.recordSeen(
                [photo], camera: camera.context.identity, session: nil, at: Date()
            ).first)
    }

    @Test func `fetches a failed photo later without a user action`() async throws {
        let isRefusing = Mutex(true)
        let camera = try await ScriptedCamera([Self.photo], configure: { $0.idleTick = .milliseconds(10) }) {
            _, _, _ throws(WorkerFailure) in
            if isRefusing.withLock(\.self) {
                throw WorkerFailure(kind: .refused, during: "fetch", text: "no")
            }
            return Self.bytes
        }
        defer { camera.remove() }
        let proof = NextStepProof(
            camera, .photoFailing, "No action is needed now: FrameFast retries these photos")
        try await proof.run { isRefusing.withLock { $0 = false } }
    }

    @Test func `clears the damaged-photo condition while the photo is read again`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let aside = SetAsidePhotos(camera.context)
        let record = try await Self.seen(camera)
        try await camera.ledger.setAside(id: record.id, failure: "it is empty")
        await aside.append(record.id, "it is empty")
        try Self.expect(.photoDamaged, "'framefast captures retry' reads the photo now", of: camera)
        let waited = aside.remove(record.id)
        #expect(waited && camera.conditionBoard.current.isEmpty)
    }

    @Test func `reports a file too large for the link while the card has it`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let aside = SetAsidePhotos(camera.context)
        let seen = SeenObjects(camera.context, previous: IntakeState(), timeline: { SessionTimeline() })
        let record = try await Self.seen(camera)
        try await camera.ledger.setAside(id: record.id, failure: SetAsidePhotos.tooLarge)
        try await aside.load(on: ObjectList([Self.photo]), seen)
        try Self.expect(.tooLargeForLink, "clears when the file is no longer on the card", of: camera)
        try await aside.load(on: ObjectList([]), seen)
        #expect(camera.conditionBoard.current.isEmpty)
    }

    @Test func `reports a corrupting link until a photo arrives intact over another link`() async throws {
        let camera = try await Self.waiting()
        defer { camera.remove() }
        let record = try #require(try await camera.records().first)
        let before = SecondReadings(camera.context)
        before.append(record)
        var readings = 0
        while let next = before.next() {
            readings += 1
            before.finish(next.id)
            _ = await before.evaluate(next, Self.reading("other \(readings)"), "/no/part")
        }
        try Self.expect(.linkCorrupts, "connect without a hub, or use another port", of: camera)
        let after = SecondReadings(camera.context)
        let settled = await after.evaluate(record, Self.reading(try #require(record.sha256)), "/no/part")
        #expect(settled?.verified == .reread && camera.conditionBoard.current.isEmpty)
    }

    @Test func `completes a second reading after the card is inserted again`() async throws {
        let camera = try await Self.waiting()
        defer { camera.remove() }
        let readings = SecondReadings(camera.context)
        try await readings.loadAwaiting(on: ObjectList([]))
        try Self.expect(
            .rereadWaits, "Insert the card with these photos, and connect the camera", of: camera)
        try await readings.loadAwaiting(on: ObjectList([Self.photo]))
        #expect(readings.next() != nil && camera.conditionBoard.current.isEmpty)
    }

    /// Returns a camera with a saved photo that waits for its second reading.
    private static func waiting() async throws -> ScriptedCamera {
        let camera = try await ScriptedCamera([], configure: { $0.verify = .reread }) { _, _, _ in Data() }
        try await EarlierPhoto(object: photo, bytes: Data("xml".utf8), awaitsReread: true)
            .save(in: camera.ledger, camera.root)
        return camera
    }

    private static func reading(_ sha256: String) -> FetchResult {
        FetchResult(bytes: 3, sha256: sha256, transferMs: 1)
    }

    @Test func `saves a photo after its failing disk is repaired`() async throws {
        let refuses = Mutex(true)
        let sync = DiskSync(file: { path throws(SystemCallError) in
            if refuses.withLock({ $0 }) {
                throw SystemCallError(call: "fsync", subject: path, errno: .ioError)
            }
            try DurableFile.sync(path)
        })
        let camera = try await ScriptedCamera(
            [Self.photo], configure: { $0.idleTick = .milliseconds(10) }, sync: sync
        ) { _, _, _ in Self.bytes }
        defer { camera.remove() }
        try await NextStepProof(camera, .saveFailing, "Check the disk that holds").run {
            refuses.withLock { $0 = false }
        }
    }

    @Test func `fetches the files beyond the limit after a reconnection`() async throws {
        let photos = (1...3).map {
            CameraObject(folder: "/store_00010001/DCIM", name: "IMG_\($0).XML", size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera(photos, configure: { $0.newObjectsMax = 2 }) { object, _, _ in
            Data("\(object.name.suffix(5).prefix(1))ml".utf8)
        }
        defer { camera.remove() }
        let proof = NextStepProof(
            camera, .cardOverfull, "then disconnect the camera and connect it again", photos: 3)
        // The next step says to wait until the other files are saved.
        try await proof.runReconnecting(when: {
            try await camera.records().count { $0.state == .saved } == 2
        })
    }

    @Test func `reports files that crash the driver until a listing completes without them`() async throws {
        let camera = try await ScriptedCamera([Self.photo], configure: { $0.idleTick = .milliseconds(10) }) {
            _, _, _ in Self.bytes
        }
        defer { camera.remove() }
        let obstacles = CameraObstacles(
            id: camera.connection.camera, attachment: nil, knowledge: try KnowledgeBase.bundled(),
            registry: camera.engine.shared.registry, conditionBoard: camera.conditionBoard)
        obstacles.reportQuarantine(2, last: 0x42, camera.connection.configured)
        camera.hideObjects()
        let proof = NextStepProof(
            camera, .objectSetAside, "Copy these files from the card with a card reader")
        // The condition remains after the other photos were saved.
        try await proof.runReconnecting(
            when: { try await camera.records().map(\.state) == [.saved] },
            follow: { camera.worker.put([]) })
    }
}
