public import Logging
public import SettingKeys
public import UploadEngine

/// The declaration of a destination kind: its keys, checks and features. Each kind's folder contains its
/// declaration.
public protocol DestinationDescriptor {
    /// The configuration keys of this kind. Keys that all kinds share are declared elsewhere.
    associatedtype Keys: KeyTable

    /// The default number of concurrent uploads.
    static var workersUsual: Int { get }

    /// Returns the faults of values that are valid individually, but not in combination with the other
    /// values. An example is a missing required value.
    static func faults(_ settings: Settings<Keys>) -> [SettingFault]

    /// Returns warnings about valid but risky values, for example a secret in clear text.
    static func warnings(_ settings: Settings<Keys>) -> [SettingFault]

    /// Returns a description of the destination's location, without secrets.
    static func location(_ settings: Settings<Keys>) -> String

    /// Returns the wire name of the kind, or `nil` if it is the same as in the configuration.
    static func wireName(_ settings: Settings<Keys>) -> String?

    /// Returns whether uploads may test the destination with a small file that is then deleted. `false` if an
    /// upload would notify a person.
    static func acceptsProbes(_ settings: Settings<Keys>) -> Bool

    /// Returns the features that uploads use if the server offers them. Each feature has a fallback.
    static func features(_ settings: Settings<Keys>) -> [DestinationFeature]

    /// Returns the longest time without activity that the kind's own limits allow. Returns zero if the
    /// runner's default limit is always longer.
    static func silenceMax(_ settings: Settings<Keys>) -> Duration

    /// Whether a running upload continues after the computer's sleep. `true` for kinds whose time limits
    /// exclude the sleep, and whose uploads should not run twice.
    static var continuesAfterSleep: Bool { get }

    /// Creates the destination from its settings. Missing settings have safe defaults.
    ///
    /// - Throws: An error of `site` if a secret cannot be read.
    static func make(_ settings: Settings<Keys>, at site: DestinationSite) throws -> any UploadDestination
}

extension DestinationDescriptor {
    /// Returns 4, because concurrent uploads hide the round-trip time.
    public static var workersUsual: Int { 4 }
    /// Returns no faults.
    public static func faults(_ settings: Settings<Keys>) -> [SettingFault] { [] }
    /// Returns no warnings.
    public static func warnings(_ settings: Settings<Keys>) -> [SettingFault] { [] }
    /// Returns `nil`: the wire name is the same as in the configuration.
    public static func wireName(_ settings: Settings<Keys>) -> String? { nil }
    /// Returns no features.
    public static func features(_ settings: Settings<Keys>) -> [DestinationFeature] { [] }
    /// Returns `true`, because uploads of most kinds do not notify a person.
    public static func acceptsProbes(_ settings: Settings<Keys>) -> Bool { true }
    /// Returns zero: the kind's own limits are shorter than the runner's limit.
    public static func silenceMax(_ settings: Settings<Keys>) -> Duration { .zero }
    /// Returns `false`, because a connection rarely survives a long sleep.
    public static var continuesAfterSleep: Bool { false }
}

/// Variants with untyped values, for a kind that is known only at run time.
extension DestinationDescriptor {
    /// The kind's keys, in declaration order.
    public static var keys: [SettingDeclaration] { Keys.declarations }

    /// See ``faults(_:)``.
    public static func faults(_ values: [String: SettingValue]) -> [SettingFault] { faults(Settings(values)) }

    /// See ``warnings(_:)``.
    public static func warnings(_ values: [String: SettingValue]) -> [SettingFault] {
        warnings(Settings(values))
    }

    /// See ``location(_:)``.
    public static func location(_ values: [String: SettingValue]) -> String { location(Settings(values)) }

    /// See ``wireName(_:)``.
    public static func wireName(_ values: [String: SettingValue]) -> String? { wireName(Settings(values)) }

    /// See ``acceptsProbes(_:)``.
    public static func acceptsProbes(_ values: [String: SettingValue]) -> Bool {
        acceptsProbes(Settings(values))
    }

    /// See ``features(_:)``.
    public static func features(_ values: [String: SettingValue]) -> [DestinationFeature] {
        features(Settings(values))
    }

    /// See ``silenceMax(_:)``.
    public static func silenceMax(_ values: [String: SettingValue]) -> Duration {
        silenceMax(Settings(values))
    }

    /// See ``make(_:at:)``.
    public static func make(
        _ values: [String: SettingValue], at site: DestinationSite
    ) throws -> any UploadDestination {
        try make(Settings(values), at: site)
    }
}

/// A problem with the value of a key: the value is invalid in combination with other values, or is risky.
public struct SettingFault: Hashable, Sendable {
    /// The key of the value.
    public let key: String
    /// The reason, without a final period.
    public let reason: String

    init(_ key: String, _ reason: String) {
        self.key = key
        self.reason = reason
    }
}

/// The values that a new destination needs in addition to the settings of its kind.
public struct DestinationSite: Sendable {
    /// The destination's name.
    public var name: String
    /// The largest number of concurrent uploads.
    public var workers: Int
    /// The bandwidth limit in bytes per second, or `nil` for no limit.
    public var bytesPerSecond: UInt64?
    /// The daemon's state directory.
    public var stateDirectory: String
    /// The stored observations of the destination's features.
    public var memory: DestinationMemory
    /// The logger for the output of programs.
    public var logger: Logger
    /// Reads a secret from the file at a path, or from a systemd credential (`credential:NAME`).
    public var readSecret: @Sendable (String) throws -> String
    /// Throws an error if other users can read a file with secrets.
    public var checkSecretFile: @Sendable (String) throws -> Void

    /// Creates a site.
    public init(
        name: String, workers: Int, bytesPerSecond: UInt64?, stateDirectory: String,
        memory: DestinationMemory = DestinationMemory(), logger: Logger,
        readSecret: @escaping @Sendable (String) throws -> String,
        checkSecretFile: @escaping @Sendable (String) throws -> Void
    ) {
        self.name = name
        self.workers = workers
        self.bytesPerSecond = bytesPerSecond
        self.stateDirectory = stateDirectory
        self.memory = memory
        self.logger = logger
        self.readSecret = readSecret
        self.checkSecretFile = checkSecretFile
    }

    func secret(_ place: String) throws -> Secret { Secret(try readSecret(place)) }
}
