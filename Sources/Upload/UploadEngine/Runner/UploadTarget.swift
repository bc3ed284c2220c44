import Foundation
public import FrameFastModel
public import Store

/// A destination and its configuration.
public struct UploadTarget: Sendable {
    /// The destination's name.
    public var name: DestinationName
    /// The implementation of the destination.
    public var destination: any UploadDestination
    /// The kind, address and folder, as text. Two targets with the same text send to the same place.
    public var place: String
    /// The features that the destination has accepted or refused so far.
    public var memory: DestinationMemory
    /// The features that uploads to this kind of destination use.
    public var features: [DestinationFeature]
    /// The most concurrent uploads, at least 1.
    public var workers: Int
    /// The order of uploads.
    public var order: UploadOrder
    /// The rule that selects the destination's photos.
    public var rule: UploadRule
    /// The bandwidth limit in bytes per second, or `nil` for no limit.
    public var bytesPerSecond: UInt64?
    /// Whether uploads wait while the network is metered.
    public var holdsWhenMetered: Bool
    /// The longest time that an upload may show neither progress nor activity, in seconds. The limit is five
    /// times as long while the copy is verified.
    public var stallSeconds: Double
    /// Whether a running upload continues after the computer slept, for example because a local program does
    /// the work. If not, an upload restarts if it showed no progress for ``stallSeconds``, including the
    /// sleep.
    public var continuesAfterSleep: Bool
    /// Whether a user's template makes the remote names.
    public var isNameChosen: Bool
    /// Returns a photo's name at the destination: a relative path of sanitized components. The ledger stores
    /// the first result.
    public var remoteName: @Sendable (Photo) -> String

    /// The shortest ``stallSeconds``.
    public static let stallSecondsMin = 120.0
    /// The time between a destination's own limit and the runner's limit, in seconds. The destination reports
    /// a better reason, and a program gets a few seconds to end.
    private static let stallMarginSeconds = 30.0

    /// Returns ``stallSeconds`` for a destination that ends silent uploads itself.
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
    /// The settings of the modes.
    public var policy: UploadModePolicy
    /// The retention rule of photos whose session has none.
    public var keep: RetentionRule
    /// The folder of the ledger and the reserve file.
    public var stateDirectory: String
    /// The size of the reserve file in bytes, or 0 for no file.
    public var reserveBytes: Int
    /// Returns whether the network is metered now. Called often, so it should return a cached value.
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
