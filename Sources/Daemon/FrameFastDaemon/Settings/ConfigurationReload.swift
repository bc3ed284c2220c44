import Cameras
import CaptureEngine
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Hooks
import Logging
import ServiceLifecycle
import SettingKeys
import UnixSignals
import UploadDestinations
import UploadEngine

/// A service that reloads the configuration at SIGHUP (`systemctl reload framefastd`).
///
/// A configuration that cannot be loaded changes nothing. With a valid configuration, all changes that do not
/// need a restart take effect. A condition names the changes that need a restart.
struct ConfigurationReload: Service {
    let load: @Sendable () throws -> Configuration
    let parts: DaemonParts
    let notifier: ServiceNotifier
    let logger: Logger

    /// The maximum number of faults in the sentence of the condition. The log has all faults.
    private static let faultsShownMax = 3

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        for await _ in signals.cancelOnGracefulShutdown() {
            notifier.reloading()
            await reload()
            notifier.ready()
        }
    }

    private func reload() async {
        do {
            let new = try load()
            try await apply(new)
            new.logFaults(to: logger)
            parts.conditionBoard.clear(.configurationFaulty)
        } catch let errors as ConfigurationErrors {
            reportFaults(errors.errors.map(\.description))
        } catch {
            reportFaults(["\(error)"])
        }
    }

    private func apply(_ new: Configuration) async throws {
        let change = ConfigurationChange(
            from: parts.configuration.now, to: new, hasMeteredCheck: parts.meter != nil)
        let template = try NamingTemplate(change.effective.capture.template)
        // Destinations that are unreachable or refuse uploads are created again, because their secret files
        // may contain new passwords.
        let failing = await parts.uploads.failingDestinations()
        let fresh = change.effective.destinations.filter {
            change.destinations.contains($0) || failing.contains($0.id)
        }
        try await parts.uploads.reconfigure(
            change.effective.destinations.map(\.id), changed: fresh.map(parts.makeTarget),
            policy: UploadModePolicy(change.effective.upload), keep: change.effective.storage.keep)
        parts.hooks.replaceHooks(with: change.effective.hooks.map(Hook.init))
        parts.engine.naming.setTemplate(template)
        parts.engine.setMinFreeBytes(UInt64(max(change.effective.capture.minFreeBytes, 0)))
        let lateCameras = await parts.fleet.reconfigure(.init(change.effective))
        LogLevel.current = change.effective.log.level
        parts.configuration.replace(with: change.effective)
        parts.sleepInhibitor.update()
        reportRestart(change.needsRestart + lateCameras.map { "camera.address of \($0)" })
        logger.notice(
            "the configuration was reloaded",
            metadata: ["files": "\(new.files.joined(separator: ", "))"])
    }

    private func reportRestart(_ needsRestart: [String]) {
        guard !needsRestart.isEmpty else { return parts.conditionBoard.clear(.configurationNeedsRestart) }
        let keys = needsRestart.joined(separator: ", ")
        logger.warning("parts of the configuration need a restart", metadata: ["keys": "\(keys)"])
        parts.conditionBoard.raise(
            .configurationNeedsRestart,
            sentence: "The configuration has changes that need a restart: \(keys).",
            nextStep: "Restart the service when no camera is taking photos: sudo systemctl restart framefastd"
        )
    }

    private func reportFaults(_ faults: [String]) {
        for fault in faults {
            logger.error(
                "the configuration is invalid: keeping the previous one", metadata: ["fault": "\(fault)"])
        }
        let more = faults.count - Self.faultsShownMax
        let shown = faults.prefix(Self.faultsShownMax).joined(separator: "; ")
        parts.conditionBoard.raise(
            .configurationFaulty,
            sentence: "The configuration is invalid, and the previous configuration stays in effect: \(shown)"
                + (more > 0 ? "; and \(more) more." : "."),
            nextStep: "Correct the configuration, then reload the service: sudo systemctl reload framefastd")
    }
}
