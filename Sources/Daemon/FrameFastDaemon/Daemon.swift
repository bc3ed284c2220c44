import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import ServiceLifecycle
import SettingKeys
import UnixSignals
import WebServer

/// Creates the parts of the service and runs them as one service group: configuration → store → engines →
/// server.
struct Daemon {
    let configuration: Configuration
    /// A function that loads the configuration again from the same sources.
    let reload: @Sendable () throws -> Configuration
    /// The clock of all parts.
    let clock: HostClock
    let logger: Logger

    /// The timeout of a graceful shutdown. The service must exit within ten seconds after SIGTERM.
    private static let stopTime: Duration = .seconds(9)
    /// The maximum number of attempts to acquire the lock of the state directory.
    private static let lockAttempts = 10
    /// The pause between two attempts.
    private static let lockPause: Duration = .milliseconds(100)

    /// Runs the service until a signal or a failure ends the service.
    func run() async throws {
        // Without this call, SIGPIPE would end the service when a peer closes its connection. With this call,
        // the write returns an error.
        signal(SIGPIPE, SIG_IGN)
        // SIGIO reports that a program opens a photo for writing while the service holds a lease on it. The
        // signal must not end the service.
        signal(SIGIO, SIG_IGN)
        // Until `ConfigurationReload` handles SIGHUP, the service ignores the signal.
        signal(SIGHUP, SIG_IGN)
        let descriptors = DescriptorLimit.raise()
        configuration.logFaults(to: logger)
        for warning in configuration.warnings {
            logger.warning("the configuration has a risk", metadata: ["warning": "\(warning)"])
        }
        if let missing = KernelSandboxing.current.missing {
            logger.notice("the sandbox of camera workers is weaker: the kernel has no \(missing)")
        }
        let reachability = WebReachability(configuration.web)
        logger.log(level: reachability.isOn ? .notice : .info, "\(reachability.sentence)")
        let environment = ProcessInfo.processInfo.environment
        let notifier = ServiceNotifier(environment: environment)
        try DurableFile.createFolder(configuration.state.directory)
        let lock = try await acquireLock()
        let parts = try await DaemonParts(configuration: configuration, clock: clock, logger: logger)
        parts.conditionBoard.recordOpenFileLimit(descriptors)
        let control = DaemonControl(parts)
        let options = APIService.Options(
            socketPath: configuration.api.socket,
            policy: .ofThisProcess(isStatusPublic: configuration.api.isStatusPublic))
        let server = APIService(
            options: options, surface: control, hub: parts.hub, clock: clock, logger: logger
        ) {
            control.service.markRunning()
            notifier.ready()
        }
        // Services start in the order of this array, and stop in reverse order. On a stop, the cameras end
        // before the engines that process their photos, and these engines before the socket.
        var services: [any Service] = [
            StatusReporter(parts, service: control.service, notifier: notifier), server,
        ]
        // A service whose `run()` returns ends the whole group. Therefore, the group contains the network
        // meter only if a destination needs it.
        if let meter = parts.meter { services.append(meter) }
        if let metrics = configuration.metrics.listen {
            let conditionBoard = parts.conditionBoard
            services.append(
                MetricsService(
                    host: metrics.host, port: metrics.port, surface: control, logger: logger
                ) { reason in
                    conditionBoard.raise(
                        .metricsNotServed,
                        sentence: "Metrics cannot be served on \(metrics.text): \(reason).",
                        nextStep: "Choose another port in [metrics] listen, then restart the service.")
                })
        }
        if let page = WebService(parts, control: control, logger: logger) {
            services.append(page)
        }
        services.append(ConfigurationReload(load: reload, parts: parts, notifier: notifier, logger: logger))
        services += [
            // Hooks and the dispatcher stop after the services below them, because these services publish
            // events while they stop.
            parts.hooks, EventDispatcher(parts, logger: logger), parts.uploads, parts.engine.publisher,
            parts.engine.folderWatch, parts.previews,
            parts.fleet,
            // The inhibitor is last and stops first, because systemd also ends the inhibitor's program when
            // the service stops.
            parts.sleepInhibitor,
        ]
        // Omit the group's own messages about each service, which have level `debug`.
        var quiet = logger
        quiet.logLevel = .info
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: NamedService($0)) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        group.maximumGracefulShutdownDuration = Self.stopTime
        try await ServiceGroup(configuration: group).run()
        notifier.stopping()
        withExtendedLifetime(lock) {}
    }

    /// Acquires the lock of the state directory.
    ///
    /// If the previous service was killed while it started a worker, the child process still holds the lock.
    /// The child releases the lock some milliseconds later, when it executes the worker's program.
    private func acquireLock() async throws -> StateLock {
        for _ in 0..<Self.lockAttempts {
            if let lock = try StateLock.acquire(configuration.state.directory + "/lock") { return lock }
            try await clock.sleep(for: Self.lockPause)
        }
        throw DaemonError.alreadyRunning(configuration.state.directory)
    }
}

/// The reason why the service cannot start.
enum DaemonError: Error, CustomStringConvertible {
    case alreadyRunning(String)

    var description: String {
        switch self {
        case .alreadyRunning(let directory):
            "another framefastd uses \(directory): stop that framefastd, or use a different --state-dir"
        }
    }
}
