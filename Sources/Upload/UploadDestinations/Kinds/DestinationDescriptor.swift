public import Logging
public import SettingKeys
public import UploadEngine

/// All that is to be known of a kind of destination, in the kind's own folder.
public protocol DestinationDescriptor {
    /// The keys that only some kinds take. What all take is none of a kind's business.
    associatedtype Keys: KeyTable

    /// Uploads at a time when nothing is said.
    static var workersUsual: Int { get }

    /// What is wrong with values that are right by themselves. A required one may be missing.
    static func faults(_ settings: Settings<Keys>) -> [SettingFault]

    /// Values that work and are unwise, such as a secret in clear text.
    static func warnings(_ settings: Settings<Keys>) -> [SettingFault]

    /// Where it is, for people, without secrets.
    static func location(_ settings: Settings<Keys>) -> String

    /// The kind in the wire's words where these are others than the configuration's.
    static func wireName(_ settings: Settings<Keys>) -> String?

    /// Whether a small file may be uploaded and deleted there. Nobody else is told of what is uploaded.
    static func takesProbes(_ settings: Settings<Keys>) -> Bool

    /// The features of a server that uploads use of their own accord; each has a fallback.
    static func features(_ settings: Settings<Keys>) -> [DestinationFeature]

    /// The longest time in which an upload there may be silent, by the kind's own limits: then the kind ends it. Zero if the
    /// worker's usual limit is longer in any case.
    static func silenceMax(_ settings: Settings<Keys>) -> Duration

    /// Whether a running upload continues after the computer slept. A kind whose own time limits leave out the sleep, and
    /// whose uploads should not run twice, says so.
    static var continuesAfterSleep: Bool { get }

    /// The place, set up as its keys say. What is not said is left to the kind's own careful defaults.
    ///
    /// - Throws: What `site` throws of a secret.
    static func make(_ settings: Settings<Keys>, at site: DestinationSite) throws -> any UploadDestination
}

extension DestinationDescriptor {
    /// Four hide a round trip well enough.
    public static var workersUsual: Int { 4 }
    /// None.
    public static func faults(_ settings: Settings<Keys>) -> [SettingFault] { [] }
    /// None.
    public static func warnings(_ settings: Settings<Keys>) -> [SettingFault] { [] }
    /// The configuration's.
    public static func wireName(_ settings: Settings<Keys>) -> String? { nil }
    /// None.
    public static func features(_ settings: Settings<Keys>) -> [DestinationFeature] { [] }
    /// It may.
    public static func takesProbes(_ settings: Settings<Keys>) -> Bool { true }
    /// Shorter than the worker's.
    public static func silenceMax(_ settings: Settings<Keys>) -> Duration { .zero }
    /// A connection seldom outlives a long sleep.
    public static var continuesAfterSleep: Bool { false }
}

/// For whoever has values and a kind that is only known when the program runs.
extension DestinationDescriptor {
    /// The kind's keys, in the order in which they are declared.
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

/// A value that does not go with another.
public struct SettingFault: Hashable, Sendable {
    /// The key that is wrong.
    public let key: String
    /// What is wrong, without a full stop.
    public let reason: String

    init(_ key: String, _ reason: String) {
        self.key = key
        self.reason = reason
    }
}

/// What a destination gets besides its own keys.
public struct DestinationSite: Sendable {
    /// Its name.
    public var name: String
    /// Most uploads at a time.
    public var workers: Int
    /// Most bytes a second; `nil` for no limit.
    public var bytesPerSecond: UInt64?
    /// The daemon's own folder.
    public var stateDirectory: String
    /// The features that the destination was seen to offer or to refuse.
    public var memory: DestinationMemory
    /// For what programs say.
    public var logger: Logger
    /// Reads a secret from its place: a path or a credential's name.
    public var readSecret: @Sendable (String) throws -> String
    /// Refuses a file with secrets that others can read.
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
