import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import SystemPackage
import Testing
import WorkerProtocol

@testable import CaptureEngine

/// Tests of the next steps for a connected camera and its photos. Each test raises a condition, performs the
/// next step, and checks that the condition is cleared.
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

    private static func card(freeBytes: UInt64) -> CameraFacts {
        CameraFacts(storages: [CameraStorage(folder: "/store_00010001", freeBytes: freeBytes)])
    }

    private static func memory(usedBytes: UInt64) -> CameraFacts {
        CameraFacts(
            mustDeleteAfterSave: true, bufferBytes: 1_000, bufferedObjects: 9, bufferedBytes: usedBytes)
    }

    static let rows = [
        Row(
            .batteryLow, "Charge or replace the battery soon", CameraFacts(batteryPercent: 9),
            then: CameraFacts(batteryPercent: 80)),
        Row(
            .clockDrift, "Set the clock with 'framefast clock left --set'",
            CameraFacts(clockDriftSeconds: 90),
            then: CameraFacts(clockDriftSeconds: 1)),
        // After the zone is set in the configuration, the worker compares the camera's clock with that zone.
        Row(
            .clockDrift, "set the camera's time_zone in the configuration",
            CameraFacts(clockDriftSeconds: -28_800), then: CameraFacts(clockDriftSeconds: 0)),
        Row(
            .cardFull, "Replace the card", CameraFacts(shotsLeft: 0),
            then: CameraFacts(shotsLeft: 400)),
        Row(.cardFull, "or delete photos that are saved", card(freeBytes: 0), then: card(freeBytes: 1 << 30)),
        Row(
            .memoryFilling, "Shoot more slowly until these photos are saved", memory(usedBytes: 900),
            then: memory(usedBytes: 100)),
    ]

    @Test(arguments: rows)
    func `clears a condition after the camera reports that the next step was performed`(row: Row) throws {
        let health = HealthBoard { _ in }
        CameraConditions.update(row.before, camera: "a-1", name: "left", health: health)
        #expect(health.current.map(\.kind) == [row.kind])
        let step = try #require(health.current.first?.nextStep)
        #expect(step.contains(row.advice), "\(step)")
        CameraConditions.update(row.after, camera: "a-1", name: "left", health: health)
        #expect(health.current.isEmpty)
    }

    // MARK: Photos

    private static let photo = CameraObject(
        folder: "/store_00010001/DCIM", name: "A.XML", size: 3, cameraTime: 1)

    private static func camera() async throws -> ScriptedCamera {
        try await ScriptedCamera([]) { _, _, _ in Data() }
    }

    /// Expects one condition with this text in its next step.
    private static func expect(_ kind: ConditionKind, _ advice: String, of camera: ScriptedCamera) throws {
        #expect(camera.health.current.map(\.kind) == [kind])
        let step = try #require(camera.health.current.first?.nextStep)
        #expect(step.contains(advice), "\(step)")
    }

    private static func seen(_ camera: ScriptedCamera) async throws -> CaptureRecord {
        try #require(
            try await camera.ledger.recordSeen(
                [photo], camera: camera.context.identity, session: nil, at: Date()
            ).first)
    }

    @Test func `fetches a failed photo later without a user action`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let failures = FetchFailures(
            camera.context, outcome: ConnectionOutcome(), setAside: SetAsidePhotos(camera.context),
            cleanup: CameraCleanup(context: camera.context))
        let record = try await Self.seen(camera)
        for _ in 0..<3 {
            _ = await failures.handleFailure(
                record, WorkerFailure(kind: .refused, during: "fetch", text: "no"), wasOnLink: true)
        }
        try Self.expect(.photoFailing, "No action is needed now: FrameFast retries them", of: camera)
        failures.forget(record)
        #expect(camera.health.current.isEmpty)
    }

    @Test func `clears the damaged-photo condition while the photo is read again`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let aside = SetAsidePhotos(camera.context)
        let record = try await Self.seen(camera)
        try await camera.ledger.setAside(id: record.id, failure: "it is empty")
        await aside.append(record.id, "it is empty")
        try Self.expect(.photoDamaged, "'framefast captures retry' reads it now", of: camera)
        let waited = aside.remove(record.id)
        #expect(waited && camera.health.current.isEmpty)
    }

    @Test func `reports a file too large for the link until the card no longer has it`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let aside = SetAsidePhotos(camera.context)
        let seen = SeenObjects(camera.context, previous: IntakeState(), timeline: { SessionTimeline() })
        let record = try await Self.seen(camera)
        try await camera.ledger.setAside(id: record.id, failure: SetAsidePhotos.tooLarge)
        try await aside.load(on: ObjectList([Self.photo]), seen)
        try Self.expect(.tooLargeForLink, "clears when the file is no longer on the card", of: camera)
        try await aside.load(on: ObjectList([]), seen)
        #expect(camera.health.current.isEmpty)
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
        #expect(settled?.verified == .reread && camera.health.current.isEmpty)
    }

    @Test func `completes a second reading after the card is inserted again`() async throws {
        let camera = try await Self.waiting()
        defer { camera.remove() }
        let readings = SecondReadings(camera.context)
        try await readings.loadAwaiting(on: ObjectList([]))
        try Self.expect(
            .rereadWaits, "Insert the card with these photos, and connect the camera", of: camera)
        try await readings.loadAwaiting(on: ObjectList([Self.photo]))
        #expect(readings.next() != nil && camera.health.current.isEmpty)
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
        let step = Mutex<String?>(nil)
        let sync = DiskSync(file: { path throws(SystemCallError) in
            if refuses.withLock({ $0 }) {
                throw SystemCallError(call: "fsync", subject: path, errno: .ioError)
            }
            try DurableFile.sync(path)
        })
        let camera = try await ScriptedCamera(
            [Self.photo], configure: { $0.idleTick = .milliseconds(10) }, sync: sync
        ) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        try await camera.serve {
            if let reported = camera.health.current.first(where: { $0.kind == .saveFailing }) {
                step.withLock { $0 = reported.nextStep }
                refuses.withLock { $0 = false }
                return false
            }
            return try await camera.records().map(\.state) == [.saved]
        }
        #expect(step.withLock { $0 }?.contains("Check the disk that holds") == true)
        #expect(camera.health.current.isEmpty)
    }

    @Test func `fetches the files beyond the limit after a reconnection`() async throws {
        let photos = (1...3).map {
            CameraObject(folder: "/store_00010001/DCIM", name: "IMG_\($0).XML", size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera(photos, configure: { $0.newObjectsMax = 2 }) { _, _, _ in
            Data("xml".utf8)
        }
        defer { camera.remove() }
        try await camera.serve { try await camera.records().count { $0.state == .saved } == 2 }
        try Self.expect(
            .cardOverfull, "then disconnect the camera and connect it again", of: camera)
        camera.health.clearDeparted(camera.connection.camera)
        #expect(camera.health.current.isEmpty)
    }

    @Test func `reports files that crash the driver until a listing completes without them`() async throws {
        let camera = try await ScriptedCamera([Self.photo], configure: { $0.idleTick = .milliseconds(10) }) {
            _, _, _ in Data("xml".utf8)
        }
        defer { camera.remove() }
        camera.context.raise(
            .objectSetAside, sentence: "2 files make the driver crash.",
            nextStep: "Copy these files from the card with a card reader")
        try await camera.serve { camera.health.current.isEmpty }
        #expect(try await camera.records().map(\.state) == [.saved])
    }
}
