public import Logging
public import SettingKeys
public import UploadEngine

/// The declaration of a destination kind: its keys, checks and features. Each kind's folder contains its own.
public protocol DestinationDescriptor {
    /// The configuration keys that are specific to the kind. Keys of all destinations are declared elsewhere.
    associatedtype Keys: KeyTable

    /// The default number of parallel uploads.
    static var workersUsual: Int { get }

    /// Returns the faults of values that are valid on their own but not together, for example a missing
    /// required value.
    static func faults(_ settings: Settings<Keys>) -> [SettingFault]

    /// Returns warnings about values that work but are unwise, such as a secret in clear text.
    static func warnings(_ settings: Settings<Keys>) -> [SettingFault]

    /// Returns the destination's location for people, without secrets.
    static func location(_ settings: Settings<Keys>) -> String

    /// Returns the name of the kind on the wire, or `nil` if it equals the configuration's name.
    static func wireName(_ settings: Settings<Keys>) -> String?

    /// Whether a small file may be uploaded and deleted as a probe, because no one is notified of uploads
    /// there.
    static func takesProbes(_ settings: Settings<Keys>) -> Bool

    /// Returns the server features that uploads use automatically. Each feature has a fallback.
    static func features(_ settings: Settings<Keys>) -> [DestinationFeature]

    /// Returns the longest time that an upload may be silent by the kind's own limits, which end it then.
    /// Zero if the worker's default limit is longer in any case.
    static func silenceMax(_ settings: Settings<Keys>) -> Duration

    /// Whether a running upload continues after the computer slept. `true` suits a kind whose time limits
    /// exclude sleep, and whose uploads should not run twice.
    static var continuesAfterSleep: Bool { get }

    /// Creates the destination from its settings. Missing settings get the kind's safe defaults.
    ///
    /// - Throws: An error of `site` if a secret cannot be read.
    static func make(_ settings: Settings<Keys>, at site: DestinationSite) throws -> any UploadDestination
}

extension DestinationDescriptor {
    /// Four uploads, which hide the latency of a round trip.
    public static var workersUsual: Int { 4 }
    /// No faults.
    public static func faults(_ settings: Settings<Keys>) -> [SettingFault] { [] }
    /// No warnings.
    public static func warnings(_ settings: Settings<Keys>) -> [SettingFault] { [] }
    /// The configuration's name.
    public static func wireName(_ settings: Settings<Keys>) -> String? { nil }
    /// No features.
    public static func features(_ settings: Settings<Keys>) -> [DestinationFeature] { [] }
    /// `true`.
    public static func takesProbes(_ settings: Settings<Keys>) -> Bool { true }
    /// Zero: the kind's limits are shorter than the worker's.
    public static func silenceMax(_ settings: Settings<Keys>) -> Duration { .zero }
    /// `false`: a connection rarely survives a long sleep.
    public static var continuesAfterSleep: Bool { false }
}

/// Variants that take untyped values, for a kind that is only known at run time.
extension DestinationDescriptor {
    /// The kind's keys, in the order of their declaration.
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

    /// See ``takesProbes(_:)``.
    public static func takesProbes(_ values: [String: SettingValue]) -> Bool { takesProbes(Settings(values)) }

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

/// A value that is invalid in combination with other values.
public struct SettingFault: Hashable, Sendable {
    /// The key of the invalid value.
    public let key: String
    /// The reason, without a full stop.
    public let reason: String

    init(_ key: String, _ reason: String) {
        self.key = key
        self.reason = reason
    }
}

/// The context of a destination: everything it needs besides its own keys.
public struct DestinationSite: Sendable {
    /// The destination's name.
    public var name: String
    /// The most uploads at a time.
    public var workers: Int
    /// The most bytes a second, or `nil` for no limit.
    public var bytesPerSecond: UInt64?
    /// The daemon's state directory.
    public var stateDirectory: String
    /// The features that the destination is known to offer or refuse.
    public var memory: DestinationMemory
    /// The logger for the output of programs.
    public var logger: Logger
    /// Reads a secret from a path or a systemd credential's name.
    public var readSecret: @Sendable (String) throws -> String
    /// Throws if others can read a file with secrets.
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
