import Foundation
public import FrameFastModel
public import Store

/// A destination with the settings of its runner.
public struct UploadTarget: Sendable {
    /// The destination's name.
    public var name: DestinationName
    /// The implementation of the destination.
    public var destination: any UploadDestination
    /// The kind, address, account and folder, as text. Targets with equal texts upload to the same location.
    public var place: String
    /// The features that the destination has accepted or refused so far.
    public var memory: DestinationMemory
    /// The features that uploads to this kind of destination use.
    public var features: [DestinationFeature]
    /// The largest number of concurrent uploads, at least 1.
    public var workers: Int
    /// The order of uploads.
    public var order: UploadOrder
    /// The rule that selects the destination's photos.
    public var rule: UploadRule
    /// The bandwidth limit in bytes per second, or `nil` for no limit.
    public var bytesPerSecond: UInt64?
    /// Whether uploads wait while the network is metered.
    public var holdsWhenMetered: Bool
    /// The longest time without progress or activity before an upload is stopped, in seconds. While the copy
    /// is verified, the time is five times as long.
    public var stallSeconds: Double
    /// Whether a running upload continues after the computer's sleep, for example because a local program
    /// performs the upload. If `false`, an upload restarts when the computer wakes after at least
    /// ``stallSeconds`` without progress, including the sleep.
    public var continuesAfterSleep: Bool
    /// Whether a user-defined template creates the remote names.
    public var isNameChosen: Bool
    /// Returns a photo's name at the destination: a relative path of sanitized components. The ledger stores
    /// the name when the job is created.
    public var remoteName: @Sendable (Photo) -> String

    /// The smallest value of ``stallSeconds``.
    public static let stallSecondsMin = 120.0
    /// The difference between the runner's limit and a destination's own limit, in seconds. The destination
    /// stops the upload first: its failure has a better reason, and a program has time to end.
    private static let stallMarginSeconds = 30.0

    /// Returns ``stallSeconds`` for a destination that stops stalled uploads itself.
    ///
    /// - Parameter ownLimitSeconds: The destination's own limit, in seconds.
    public static func stallSeconds(ownLimitSeconds: Double) -> Double {
        max(stallSecondsMin, ownLimitSeconds + stallMarginSeconds)
    }

    /// Creates a target.
    public init(
        name: DestinationName, destination: any UploadDestination, place: String = "",
        memory: DestinationMemory = DestinationMemory(), features: [DestinationFeature] = [],
        workers: Int = 4,
        order: UploadOrder = .capture,
        rule: UploadRule = UploadRule(), bytesPerSecond: UInt64? = nil, holdsWhenMetered: Bool = false,
        stallSeconds: Double = UploadTarget.stallSecondsMin, continuesAfterSleep: Bool = false,
        isNameChosen: Bool = false,
        remoteName: @escaping @Sendable (Photo) -> String
    ) {
        self.name = name
        self.destination = destination
        self.place = place
        self.memory = memory
        self.features = features
        self.workers = max(workers, 1)
        self.order = order
        self.rule = rule
        self.bytesPerSecond = bytesPerSecond
        self.holdsWhenMetered = holdsWhenMetered
        self.stallSeconds = stallSeconds
        self.continuesAfterSleep = continuesAfterSleep
        self.isNameChosen = isNameChosen
        self.remoteName = remoteName
    }
}

/// The settings of the upload service.
public struct UploadSettings: Sendable {
    /// The settings of the upload modes.
    public var policy: UploadModePolicy
    /// The retention rule of photos whose session has no rule.
    public var keep: RetentionRule
    /// The folder of the ledger and the reserve file.
    public var stateDirectory: String
    /// The size of the reserve file in bytes, or 0 for no reserve file.
    public var reserveBytes: Int
    /// Returns whether the network is metered now. The service calls this closure often, so it should return
    /// a cached value.
    public var isMetered: @Sendable () async -> Bool

    /// Creates settings.
    public init(
        policy: UploadModePolicy = UploadModePolicy(), keep: RetentionRule = .forever,
        stateDirectory: String,
        reserveBytes: Int = 32 * 1_048_576,
        isMetered: @escaping @Sendable () async -> Bool = { false }
    ) {
        self.policy = policy
        self.keep = keep
        self.stateDirectory = stateDirectory
        self.reserveBytes = reserveBytes
        self.isMetered = isMetered
    }
}
