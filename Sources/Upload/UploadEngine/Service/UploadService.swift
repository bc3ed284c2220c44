import Foundation
public import FrameFastModel
public import FrameFastSystem
public import Logging
public import ServiceLifecycle
public import Store

/// A service that uploads each saved photo exactly once to each of its destinations, and retries without
/// limit.
///
/// Run the service in the service group. After a new photo is saved, call ``captureSaved()``. The ledger
/// contains all pending jobs. Uploads that were running when the service ended are started again.
public final class UploadService: Service, Sendable {
    /// The number of threads that read local files. Capture has its own threads.
    private static let fileThreads = 2
    /// The shortest time between two statistics events, in seconds.
    private static let statisticsSeconds = 0.25
    /// Returns the ledger key that stores a destination's pause.
    static func pauseKey(_ name: DestinationName) -> String { "paused:\(name)" }

    let ledger: QueueLedger
    let attempts: RunningAttempts
    let roster = DestinationRunnerRoster()
    let makeRunner: @Sendable (UploadTarget, _ isPaused: Bool) -> DestinationRunner
    let planner: UploadPlanner
    let retention: Retention
    private let traffic = CaptureTraffic()
    private let sources: SourceWatch
    private let statisticsEvent: AsyncEvent
    private let stop: StopSignal
    private let queueConditions: QueueConditions

    /// Creates the service and its runners. Uploads start with ``run()``.
    ///
    /// - Parameter report: Called for each event. The closure must return quickly.
    public init(
        settings: UploadSettings, targets: [UploadTarget], store: LedgerStore, clock: HostClock = .system,
        logger: Logger, report: @escaping @Sendable (UploadEvent) -> Void
    ) async throws {
        let (stop, statisticsEvent, attempts) = (StopSignal(), AsyncEvent(), RunningAttempts())
        let reserveFile = ReserveFile(folder: settings.stateDirectory, bytes: settings.reserveBytes)
        let ledger = QueueLedger(
            store: store, reserveFile: reserveFile, clock: clock, stop: stop,
            directory: settings.stateDirectory,
            report: report, logger: logger)
        let files = BlockingPool(label: "framefast.uploads", width: Self.fileThreads)
        let station = try Station.installed(in: settings.stateDirectory, clock: clock)
        let sources = SourceWatch(clock: clock, report: report)
        let plannerEvent = AsyncEvent()
        let retention = Retention(rule: settings.keep, ledger: ledger)
        makeRunner = { [traffic] target, isPaused in
            DestinationRunner(
                target: target, ledger: ledger, attempts: attempts, files: files, station: station,
                sources: sources, traffic: traffic, isPaused: isPaused,
                isMetered: settings.isMetered
            ) { job, photo in
                report(.job(job, photo: photo))
                statisticsEvent.signal()
                if job.state == .delivered { retention.recordDelivery(capture: job.captureID) }
            }
        }
        planner = UploadPlanner(
            targets: targets, policy: settings.policy, ledger: ledger, files: files, wakeEvent: plannerEvent
        ) { [roster] names in
            roster.wake(names)
            // A change of the mode may have held jobs that a condition reports.
            for runner in roster.current where names.contains(runner.target.name) {
                await runner.reviewRepeatedFailures()
            }
            statisticsEvent.signal()
        }
        stop.register(statisticsEvent)
        self.ledger = ledger
        self.attempts = attempts
        self.retention = retention
        self.sources = sources
        self.statisticsEvent = statisticsEvent
        self.stop = stop
        queueConditions = QueueConditions(report: report)
        try await planner.restore()
        var runners: [DestinationRunner] = []
        for target in targets { runners.append(makeRunner(target, try await isPaused(target.name))) }
        roster.replaceAll(with: runners)
    }

    /// The runners of all configured destinations.
    var runners: [DestinationRunner] { roster.current }

    /// Returns whether a person has paused a destination.
    func isPaused(_ name: DestinationName) async throws -> Bool {
        try await ledger.store.uploadSetting(Self.pauseKey(name)) != nil
    }

