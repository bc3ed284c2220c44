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

/// Tells systemd one line about the service and feeds its watchdog; tells streams the statistics when they change.
///
/// The watchdog is fed behind a whole round: a change could have been written to the ledger, and what a client asks
/// for was put together. A round that hangs is what the watchdog is for. One that ends with an error is not: errors
/// are told as conditions, and a restart does not mend a disk. Nor does a round go over the socket, where clients could
/// hold up all of them.
struct StatusReporter: Service {
    let control: DaemonControl
    let log: EventLog
    let notifier: ServiceNotifier

    /// Time between two looks: a status bar should not be older than this.
    private static let interval: Duration = .seconds(2)
    /// Longest time that saved photos wait for the line in the log that counts them.
    private static let countedAfter: Duration = .seconds(30)

    func run() async throws {
        let interval = min(Self.interval, notifier.watchdogInterval.map { $0 / 2 } ?? Self.interval)
        try? await cancelWhenGracefulShutdown {
            var told: CaptureStatisticsReply?
            while true {
                try await Task.sleep(for: interval)
                let statistics = await round()
                try Task.checkCancellation()
                notifier.alive()
                log.saved(control.engine.tally.takeSaved(olderThan: Self.countedAfter))
                guard let statistics, statistics != told else { continue }
                told = statistics
                control.hub.publish(
                    .statistics(statistics, control.disk(), control.uploadStatistics.withLock { $0 }))
                // The session counts its photos, too.
                if let session = try? await control.runningSession() {
                    control.hub.publish(.session(session))
                }
                notifier.status(line(statistics))
            }
        }
        log.saved(control.engine.tally.takeSaved(olderThan: .zero))
    }

    /// Goes once through the ledger and the control surface.
    ///
    /// - Returns: the statistics; `nil` when something answered with an error.
    private func round() async -> CaptureStatisticsReply? {
        try? await control.ledger.waitForTurn()
        return try? await control.status().captures
    }

    private func line(_ statistics: CaptureStatisticsReply) -> String {
        let cameras = control.registry.all
        let connected = cameras.count { control.registry.session(of: $0.id) != nil }
        let worst = control.health.current.first.map { " · \($0.sentence)" } ?? ""
        return "\(connected) of \(cameras.count) cameras connected, \(statistics.shots) shots saved\(worst)"
    }
}
