import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization
import TestRig

@testable import Cameras
@testable import CaptureEngine

/// A simulated computer with a ledger and a disk. A test starts its engine several times with the same
/// cameras.
final class ModelStation: Sendable {
    let scratch: ScratchFolder
    let cameras: [ModelCamera]
    let ledger: LedgerStore
    let conditionBoard = ConditionBoard { _ in }
    private let settings: CaptureSettings
    private let deletesAfterSave: Bool
    private let seed: Mutex<SeededRandom>
    private let moved = Mutex<[String]>([])
    private let runningTasks = Mutex<[Task<Void, Never>]>([])

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
            folderRecordPath: scratch.path("capture-folder"), verify: verify)
        settings.idleTick = .milliseconds(10)
        self.settings = settings
    }

    // MARK: starts and stops

    /// Starts the service with the state of the last run.
    func start() async throws {
        let registry = CameraRegistry { _ in }
        // A real process releases the folder when it ends. In the test, a child process of another test may
        // have inherited the lock's descriptor.
        let engine = try await eventually("the last run to release the folder") {
            do {
                return try await CaptureEngine(
                    settings: settings, ledger: ledger, registry: registry, conditionBoard: conditionBoard,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: .system,
                    onCapture: { _ in })
            } catch CaptureDirectoryError.inUse {
                return nil
            }
        }
        var tasks = [Task { () async -> Void in try? await engine.publisher.run() }]
        for camera in cameras {
            registry.insert(
                CameraStatus(id: camera.id, name: camera.id.rawValue, port: "usb:", state: .ready))
            tasks.append(Task { [self] in await supervise(camera, engine) })
        }
        runningTasks.withLock { [tasks] in $0 = tasks }
    }

    /// Reconnects a camera repeatedly, like its supervisor.
    private func supervise(_ camera: ModelCamera, _ engine: CaptureEngine) async {
        while !Task.isCancelled {
            var random = SeededRandom(seed: seed.withLock { $0.next() })
            guard
                let connection = try? camera.connect(deletesAfterSave: deletesAfterSave, using: &random)
            else { return }
            await withTaskCancellationHandler {
                _ = await engine.serve(connection.daemonSide)
            } onCancel: {
                camera.breakConnection(killsWorker: true)
            }
            camera.disconnect()
            connection.daemonSide.abandon()
        }
    }

    /// Stops the service by cancelling its tasks, even during transfers.
    func stop() async {
        let tasks = runningTasks.withLock { $0 }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: the disk

    /// Moves the folder with the photos away.
    func moveCaptures() throws {
        guard FileManager.default.fileExists(atPath: settings.directory) else { return }
        let away = scratch.path("moved-\(moved.withLock(\.count))")
        try FileManager.default.moveItem(atPath: settings.directory, toPath: away)
        moved.withLock { $0.append(away) }
    }

    /// Returns the contents of all published photos in these folders.
    private func photos(in folders: [String]) -> [Data] {
        folders.flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasSuffix(".jpg") && !$0.contains(".framefast") }
                .compactMap { FileManager.default.contents(atPath: folder + "/" + $0) }
        }
    }

    // MARK: invariants

    /// Returns all violations. A violation is a missing photo, a photo that is saved twice, or a photo that
    /// still waits.
    ///
    /// If a file was moved away before its photo was recorded, the photo is saved again. In this case, the
    /// moved file is ignored.
    ///
    /// - Parameter mayConfuse: Whether the cameras share a serial number. If so, a damaged photo may be set
    ///   aside for the wrong camera and stay set aside after the right camera's photo was saved.
    func violations(mayConfuse: Bool) async throws -> [String] {
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
                    + "duplicate of \($0.duplicateOf ?? 0)"
            }
    }

    /// Returns the records that still wait without an expected reason.
    func waiting(mayConfuse: Bool) async throws -> [CaptureRecord] {
        try await ledger.captures(CaptureQuery(limit: 1_000)).map(\.record).filter { record in
            record.state != .saved && !(mayConfuse && record.state == .setAside)
                && !(record.state == .seen && cameras.contains { $0.hasMisreadTwice(record.object) })
        }
    }
}
