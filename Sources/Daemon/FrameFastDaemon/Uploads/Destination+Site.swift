import FrameFastConfiguration
import FrameFastModel
import Logging
import SettingKeys
import UploadDestinations
import UploadEngine

/// From a destination's table to the place itself, as its kind makes it.
extension Configuration.Destination {
    /// Which destination it is: jobs are kept under its table's name.
    var id: DestinationName { DestinationName(rawValue: self.name) }

    /// The place.
    ///
    /// - Throws: ``SecretFileError`` when a password cannot be read, or others can read it.
    func place(
        stateDirectory: String, workers: Int, memory: DestinationMemory = DestinationMemory(), logger: Logger
    ) throws -> any UploadDestination {
        let site = DestinationSite(
            name: self.name, workers: workers, bytesPerSecond: bytesPerSecond, stateDirectory: stateDirectory,
            memory: memory, logger: logger, readSecret: { try SecretFile.read($0) },
            checkSecretFile: { try SecretFile.check($0) })
        return try self.kind.descriptor.make(settings.values, at: site)
    }

    /// The kind, its settings and the features that it uses, as one text: what was learned of a destination holds for these
    /// only. After an upgrade with a new feature each destination is tried out again.
    var configurationText: String {
        let values = settings.values.map { "\($0.key)=\($0.value)" }.sorted()
        let names = features.map(\.rawValue).joined(separator: ",")
        return ([self.kind.rawValue] + values + ["features=\(names)"]).joined(separator: "\n")
    }

    /// The kind, address, account and folder, as one text: destinations with the same one send to the same place.
    var placeText: String {
        let account = ["port", "user"].map { settings.values[$0].map { "\($0)" } ?? "" }
        return ([self.kind.rawValue, location] + account).joined(separator: "\n")
    }

    /// Uploads at a time.
    var workers: Int { self.concurrency ?? self.kind.descriptor.workersUsual }

    /// Most bytes a second; `nil` for no limit.
    var bytesPerSecond: UInt64? { self.bandwidth.map(UInt64.init(clamping:)) }

    /// Whether a small file may be uploaded there and deleted: nobody else is told of what is uploaded.
    var takesProbes: Bool { self.kind.descriptor.takesProbes(settings.values) }

    /// The longest time in which an upload there may be silent, by the kind's own limits.
    var silenceMax: Duration { self.kind.descriptor.silenceMax(settings.values) }

    /// Whether a running upload continues after the computer slept.
    var continuesAfterSleep: Bool { self.kind.descriptor.continuesAfterSleep }

    /// The features of a server that uploads use of their own accord.
    var features: [DestinationFeature] { self.kind.descriptor.features(settings.values) }

    /// The kind in the wire's words.
    var kindOnWire: String { self.kind.descriptor.wireName(settings.values) ?? self.kind.rawValue }

    /// Where it is, for people, without secrets.
    var location: String { self.kind.descriptor.location(settings.values) }

    /// The key that names this file with a secret.
    func secretKey(_ place: String) -> String? {
        self.kind.descriptor.keys.first { $0.isSecretFile && settings.values[$0.name] == .text(place) }?.name
    }
}
