import Foundation
import FrameFastModel
import FrameFastSystem
public import Logging
public import ServiceLifecycle
public import Store

/// Brings each saved photo to each of its destinations, once, however long that takes.
///
/// Run it in the service group. A photo needs no more than ``captureSaved()``: what is to be uploaded stands in the
/// ledger, and what was running when the service ended starts again.
public final class UploadService: Service, Sendable {
    /// Threads for reading local files: capture has its own.
    private static let fileThreads = 2
    /// Shortest time between two sums, in seconds.
    private static let statisticsSeconds = 0.25
    /// Under this name a pause of a destination outlives a restart.
    static func pauseKey(_ name: DestinationName) -> String { "paused:\(name)" }

    let ledger: QueueLedger
    let roster = UploadWorkerRoster()
    let makeWorker: @Sendable (UploadTarget, _ isPaused: Bool) -> UploadWorker
    let planner: UploadPlanner
    let retention: Retention
    private let traffic = CaptureTraffic()
    private let sources: SourceWatch
    private let changed: Bell
    private let stop: StopSignal
    private let board: FailureBoard

    /// Prepares the workers; nothing is uploaded before ``run()``.
    ///
    /// - Parameter tell: Told what happens. Must be quick.
    public init(
        settings: UploadSettings, targets: [UploadTarget], store: LedgerStore, clock: UploadClock = .system,
        logger: Logger, tell: @escaping @Sendable (UploadEvent) -> Void
    ) async throws {
        let (stop, changed) = (StopSignal(), Bell())
        let ballast = Ballast(folder: settings.stateDirectory, bytes: settings.ballastBytes)
        let ledger = QueueLedger(
            store: store, ballast: ballast, clock: clock, stop: stop, directory: settings.stateDirectory,
            tell: tell, logger: logger)
        let files = BlockingPool(label: "framefast.uploads", width: Self.fileThreads)
        let station = try Station.installed(in: settings.stateDirectory)
        let sources = SourceWatch(clock: clock, tell: tell)
        let plannerBell = Bell()
        let retention = Retention(rule: settings.keep, ledger: ledger)
        makeWorker = { [traffic] target, isPaused in
            UploadWorker(
                target: target, ledger: ledger, files: files, station: station, sources: sources,
                traffic: traffic, isPaused: isPaused,
                isMetered: settings.isMetered
            ) { job in
                tell(.job(job))
                changed.ring()
                if job.state == .delivered { retention.delivered(capture: job.captureID) }
            }
        }
        planner = UploadPlanner(
            targets: targets, policy: settings.policy, ledger: ledger, files: files, bell: plannerBell
        ) { [roster] names in
            roster.ring(names)
            // A mode may have held uploads that a report is about.
            for worker in roster.current where names.contains(worker.target.name) {
                await worker.reviewRepeated()
            }
            changed.ring()
        }
        stop.wake(changed)
        self.ledger = ledger
        self.retention = retention
        self.sources = sources
        self.changed = changed
        self.stop = stop
        board = FailureBoard(tell: tell)
        await planner.restore()
        var workers: [UploadWorker] = []
        for target in targets { workers.append(makeWorker(target, try await isPaused(target.name))) }
        roster.use(workers)
    }

    /// The destinations at work.
    var workers: [UploadWorker] { roster.current }

    /// Whether a person has paused a destination.
    func isPaused(_ name: DestinationName) async throws -> Bool {
        try await ledger.store.uploadSetting(Self.pauseKey(name)) != nil
    }

    /// Uploads until the service is told to stop; then ends within nine seconds and leaves the rest to the next start.
    public func run() async throws {
        await withTaskExecutorPreference(UploadThread.shared) { await work() }
    }

    private func work() async {
        ledger.ballast.layDown()
        let recovered = await ledger.insist { try await $0.recoverUploads() } ?? 0
        if recovered > 0 {
            ledger.logger.info("uploads start again", metadata: ["jobs": "\(recovered)"])
        }
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.planner.run() }
                group.addTask { await self.retention.run() }
                group.addTask { await self.reportStatistics() }
                for await start in roster.starts {
                    group.addTask {
                        for earlier in start.predecessors { await earlier.hasEnded(for: start.worker.place) }
                        await start.worker.run()
                    }
                }
            }
        } onGracefulShutdown: {
            self.stop.raise()
            self.roster.finish()
        }
    }

    /// A photo comes in: it was announced by its camera, or is further. Uploads make room for it.
    public func photoMoved() { traffic.photoMoved(at: ledger.clock.now()) }

    /// A photo was saved, and stands in the ledger as that.
    public func captureSaved() { planner.bell.ring() }

    /// A photo that is known was protected in the camera: what was held for want of that may go.
    public func captureProtected() {
        for worker in workers { worker.bell.ring() }
        changed.ring()
    }

    /// The network changed: whether it costs money is asked again, and destinations that are away are not made to wait.
    public func networkChanged() { for worker in workers { worker.bell.ring() } }

    /// Tries each destination now that the computer woke from sleep. The workers see the sleep on their clock.
    public func computerWoke() { for worker in workers { worker.bell.ring() } }

    /// Something in the queue changed by a person's hand.
    func changedByPerson() async {
        for worker in workers { await worker.encourage() }
        planner.bell.ring()
        changed.ring()
    }

    /// The sums as they are now. The cost does not depend on the length of the queue.
    public func statistics() async throws -> [UploadStatistics] {
        let counts = try await ledger.store.uploadCounts()
        var statistics: [UploadStatistics] = []
        for worker in workers {
            statistics.append(await worker.statistics(counts[worker.target.name] ?? UploadCounts()))
        }
        let configured = Set(destinations)
        for (name, counts) in counts.sorted(by: { $0.key < $1.key })
        where counts.undelivered > 0 && !configured.contains(name) {
            statistics.append(UploadStatistics(removed: name, counts))
        }
        return statistics
    }

    private func reportStatistics() async {
        var removed: Set<DestinationName> = []
        while !stop.isRaised && !Task.isCancelled {
            do {
                var statistics = try await statistics()
                let now = Set(statistics.filter { $0.standing == .removed }.map(\.destination))
                // Once more without jobs, so that everybody hears of the end.
                statistics += removed.subtracting(now).map { UploadStatistics(removed: $0, UploadCounts()) }
                removed = now
                ledger.tell(.statistics(statistics))
                for figure in statistics { await board.look(figure, ledger) }
                await sources.look(ledger.store)
                // RAW files may follow now. Not at each photo that is through: the planner looks into the ledger.
                if statistics.contains(where: { $0.counts.holds[.jpegFirst] != nil }) { planner.bell.ring() }
            } catch {
                ledger.logger.error("cannot sum up the queue", metadata: ["reason": "\(error)"])
            }
            ledger.ballast.layDown()
            await changed.wait()
            // Not the queue's clock: this only keeps clients from being flooded.
            try? await Task.sleep(for: .seconds(Self.statisticsSeconds))
        }
    }
}
