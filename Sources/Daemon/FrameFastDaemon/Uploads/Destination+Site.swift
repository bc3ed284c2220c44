import FrameFastConfiguration
import FrameFastModel
import Logging
import SettingKeys
import UploadDestinations
import UploadEngine

/// Creates the destination of a configuration table, and describes the destination's properties.
extension Configuration.Destination {
    /// The destination's id, which is the table's name. Jobs are stored under this id.
    var id: DestinationName { DestinationName(rawValue: self.name) }

    /// Creates the destination.
    ///
    /// - Throws: ``SecretFileError`` if the service can't read a password, or if other users can access it.
    func makeDestination(
        stateDirectory: String, workers: Int, memory: DestinationMemory = DestinationMemory(), logger: Logger
    ) throws -> any UploadDestination {
        let site = DestinationSite(
            name: self.name, workers: workers, bytesPerSecond: bytesPerSecond, stateDirectory: stateDirectory,
            memory: memory, logger: logger, readSecret: { try SecretFile.read($0) },
            checkSecretFile: { try SecretFile.check($0) })
        return try self.kind.descriptor.make(settings.values, at: site)
    }

    /// The kind, its settings and the features that it uses, as one text.
    ///
    /// The stored results of feature tests are valid only for this text. If an upgrade adds a feature to a
    /// kind, the features of each destination of this kind are tested again.
    var configurationText: String {
        let values = settings.values.map { "\($0.key)=\($0.value)" }.sorted()
        let names = features.map(\.rawValue).joined(separator: ",")
        return ([self.kind.rawValue] + values + ["features=\(names)"]).joined(separator: "\n")
    }

    /// The kind, address, account and folder, as one text. Destinations with the same text upload to the same
    /// folder.
    var placeText: String {
        let account = ["port", "user"].map { settings.values[$0].map { "\($0)" } ?? "" }
        return ([self.kind.rawValue, location] + account).joined(separator: "\n")
    }

    /// The maximum number of parallel uploads.
    var workers: Int { self.concurrency ?? self.kind.descriptor.workersUsual }

    /// The bandwidth limit, in bytes per second, or `nil` for no limit.
    var bytesPerSecond: UInt64? { self.bandwidth.map(UInt64.init(clamping:)) }

    /// Whether a probe may upload a small file and delete it. `false` if an upload notifies another party.
    var acceptsProbes: Bool { self.kind.descriptor.acceptsProbes(settings.values) }

    /// The longest time without activity that this kind's own limits allow, or zero if the runner's default
    /// limit is always longer.
    var silenceMax: Duration { self.kind.descriptor.silenceMax(settings.values) }

    /// Whether a running upload continues after the computer has slept.
    var continuesAfterSleep: Bool { self.kind.descriptor.continuesAfterSleep }

    /// The server features that uploads use automatically.
    var features: [DestinationFeature] { self.kind.descriptor.features(settings.values) }

    /// The kind's name in the API.
    var kindOnWire: String { self.kind.descriptor.wireName(settings.values) ?? self.kind.rawValue }

    /// The location for people, without secrets.
    var location: String { self.kind.descriptor.location(settings.values) }

    /// Returns the key whose value is this secret file.
    func secretKey(_ place: String) -> String? {
        self.kind.descriptor.keys.first { $0.isSecretFile && settings.values[$0.name] == .text(place) }?.name
    }
}
