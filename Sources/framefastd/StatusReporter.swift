import APIServer
import Cameras
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import ServiceLifecycle
import Synchronization

/// Tells systemd one line about the service and feeds its watchdog; tells streams the figures when they change.
struct StatusReporter: Service {
    let control: DaemonControl
    let notifier: ServiceNotifier

    /// Time between two looks: a status bar should not be older than this.
    private static let interval: Duration = .seconds(2)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var told: CaptureFiguresReply?
            while true {
                try await Task.sleep(for: Self.interval)
                notifier.alive()
                guard let figures = try? await control.figures(), figures != told else { continue }
                told = figures
                control.hub.publish(.figures(figures, control.disk(), control.uploadFigures.withLock { $0 }))
                // The session counts its photos, too.
                if let session = try? await control.runningSession() {
                    control.hub.publish(.session(session))
                }
                notifier.status(line(figures))
            }
        }
    }

    private func line(_ figures: CaptureFiguresReply) -> String {
        let cameras = control.registry.all
        let connected = cameras.count { control.registry.session(of: $0.id) != nil }
        let worst = control.health.current.first.map { " · \($0.sentence)" } ?? ""
        return "\(connected) of \(cameras.count) cameras connected, \(figures.total) photos saved\(worst)"
    }
}
