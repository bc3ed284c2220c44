import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import ServiceLifecycle
import Store
import UploadEngine

/// A service that sends a status line to systemd, feeds systemd's watchdog, and publishes changed statistics
/// to event streams.
///
/// The watchdog is fed after each complete round. A round proves that the ledger accepts a change and that
/// the service can reply to a client. A failed round also feeds the watchdog, because errors are reported as
/// conditions and a restart does not repair a disk. Only a round that hangs triggers the watchdog.
///
/// A round does not use the socket, because clients could occupy all of its connections.
struct StatusReporter: Service {
    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let conditionBoard: ConditionBoard
    private let saveStatistics: SaveStatistics
    private let engine: CaptureEngine
    private let uploads: UploadService
    private let service: ServiceHandler
    private let hub: EventHub
    private let log: EventLog
    private let web: WebAccess
    private let notifier: ServiceNotifier
    private let clock: HostClock

    /// The pause between two rounds. A status bar is out of date by at most this pause.
    private static let interval: Duration = .seconds(2)
    /// The interval at which the log reports the number of saved photos.
    private static let logDelay: Duration = .seconds(30)

    init(_ parts: DaemonParts, service: ServiceHandler, notifier: ServiceNotifier) {
        ledger = parts.ledger
        registry = parts.registry
        conditionBoard = parts.conditionBoard
        saveStatistics = parts.engine.saveStatistics
        engine = parts.engine
        uploads = parts.uploads
        self.service = service
        hub = parts.hub
        log = parts.log
        web = parts.web
        clock = parts.clock
        self.notifier = notifier
    }

    func run() async throws {
        let interval = min(Self.interval, notifier.watchdogInterval.map { $0 / 2 } ?? Self.interval)
        let clockGuard = ClockGuard(
            newest: (try? await ledger.newestSavedAt()) ?? nil, conditionBoard: conditionBoard)
        try? await cancelWhenGracefulShutdown {
            var published: CaptureStatisticsReply?
            var zone = HostZone()
            var sleepDetector = SleepDetector(sleptSeconds: clock.slept())
            while true {
                try await clock.sleep(for: interval)
                if let seconds = sleepDetector.measureSleep(upTo: clock.slept()) {
                    await computerWoke(after: seconds)
                }
                if zone.refresh() { log.logTimeZone(TimeZone.current.identifier) }
                let statistics = await runRound()
                try Task.checkCancellation()
                notifier.alive()
                clockGuard.checkClock(clock.now())
                // Ignore an error of the ledger, because the web page refuses an ended device in any case.
                try? await web.removeEndedDevices()
                log.logSavedPhotos(saveStatistics.drainSavedCounts(olderThan: Self.logDelay))
                guard let statistics, statistics != published else { continue }
                published = statistics
                hub.publish(service.statistics(statistics))
                // The running session's number of photos may also have changed.
                if let session = try? await service.sessions.running() { hub.publish(.session(session)) }
                notifier.status(line(statistics))
            }
        }
        log.logSavedPhotos(saveStatistics.drainSavedCounts(olderThan: .zero))
    }

    /// Makes the engines query cameras and destinations again, because their state from before the sleep is
    /// out of date.
    private func computerWoke(after seconds: Double) async {
        log.logSleep(seconds: seconds)
        uploads.computerWoke()
        await engine.computerWoke()
    }

    /// Waits until the ledger accepts a write, then creates the complete status.
    ///
    /// - Returns: The statistics, or `nil` after an error.
    private func runRound() async -> CaptureStatisticsReply? {
        try? await ledger.waitForWriter()
        return try? await service.status().captures
    }

    private func line(_ statistics: CaptureStatisticsReply) -> String {
        let cameras = registry.all
        let connected = cameras.count { registry.connection(of: $0.id) != nil }
        let worst = conditionBoard.current.first.map { " · \($0.sentence)" } ?? ""
        return "\(connected) of \(cameras.count) cameras connected, \(statistics.shots) shots saved\(worst)"
    }
}
