import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization
import TestRig

@testable import Cameras
@testable import CaptureEngine

/// A computer with its ledger and disk, on which the engine lives several lives, each with the same cameras.
final class ModelStation: Sendable {
    let scratch: ScratchFolder
    let cameras: [ModelCamera]
    let ledger: LedgerStore
    let health = HealthBoard { _ in }
    private let settings: CaptureSettings
    private let deletesAfterSave: Bool
    private let seed: Mutex<SeededRandom>
    private let moved = Mutex<[String]>([])
    private let life = Mutex<[Task<Void, Never>]>([])

    init(
        _ cameras: [ModelCamera], verify: CaptureSettings.Verify, deletesAfterSave: Bool, seed: SeededRandom
    ) throws {
        self.cameras = cameras
        self.deletesAfterSave = deletesAfterSave
        self.seed = Mutex(seed)
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        var settings = CaptureSettings(
            directory: scratch.path("photos"), template: try NamingTemplate("{camera}-{counter}.{ext}"),
            minFreeBytes: 0, pairSettleSeconds: 0, existing: .fetch,
            folderMemory: scratch.path("capture-folder"), verify: verify)
        settings.quietTick = .milliseconds(10)
        self.settings = settings
    }

    // MARK: lives

    /// The service starts, and finds what the last one left.
    func start() async throws {
        let registry = CameraRegistry { _ in }
        // Lives are processes, which let go of the folder when they end. Here a program that another test is just starting
        // may hold what the last life had open.
        let engine = try await eventually("the last life to let go of the folder") {
            do {
                return try await CaptureEngine(
                    settings: settings, ledger: ledger, registry: registry, health: health,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onCapture: { _ in })
            } catch CaptureDirectoryError.inUse {
                return nil
            }
        }
        var tasks = [Task { () async -> Void in try? await engine.publisher.run() }]
        for camera in cameras {
            registry.put(CameraStatus(id: camera.id, name: camera.id.rawValue, port: "usb:", state: .ready))
            tasks.append(Task { [self] in await supervise(camera, engine) })
        }
        life.withLock { [tasks] in $0 = tasks }
    }

    /// Connects a camera again and again, as its supervisor does.
    private func supervise(_ camera: ModelCamera, _ engine: CaptureEngine) async {
        while !Task.isCancelled {
            var random = SeededRandom(seed: seed.withLock { $0.next() })
            guard
                let connection = try? camera.connect(deletesAfterSave: deletesAfterSave, using: &random)
            else { return }
            await withTaskCancellationHandler {
                _ = await engine.serve(connection.session)
            } onCancel: {
                camera.cut(killsWorker: true)
            }
            camera.disconnected()
            connection.session.abandon()
        }
    }

    /// The service ends wherever it is.
    func stop() async {
        let tasks = life.withLock { $0 }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: the disk

    /// Somebody moves the folder with the photos away.
    func moveCaptures() throws {
        guard FileManager.default.fileExists(atPath: settings.directory) else { return }
        let away = scratch.path("moved-\(moved.withLock(\.count))")
        try FileManager.default.moveItem(atPath: settings.directory, toPath: away)
        moved.withLock { $0.append(away) }
    }

    /// Every photo under a final name in these folders.
    private func photos(in folders: [String]) -> [Data] {
        folders.flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasSuffix(".jpg") && !$0.contains(".framefast") }
                .compactMap { FileManager.default.contents(atPath: folder + "/" + $0) }
        }
    }

    // MARK: what must be so

    /// What is not as it must be: a photo that is not here, one that is here twice, one that still waits.
    ///
    /// A photo whose file was moved away before it was on record comes once more: the one that was moved does not count
    /// then.
    ///
    /// - Parameter mayConfuse: whether the cameras share a number: what came damaged may have been set aside as another
    ///   one's photo then, and stays there when it came whole as its own camera's.
    func wrongs(mayConfuse: Bool) async throws -> [String] {
        var files = photos(in: [settings.directory])
        var away = photos(in: moved.withLock { $0 })
        var wrong: [String] = []
        for (camera, shot) in cameras.flatMap({ camera in camera.taken.map { (camera, $0) } }) {
            if let index = files.firstIndex(of: shot.bytes) {
                files.remove(at: index)
            } else if let index = away.firstIndex(of: shot.bytes) {
                away.remove(at: index)
            } else {
                wrong.append(
                    "missing\(camera.has(shot) ? "" : ", and deleted on the camera"): \(camera.id) \(shot.object)"
                )
            }
        }
        wrong += files.map { "too many: \(String(decoding: $0.dropFirst(6).prefix(20), as: UTF8.self))" }
        return wrong
            + (try await waiting(mayConfuse: mayConfuse)).map {
                "\($0.id) \($0.state): \($0.bodyID) \($0.object) \($0.failure ?? "") after \($0.attempts), "
                    + "twin of \($0.twinID ?? 0)"
            }
    }

    /// Returns the records that wait although nothing can delay them any more.
    func waiting(mayConfuse: Bool) async throws -> [CaptureRecord] {
        try await ledger.captures(CaptureQuery(limit: 1_000)).map(\.record).filter { record in
            record.state != .saved && !(mayConfuse && record.state == .setAside)
                && !(record.state == .seen && cameras.contains { $0.hasMisreadTwice(record.object) })
        }
    }
}
