import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import ServiceLifecycle
import Store
import Synchronization
import UploadEngine

/// Tells systemd one line about the service and feeds its watchdog; tells streams the statistics when they change.
///
/// The watchdog is fed behind a whole round: a change could have been written to the ledger, and what a client asks
/// for was put together. A round that hangs is what the watchdog is for. One that ends with an error is not: errors
/// are told as conditions, and a restart does not mend a disk. Nor does a round go over the socket, where clients could
/// hold up all of them.
struct StatusReporter: Service {
    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let health: HealthBoard
    private let tally: SaveTally
    private let engine: CaptureEngine
    private let uploads: UploadService
    private let service: ServiceHandler
    private let hub: EventHub
    private let log: EventLog
    private let notifier: ServiceNotifier

    /// Time between two looks: a status bar should not be older than this.
    private static let interval: Duration = .seconds(2)
    /// Longest time that saved photos wait for the line in the log that counts them.
    private static let countedAfter: Duration = .seconds(30)

    init(_ parts: DaemonParts, service: ServiceHandler, notifier: ServiceNotifier) {
        ledger = parts.ledger
        registry = parts.registry
        health = parts.health
        tally = parts.engine.tally
        engine = parts.engine
        uploads = parts.uploads
        self.service = service
        hub = parts.hub
        log = parts.log
        self.notifier = notifier
    }

    func run() async throws {
        let interval = min(Self.interval, notifier.watchdogInterval.map { $0 / 2 } ?? Self.interval)
        let clock = ClockGuard(newest: (try? await ledger.newestSavedAt()) ?? nil, health: health)
        try? await cancelWhenGracefulShutdown {
            var told: CaptureStatisticsReply?
            var zone = HostZone()
            var sleepMeter = SleepMeter()
            while true {
                try await Task.sleep(for: interval)
                if let seconds = sleepMeter.measureSleep() { await computerWoke(after: seconds) }
                if zone.refresh() { log.zone(TimeZone.current.identifier) }
                let statistics = await round()
                try Task.checkCancellation()
                notifier.alive()
                clock.check(Date())
                log.saved(tally.takeSaved(olderThan: Self.countedAfter))
                guard let statistics, statistics != told else { continue }
                told = statistics
                hub.publish(service.statistics(statistics))
                // The session counts its photos, too.
                if let session = try? await service.sessions.running() { hub.publish(.session(session)) }
                notifier.status(line(statistics))
            }
        }
        log.saved(tally.takeSaved(olderThan: .zero))
    }

    /// Has cameras and destinations asked now: what was known of them before the computer slept is out of date.
    private func computerWoke(after seconds: Double) async {
        log.slept(seconds: seconds)
        uploads.computerWoke()
        await engine.computerWoke()
    }

    /// Goes once through the ledger and the control surface.
    ///
    /// - Returns: the statistics; `nil` when something answered with an error.
    private func round() async -> CaptureStatisticsReply? {
        try? await ledger.waitForTurn()
        return try? await service.status().captures
    }

    private func line(_ statistics: CaptureStatisticsReply) -> String {
        let cameras = registry.all
        let connected = cameras.count { registry.session(of: $0.id) != nil }
        let worst = health.current.first.map { " · \($0.sentence)" } ?? ""
        return "\(connected) of \(cameras.count) cameras connected, \(statistics.shots) shots saved\(worst)"
    }
}
