import Cameras
import CaptureEngine
import Foundation
import FrameFastModel
import FrameFastSystem
import Hooks
import Logging
import Store
import Synchronization
import UploadEngine

/// One run of the service: the real intake, publisher, ledger, planner, upload queue, retention and hooks.
final class SimulatedServiceRun: Sendable {
    let ledger: LedgerStore
    let conditionBoard: ConditionBoard
    private let engine: CaptureEngine
    private let uploads: UploadService
    private let hooks: HookService
    private let outages: OutageRule
    private let registry: CameraRegistry
    private let environment: SimulatedEnvironment
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// The number of attempts to lock the capture directory. A task of the previous run may still hold the
    /// lock.
    private static let lockAttempts = 60
    private static let reconnectMsRange = 50...2_000

    /// Prepares the service. ``start()`` starts it.
    ///
    /// - Throws: An error with which a real service would exit.
    init(_ environment: SimulatedEnvironment) async throws {
        self.environment = environment
        let (clock, trace) = (environment.makeServiceClock(), environment.trace)
        let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
        let ledger = try LedgerStore(path: environment.ledgerPath, at: clock.now())
        let conditionBoard = ConditionBoard(clock: clock) { conditions in
            trace.add("conditions: \(conditions.map(\.code).sorted())")
        }
        let registry = CameraRegistry(clock: clock) { _ in }
        let hooks = environment.hooks.makeService(clock: clock, logger: logger)
        let outages = OutageRule(environment)
        let uploads = try await UploadService(
            settings: environment.uploadSettings, targets: environment.targets, store: ledger, clock: clock,
            logger: logger
        ) { event in
            outages.record(event)
            switch event {
            case .job(let job, _):
                trace.add("upload \(job.id) to \(job.destination): \(job.state)")
                if job.state == .delivered { environment.hooks.enqueueDelivered(job, for: hooks) }
            case .raised(let condition): conditionBoard.raise(condition)
            case .cleared(let kind, let subject): conditionBoard.clear(kind, subject: subject)
            default: break
            }
        }
        engine = try await Self.makeEngine(
            environment, clock, ledger, registry, conditionBoard, logger, uploads, hooks)
        (self.ledger, self.conditionBoard, self.registry, self.uploads) = (
            ledger, conditionBoard, registry, uploads
        )
        (self.hooks, self.outages) = (hooks, outages)
    }

    private static func makeEngine(
        _ environment: SimulatedEnvironment, _ clock: HostClock, _ ledger: LedgerStore,
        _ registry: CameraRegistry, _ conditionBoard: ConditionBoard, _ logger: Logger,
        _ uploads: UploadService, _ hooks: HookService
    ) async throws -> CaptureEngine {
        let trace = environment.trace
        for attempt in 1... {
            do {
                return try await CaptureEngine(
                    settings: environment.captureSettings, ledger: ledger, registry: registry,
                    conditionBoard: conditionBoard,
                    logger: logger, clock: clock,
                    onCapture: { record in
                        trace.add("capture \(record.id): \(record.state) \(record.object.path)")
                        if record.state == .duplicate { uploads.captureSaved() }
                        guard record.state == .saved else { return }
                        environment.reads.recordSaved(record)
                        environment.deletions.recordSaved(record)
                        uploads.captureSaved()
                        // The daemon's `EventDispatcher` has the same condition.
                        if record.verified != .awaitingReread {
                            environment.hooks.enqueueSaved(record, for: hooks)
                        }
                    })
            } catch let error as CaptureDirectoryError {
                guard attempt < lockAttempts else { throw error }
                try await clock.sleep(1)
            }
        }
        throw CancellationError()
    }

    /// Starts the publisher, the folder watch, the uploads and the hooks, and connects the cameras.
    func start() {
        var tasks = [
            Task { () async -> Void in try? await self.engine.publisher.run() },
            Task { () async -> Void in await self.engine.folderWatch.run() },
            Task { () async -> Void in try? await self.uploads.run() },
            Task { () async -> Void in try? await self.hooks.run() },
            Task { () async -> Void in await self.outages.run(self.ledger) },
        ]
        for camera in environment.cameras {
            registry.insert(
                CameraStatus(id: camera.id, name: camera.id.rawValue, port: "usb:", state: .ready))
            tasks.append(Task { () async -> Void in await self.supervise(camera) })
        }
        self.tasks.withLock { [tasks] in $0 = tasks }
    }

    /// Starts a session with this upload mode, or stops the running session if the mode is `nil`, like the
    /// daemon's `SessionHandler`.
    ///
    /// - Throws: An error of the ledger. The session is then unchanged.
    func setSession(_ mode: UploadMode?) async throws {
        let now = environment.executor.clock.now()
        if let mode {
            let name = "session-\(Int(environment.executor.uptime))"
            engine.setSession(try await ledger.startSession(name: name, uploadMode: mode, at: now))
        } else if try await ledger.stopSession(at: now) != nil {
            engine.setSession(nil)
        }
    }

    /// Reconnects a camera repeatedly, like its supervisor.
    private func supervise(_ camera: SimulatedCamera) async {
        let computer = SimulatedCamera.Computer(environment.disk, environment.executor, environment.trace)
        let deletesAfterSave = environment.plan.deletesAfterSave
        while !Task.isCancelled, computer.isAlive {
            if let session = camera.connect(deletesAfterSave: deletesAfterSave, to: computer) {
                environment.trace.add("\(camera.id): connected at \(camera.place)")
                let end = await withTaskCancellationHandler {
                    await engine.serve(session)
                } onCancel: {
                    camera.cut(killsWorker: true)
                }
                camera.disconnect()
                environment.trace.add("\(camera.id): disconnected, \(end)")
            }
            let pause = environment.executor.draw { $0.number(Self.reconnectMsRange) }
            try? await environment.executor.clock.sleep(Double(pause) / 1_000)
        }
    }

    /// Stops the service. After a kill, ends the tasks of the killed service.
    func stop() async {
        let tasks = self.tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
