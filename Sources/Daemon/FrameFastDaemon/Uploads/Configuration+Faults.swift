import ChildProcesses
import FrameFastConfiguration
import FrameFastModel
import Hooks
import Logging
import SettingKeys
import UploadDestinations
import UploadEngine

/// A part of the configuration, with a check for the faults that the parser can't find: unreadable secrets,
/// missing programs and invalid addresses.
struct CheckedPart: Sendable {
    /// A fault of a part.
    struct Fault: Codable, Hashable, Sendable {
        /// The key with the faulty value, or `nil` for the part as a whole.
        var key: String?
        /// The reason, without the name of the part.
        var reason: String
    }

    /// The beginning of a sentence about the part.
    let prefix: String
    /// The paths of the part's files and programs, as configured.
    let files: [String]
    /// Returns an error at the location of a key in the configuration files.
    let locate: @Sendable (_ key: String?, _ message: String) -> ConfigurationError
    /// Returns the faults. If a file is on a dead network mount, this function does not return.
    let findFaults: @Sendable () -> [Fault]

    /// Returns the error for a fault.
    func error(_ fault: Fault) -> ConfigurationError { locate(fault.key, prefix + fault.reason) }
}

extension Configuration {
    /// Returns the faults of all parts, each with its location in the configuration files.
    ///
    /// - Parameter isByHand: See ``checkedParts(isByHand:)``.
    func faults(isByHand: Bool) -> [ConfigurationError] {
        checkedParts(isByHand: isByHand).flatMap { part in part.findFaults().map(part.error) }
    }

    /// Logs the faults of all parts. The service uses a configuration despite such faults.
    func logFaults(to logger: Logger) {
        for fault in faults(isByHand: false) {
            logger.error("using the configuration despite a fault", metadata: ["fault": "\(fault)"])
        }
    }

    /// Returns the parts whose faults the parser can't find.
    ///
    /// - Parameter isByHand: Whether a person runs the check. With `true`, credentials that only systemd
    ///   provides are not faults.
    func checkedParts(isByHand: Bool) -> [CheckedPart] {
        let stateDirectory = state.directory
        let ofDestinations = destinations.map { destination in
            CheckedPart(
                prefix: "destination '\(destination.name)': ", files: destination.configuredFiles,
                locate: { destination.origin.error($0, $1) },
                findFaults: { destination.startFaults(stateDirectory: stateDirectory, isByHand: isByHand) })
        }
        let ofHooks = hooks.map { hook in
            let command = Hooks.Hook(hook).command
            return CheckedPart(
                prefix: "hook '\(hook.name)': ", files: [command.program],
                locate: { hook.origin.error($0, $1) },
                findFaults: {
                    (command.faults + FactName.faults(in: command.arguments)).map {
                        CheckedPart.Fault(key: "command", reason: $0)
                    }
                })
        }
        let source = files.last ?? "environment"
        let ofMeter = upload.meter.map { command in
            CheckedPart(
                prefix: "'upload.metered_command': ", files: [command.program],
                locate: { ConfigurationError(source: source, message: $1) },
                findFaults: { command.faults.map { CheckedPart.Fault(reason: $0) } })
        }
        return ofDestinations + ofHooks + [ofMeter].compactMap(\.self)
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
    /// The paths of the destination's files and of its program.
    fileprivate var configuredFiles: [String] {
        filePlaces.map(\.path) + (settings.values["command"]?.list ?? []).prefix(1)
    }

    fileprivate func startFaults(stateDirectory: String, isByHand: Bool) -> [CheckedPart.Fault] {
        let quiet = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        do {
            return try makeDestination(stateDirectory: stateDirectory, workers: 1, logger: quiet).faults.map {
                CheckedPart.Fault(reason: $0)
            }
        } catch let error as SecretFileError {
            if case .noCredentials = error, isByHand { return [] }
            return [CheckedPart.Fault(key: secretKey(error.place), reason: error.description)]
        } catch { return [CheckedPart.Fault(reason: "\(error)")] }
    }
}
