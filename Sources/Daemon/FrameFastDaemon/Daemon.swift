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
import Store
import UnixSignals

/// Puts the parts together and runs them as one group: configuration → store → engines → server.
struct Daemon {
    let configuration: Configuration
    /// Reads the configuration again, from where it came from.
    let reload: @Sendable () throws -> Configuration
    let logger: Logger

    /// Longest orderly stop: the service promises to be gone within ten seconds of SIGTERM.
    private static let stopTime: Duration = .seconds(9)
    /// Attempts at the state directory's lock.
    private static let lockAttempts = 10
    /// Time between two of them.
    private static let lockPause: Duration = .milliseconds(100)

    /// Runs until it is told to stop, or cannot go on.
    func run() async throws {
        // A peer that closes its end must be an error of one call, not the end of the service.
        signal(SIGPIPE, SIG_IGN)
        // Somebody who opens a photo for writing while we ask whether anybody has it so (a lease) must not end the service.
        signal(SIGIO, SIG_IGN)
        // Until somebody listens to it.
        signal(SIGHUP, SIG_IGN)
        let descriptors = DescriptorLimit.raise()
        for fault in configuration.faults(isByHand: false) {
            logger.error("the configuration cannot work", metadata: ["fault": "\(fault)"])
        }
        for warning in configuration.warnings {
            logger.warning("the configuration is unwise", metadata: ["warning": "\(warning)"])
        }
        if let missing = KernelGuards.current.missing {
            logger.notice("camera workers are kept in less: the kernel has no \(missing)")
        }
        let environment = ProcessInfo.processInfo.environment
        let notifier = ServiceNotifier(environment: environment)
        try DurableFile.createFolder(configuration.state.directory)
        let lock = try await takeLock()
        let parts = try await DaemonParts(configuration: configuration, logger: logger)
        parts.health.recordOpenFileLimit(descriptors)
        let control = DaemonControl(parts)
        let options = APIService.Options(
            socketPath: configuration.api.socket,
            policy: .ofThisProcess(isStatusPublic: configuration.api.isStatusPublic))
        let server = APIService(options: options, surface: control, hub: parts.hub, logger: logger) {
            control.service.isRunning()
            notifier.ready()
        }
        // Started in this order, stopped in the opposite one: cameras, then what they hand over, then the socket.
        var services: [any Service] = [
            StatusReporter(parts, service: control.service, notifier: notifier), server,
        ]
        // A service without work would end, and all others with it.
        if let meter = parts.meter { services.append(meter) }
        if let metrics = configuration.metrics.listen {
            let health = parts.health
            services.append(
                MetricsService(
                    host: metrics.host, port: metrics.port, surface: control, logger: logger
                ) { reason in
                    health.raise(
                        .metricsNotServed,
                        sentence: "Metrics cannot be served on \(metrics.text): \(reason).",
                        nextStep: "Choose another port in [metrics] listen, then restart the service.")
                })
        }
        services.append(ConfigurationReload(load: reload, parts: parts, notifier: notifier, logger: logger))
        services += [
            // What the rooms behind it tell at their end is still told, and heard by hooks.
            parts.hooks, Announcer(parts, logger: logger), parts.uploads, parts.engine.publisher,
            parts.engine.folderWatch,
            parts.fleet,
            // First to hear of a stop, which ends its program at the same time.
            parts.sleepInhibitor,
        ]
        // Whom it starts and stops is no news to anybody else.
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

    /// A service that was killed while it started a worker leaves the lock with that child until it runs its own
    /// program, some milliseconds later.
    private func takeLock() async throws -> StateLock {
        for _ in 0..<Self.lockAttempts {
            if let lock = try StateLock.take(configuration.state.directory + "/lock") { return lock }
            try await Task.sleep(for: Self.lockPause)
        }
        throw DaemonError.alreadyRunning(configuration.state.directory)
    }
}

/// Why the service cannot start.
enum DaemonError: Error, CustomStringConvertible {
    case alreadyRunning(String)

    var description: String {
        switch self {
        case .alreadyRunning(let directory):
            "another framefastd uses \(directory): stop it, or give this one a --state-dir of its own"
        }
    }
}
