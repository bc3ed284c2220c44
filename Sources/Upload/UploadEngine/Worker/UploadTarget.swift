import Foundation
public import FrameFastModel
public import Store

/// One destination with everything that is configured for it.
public struct UploadTarget: Sendable {
    /// Its name.
    public var name: DestinationName
    /// The place itself.
    public var destination: any UploadDestination
    /// Kind, address and folder, as text: two targets with the same one send to the same place.
    public var place: String
    /// The features that the destination was seen to offer or to refuse.
    public var memory: DestinationMemory
    /// The features that uploads to this kind of destination use.
    public var features: [DestinationFeature]
    /// Most uploads at the same time, at least 1.
    public var workers: Int
    /// In which order photos go.
    public var order: UploadOrder
    /// Which photos it gets.
    public var rule: UploadRule
    /// Most bytes a second; `nil` for no limit.
    public var bytesPerSecond: UInt64?
    /// Whether nothing is sent while the network is metered.
    public var holdsWhenMetered: Bool
    /// The longest time in which an upload shows neither progress nor activity, in seconds; while the copy is verified five
    /// times that.
    public var stallSeconds: Double
    /// Whether a running upload continues after the computer slept, for example because a program of this computer does the
    /// work. If not, an upload that showed no progress for ``stallSeconds``, the sleep included, starts again.
    public var continuesAfterSleep: Bool
    /// Whether a person's template makes the names.
    public var isNameChosen: Bool
    /// A photo's name at the destination: a relative path of cleaned parts. It is asked once and then kept.
    public var remoteName: @Sendable (Photo) -> String

    /// The shortest ``stallSeconds``.
    public static let stallSecondsMin = 120.0
    /// The time between a destination's own limit and the end of an upload by the worker, in seconds. The destination knows
    /// the reason better, and a program gets a few seconds to end.
    private static let stallMarginSeconds = 30.0

    /// ``stallSeconds`` of a destination that ends silent uploads itself.
    ///
    /// - Parameter ownLimitSeconds: The time after which it does so.
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

/// What the upload service needs to know.
public struct UploadSettings: Sendable {
    /// What the modes do.
    public var policy: UploadModePolicy
    /// How long photos stay here whose session does not say so itself.
    public var keep: RetentionRule
    /// Where the ledger lies: the ballast goes beside it.
    public var stateDirectory: String
    /// Size of the ballast in bytes; 0 for none.
    public var ballastBytes: Int
    /// Whether the network costs money now. Asked often: it should know the answer and not go and find it out.
    public var isMetered: @Sendable () async -> Bool

    /// Creates settings.
    public init(
        policy: UploadModePolicy = UploadModePolicy(), keep: RetentionRule = .forever,
        stateDirectory: String,
        ballastBytes: Int = 32 * 1_048_576,
        isMetered: @escaping @Sendable () async -> Bool = { false }
    ) {
        self.policy = policy
        self.keep = keep
        self.stateDirectory = stateDirectory
        self.ballastBytes = ballastBytes
        self.isMetered = isMetered
    }
}