    /// Runs uploads until the service is asked to stop, and then returns within nine seconds. The next start
    /// continues the remaining uploads.
    public func run() async throws {
        await withTaskExecutorPreference(UploadThread.preferred) { await work() }
    }

    private func work() async {
        ledger.reserveFile.create()
        let recovered = await ledger.withRetries { try await $0.recoverUploads() } ?? 0
        if recovered > 0 {
            SimulatedHost.pass(.uploadsRecovered)
            ledger.logger.info("interrupted uploads are queued again", metadata: ["jobs": "\(recovered)"])
        }
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.planner.run() }
                group.addTask { await self.retention.run() }
                group.addTask { await self.reportStatistics() }
                for await start in roster.starts {
                    group.addTask {
                        for earlier in start.predecessors {
                            await earlier.waitUntilEnded(for: start.runner.place)
                        }
                        await start.runner.run()
                    }
                }
            }
        } onGracefulShutdown: {
            self.stop.raise()
            self.roster.finish()
        }
    }

    /// Handles progress of an incoming photo: the camera announced the photo, or more bytes were received.
    /// Uploads then yield to capture.
    public func captureChanged() { traffic.recordProgress(at: ledger.clock.now()) }

    /// Handles a saved photo whose record is in the ledger, or a photo that the ledger recorded as a
    /// duplicate. The opinions about a duplicate now count for its original.
    public func captureSaved() { planner.wakeEvent.signal() }

    /// Applies the ledger's new opinions about shots to the waiting uploads that depend on ratings. If the
    /// ledger fails, the planner retries later.
    public func opinionsChanged() async {
        await planner.applyOpinions()
        statisticsEvent.signal()
    }

    /// Handles the protection of a saved photo in the camera. A protected photo needs no rating in mode
    /// `rated` and for destinations with a minimum rating.
    public func captureProtected(_ record: CaptureRecord) { planner.recordProtection(of: record.shotID) }

    /// Handles the loss of events. The lost events may require ``captureSaved()`` or
    /// ``captureProtected(_:)``, so the planner searches the ledger for the photos.
    public func captureEventsDropped() { planner.searchLedger() }

    /// Handles a network that became metered or unmetered. The runners check again whether the network is
    /// metered.
    public func networkChanged() { for runner in runners { runner.wakeEvent.signal() } }

    /// Wakes all runners after the computer's sleep. Each runner measures the sleep with its clock, and
    /// retries its destination.
    public func computerWoke() { for runner in runners { runner.wakeEvent.signal() } }

    /// Wakes all loops after a person's change to the queue.
    func wakeAfterUserChange() async {
        for runner in runners { await runner.retryIfRefused() }
        planner.wakeEvent.signal()
        statisticsEvent.signal()
    }

    /// Returns the current statistics. The cost does not depend on the queue's length.
    public func statistics() async throws -> [UploadStatistics] {
        let counts = try await ledger.store.uploadCounts()
        var statistics: [UploadStatistics] = []
        for runner in runners {
            statistics.append(await runner.statistics(counts[runner.target.name] ?? UploadCounts()))
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
                let now = Set(statistics.filter { $0.state == .removed }.map(\.destination))
                // One last event with zero jobs reports that a removed destination has no more jobs.
                statistics += removed.subtracting(now).map { UploadStatistics(removed: $0, UploadCounts()) }
                removed = now
                ledger.report(.statistics(statistics))
                for figure in statistics { await queueConditions.update(from: figure, ledger) }
                await sources.clearIfNothingWaits(ledger.store)
                // RAW files may be due now. The planner reads the ledger, so one signal is enough for many
                // delivered photos.
                if statistics.contains(where: { $0.counts.holds[.jpegFirst] != nil }) {
                    planner.wakeEvent.signal()
                }
            } catch {
                ledger.logger.error("cannot compute the queue statistics", metadata: ["reason": "\(error)"])
            }
            ledger.reserveFile.create()
            await statisticsEvent.wait()
            // This delay limits the number of events per second. The delay uses the real clock, not the
            // queue's clock.
            try? await HostClock.real.sleep(Self.statisticsSeconds)
        }
    }
}
