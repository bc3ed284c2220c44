import ChildProcesses
import FrameFastConfiguration
import FrameFastModel
import Hooks
import Logging
import SettingKeys
import UploadDestinations
import UploadEngine

/// Faults that the parser can't find: unreadable secrets, missing programs and invalid addresses.
extension Configuration {
    /// Returns the faults, each with its location in the configuration files.
    ///
    /// - Parameter isByHand: Whether a person runs the check. With `true`, credentials that only systemd
    ///   provides are not faults.
    func faults(isByHand: Bool) -> [ConfigurationError] {
        let ofDestinations = destinations.flatMap { destination in
            destination.startFaults(stateDirectory: state.directory, isByHand: isByHand).map {
                destination.origin.error($0.key, "destination '\(destination.name)': \($0.reason)")
            }
        }
        let ofHooks = hooks.flatMap { hook -> [ConfigurationError] in
            let command = Hooks.Hook(hook).command
            return (command.faults + FactName.faults(in: command.arguments)).map {
                hook.origin.error("command", "hook '\(hook.name)': \($0)")
            }
        }
        let ofMeter = (upload.meter?.faults ?? []).map {
            ConfigurationError(
                source: files.last ?? "environment", message: "'upload.metered_command': \($0)")
        }
        return ofDestinations + ofHooks + ofMeter
    }

    /// The values that are valid but risky, such as a secret in clear text.
    var warnings: [ConfigurationError] {
        destinations.flatMap { destination in
            destination.kind.descriptor.warnings(destination.settings.values).map {
                destination.origin.error($0.key, "destination '\(destination.name)': \($0.reason)")
            }
        }
    }
}

extension Configuration.Destination {
    fileprivate func startFaults(
        stateDirectory: String, isByHand: Bool
    ) -> [(key: String?, reason: String)] {
        let quiet = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        do {
            return try makeDestination(stateDirectory: stateDirectory, workers: 1, logger: quiet).faults.map {
                (nil, $0)
            }
        } catch let error as SecretFileError {
            if case .noCredentials = error, isByHand { return [] }
            return [(secretKey(error.place), error.description)]
        } catch { return [(nil, "\(error)")] }
    }
}
