public import Foundation
public import FrameFastModel
public import Store
public import SystemPackage

/// An event of the upload service. The receiver must handle it quickly and must not block.
///
/// An event of a job has the job's photo, or `nil` if the ledger does not have the photo.
public enum UploadEvent: Sendable {
    /// A job's state changed.
    case job(UploadJob, photo: CaptureRecord?)
    /// A job's progress changed. The service sends at most a few progress events per second.
    case progress(UploadJob, photo: CaptureRecord?)
    /// A job was dropped from the queue.
    case dropped(UploadJob, photo: CaptureRecord?)
    /// Jobs of these captures were added or changed in one commit. The service sends no `job` events for
    /// these changes.
    case changed(captures: [CaptureID])
    /// The state of a destination changed.
    case state(destination: DestinationName, DestinationState)
    /// The statistics changed. The service sends at most a few statistics events per second.
    case statistics([UploadStatistics])
    /// The local files of these delivered photos were removed.
    case photosCleared([CaptureRecord])
    /// A condition was raised, or its text changed.
    case raised(Condition)
    /// A condition was cleared.
    case cleared(ConditionKind, subject: ConditionSubject)
    /// Uploads to a destination wait because this computer has run out of file descriptors, processes or
    /// memory. `nil` reports the end of the shortage.
    case shortage(destination: DestinationName, Errno?)
}

/// The current state of a destination.
public enum DestinationState: Hashable, Sendable {
    /// The destination is uploading or idle.
    case ready
    /// A person paused the destination.
    case paused
    /// Uploads wait because the network is metered.
    case metered
    /// The destination is unreachable. `nextTry` is the time of the next probe, or `nil` during a probe or a
    /// trial job.
    case away(nextTry: Date?)
    /// The destination refuses all uploads until a person fixes the cause.
    case refusing
    /// The destination is no longer configured, but has unfinished jobs.
    case removed

    /// Whether the destination is unreachable.
    var isAway: Bool { if case .away = self { true } else { false } }
}

/// The failure that stopped or slowed down the uploads to a destination.
public struct DestinationFailure: Hashable, Sendable {
    /// The time of the failure.
    public var at: Date
    /// A sentence that describes the failure.
    public var sentence: String
    /// The next step for a person, or `nil` if waiting is enough.
    public var nextStep: String?
    /// Whether no connection to the destination could be established, or the failed step is unknown.
    var isUnreachable: Bool

    init(_ failure: UploadFailure, at date: Date) {
        at = date
        isUnreachable = failure.step == nil || failure.step == .connect
        sentence = failure.sentence
        nextStep = failure.failedAttempt.nextStep
    }
}

/// The statistics of one destination.
public struct UploadStatistics: Hashable, Sendable {
    /// The destination's name.
    public var destination: DestinationName
    /// The current state of the destination.
    public var state: DestinationState
    /// The number of jobs in each state.
    public var counts: UploadCounts
    /// The running jobs with their progress.
    public var running: [UploadJob]
    /// The mean speed of deliveries in the last minute, in bytes per second.
    public var bytesPerSecond: Double
    /// The failure that stopped or slowed down uploads, or `nil` if the destination works.
    public var lastFailure: DestinationFailure?
    /// The features that uploads to the destination use.
    public var features: [FeatureState] = []
    /// The partial files that the runner still has to delete at the destination.
    public var leftovers = LeftoverSum()
}

/// The total of the partial files that dropped and failed uploads left at a destination.
public struct LeftoverSum: Hashable, Sendable {
    /// The number of uploads.
    public var count = 0
    /// The largest possible total size of the partial files, in bytes.
    public var bytes: UInt64 = 0

    /// Creates an empty total.
    public init() {}

    init(_ leftovers: [UploadLeftover]) {
        count = leftovers.count
        bytes = leftovers.reduce(0) { $0 + $1.bytes }
    }
}

extension UploadStatistics {
    /// Creates the statistics of a destination that is no longer configured.
    init(removed name: DestinationName, _ counts: UploadCounts) {
        self.init(destination: name, state: .removed, counts: counts, running: [], bytesPerSecond: 0)
    }
}

/// The text of the condition about unfinished jobs of a destination that is no longer configured.
public enum RemovedDestination {
    /// A sentence that describes the condition.
    public static let sentence = "The destination is no longer in the configuration."

    /// Returns the next step for a person.
    public static func nextStep(_ name: DestinationName) -> String {
        "Add the destination again under this name, or drop its uploads with 'framefast queue drop --to \(name)'."
    }
}

/// A sliding window of the bytes that were delivered in the last minute.
struct RateWindow: Hashable, Sendable {
    private static let seconds = 60
    private var slots = [UInt64](repeating: 0, count: seconds)
    private var last = 0

    mutating func add(_ bytes: UInt64, at now: Date) {
        advance(to: now)
        slots[last % Self.seconds] += bytes
    }

    mutating func bytesPerSecond(at now: Date) -> Double {
        advance(to: now)
        return Double(slots.reduce(0, +)) / Double(Self.seconds)
    }

    private mutating func advance(to now: Date) {
        let second = max(Int(now.timeIntervalSince1970), 0)
        for step in 0..<min(max(second - last, 0), Self.seconds) { slots[(second - step) % Self.seconds] = 0 }
        last = max(last, second)
    }
}
