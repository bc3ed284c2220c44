public import Foundation
public import FrameFastModel
public import Store
public import SystemPackage

/// What the upload service tells. It must be taken quickly and without waiting.
public enum UploadEvent: Sendable {
    /// A job changed its state.
    case job(UploadJob)
    /// A job is this far; a few times a second at most.
    case progress(UploadJob)
    /// A job was taken out of the queue.
    case dropped(UploadJob)
    /// Uploads of these captures, by number, were entered or changed together; nothing else is told of them.
    case changed(captures: [CaptureID])
    /// How a destination stands changed.
    case standing(destination: DestinationName, UploadStanding)
    /// The sums changed; a few times a second at most.
    case statistics([UploadStatistics])
    /// Files of photos were cleared here: they are delivered everywhere.
    case photosCleared([CaptureRecord])
    /// Something that a person should know began, or is different.
    case raised(Condition)
    /// It is over.
    case cleared(ConditionKind, subject: ConditionSubject)
    /// Uploads to a destination wait because this computer has too few files, processes or memory left; `nil` when that is
    /// over.
    case shortage(destination: DestinationName, Errno?)
}

/// How a destination stands.
public enum UploadStanding: Hashable, Sendable {
    /// It works, or would.
    case ready
    /// A person paused it.
    case paused
    /// The network costs money.
    case metered
    /// It is away and is asked again at this time; `nil` while it is being asked.
    case away(nextTry: Date?)
    /// It refuses us until a person changes something, here or there.
    case refusing
    /// It is no longer configured, and has jobs that are not done.
    case removed

    /// Whether it cannot be reached.
    var isAway: Bool { if case .away = self { true } else { false } }
}

/// What happened when a destination went away or refused us.
public struct UploadTrouble: Hashable, Sendable {
    /// When.
    public var at: Date
    /// What happened, as a sentence.
    public var sentence: String
    /// What a person can do; `nil` when nothing but waiting.
    public var nextStep: String?
    /// Whether no connection could be made.
    var isUnreachable: Bool

    init(_ failure: UploadFailure, at date: Date) {
        at = date
        isUnreachable = failure.step == nil || failure.step == .connect
        sentence = failure.sentence
        nextStep = failure.failedAttempt.nextStep
    }
}

/// Statistics of one destination.
public struct UploadStatistics: Hashable, Sendable {
    /// The destination's name.
    public var destination: DestinationName
    /// How it stands.
    public var standing: UploadStanding
    /// Jobs by state.
    public var counts: UploadCounts
    /// Jobs on their way, with their progress.
    public var running: [UploadJob]
    /// Delivered in the last minute, in bytes a second.
    public var bytesPerSecond: Double
    /// When a job was last delivered since the service started.
    public var lastDeliveredAt: Date?
    /// What happened when it went away or refused.
    public var trouble: UploadTrouble?
    /// The features that uploads to it use.
    public var features: [FeatureState] = []
    /// The parts that still have to be removed there.
    public var leftovers = LeftoverSum()
}

/// Parts of dropped and failed uploads that still have to be removed at a destination.
public struct LeftoverSum: Hashable, Sendable {
    /// The number of uploads.
    public var count = 0
    /// The most bytes that their parts have.
    public var bytes: UInt64 = 0

    /// Nothing is left.
    public init() {}

    init(_ leftovers: [UploadLeftover]) {
        count = leftovers.count
        bytes = leftovers.reduce(0) { $0 + $1.bytes }
    }
}

extension UploadStatistics {
    /// A destination that is no longer configured.
    init(removed name: DestinationName, _ counts: UploadCounts) {
        self.init(destination: name, standing: .removed, counts: counts, running: [], bytesPerSecond: 0)
    }
}

/// What is to be said of a destination that is no longer configured and has jobs that are not done.
public enum RemovedDestination {
    /// What is the matter.
    public static let sentence = "The destination is no longer in the configuration."

    /// What a person can do.
    public static func nextStep(_ name: DestinationName) -> String {
        "Put it back under this name, or forget its uploads with 'framefast queue drop --to \(name)'."
    }
}

/// Bytes of the last minute.
struct RateWindow: Hashable, Sendable {
    private static let seconds = 60
    private var slots = [UInt64](repeating: 0, count: seconds)
    private var last = 0

    mutating func add(_ bytes: UInt64, at now: Date) {
        turn(to: now)
        slots[last % Self.seconds] += bytes
    }

    mutating func bytesPerSecond(at now: Date) -> Double {
        turn(to: now)
        return Double(slots.reduce(0, +)) / Double(Self.seconds)
    }

    private mutating func turn(to now: Date) {
        let second = max(Int(now.timeIntervalSince1970), 0)
        for step in 0..<min(max(second - last, 0), Self.seconds) { slots[(second - step) % Self.seconds] = 0 }
        last = max(last, second)
    }
}
