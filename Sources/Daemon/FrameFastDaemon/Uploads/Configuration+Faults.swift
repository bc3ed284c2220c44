import Logging
import UploadDestinations
import UploadEngine

/// What the start finds, beyond what stands in the files themselves: secrets that cannot be read, programs that are not
/// there, addresses that cannot be.
extension Configuration {
    /// Each with its place.
    ///
    /// - Parameter isByHand: Nobody is told of credentials that only systemd hands over.
    func faults(isByHand: Bool) -> [ConfigurationError] {
        let ofDestinations = destinations.flatMap { destination in
            destination.startFaults(stateDirectory: stateDirectory, isByHand: isByHand).map {
                destination.origin.error($0.key, "destination '\(destination.name)': \($0.reason)")
            }
        }
        let ofHooks = hooks.flatMap { hook in
            UploadDestinations.Hook(hook).command.faults.map {
                hook.origin.error("command", "hook '\(hook.name)': \($0)")
            }
        }
        let ofMeter = (upload.meter?.faults ?? []).map {
            ConfigurationError(
                source: files.last ?? "environment", message: "'upload.metered_command': \($0)")
        }
        return ofDestinations + ofHooks + ofMeter
    }
}

extension Configuration.Destination {
    fileprivate func startFaults(
        stateDirectory: String, isByHand: Bool
    ) -> [(key: String?, reason: String)] {
        let quiet = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        do {
            return try place(stateDirectory: stateDirectory, workers: 1, logger: quiet).faults.map {
                (nil, $0)
            }
        } catch let error as SecretFileError {
            let key = ["password_file", "session_token_file", "key_file", "rclone_config"].first {
                texts[$0] == error.place
            }
            if case .noCredentials = error, isByHand { return [] }
            return [(key, error.description)]
        } catch { return [(nil, "\(error)")] }
    }
}
