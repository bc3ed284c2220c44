/// How far a capture is on its whole way, from the card to every destination: one word, the same wherever it is shown.
///
/// The order is that of a shot of several files: it stands where the first of these does.
public enum CaptureState: String, Codable, CaseIterable, Hashable, Sendable {
    /// Cannot be read whole; waits for a person.
    case damaged
    /// An upload failed for good.
    case uploadFailed = "upload_failed"
    /// An upload failed and is tried again.
    case retrying
    /// Known, and not yet whole and durable under its name.
    case receiving
    /// On its way to a destination.
    case uploading
    /// Goes out as soon as it is its turn.
    case queued
    /// Kept back from a destination by the mode, a rule or a person.
    case held
    /// Durable here; goes nowhere, or nothing is decided yet.
    case saved
    /// At every destination that it goes to.
    case delivered
    /// Delivered, and its file was removed here to free some space.
    case cleared

    /// - Parameters:
    ///   - record: What the ledger has of the photo itself.
    ///   - isCleared: Whether its file was removed here.
    ///   - upload: The first of ``UploadJob/State/worstFirst`` among its uploads; `nil` without any.
    /// - Returns: `nil` for what is no capture: left on the card on request, or another word for one that there is.
    public init?(_ record: CaptureRecord.State, isCleared: Bool, upload: UploadJob.State?) {
        switch (record, upload) {
        case (.skipped, _), (.duplicate, _): return nil
        case (.seen, _), (.publishing, _): self = .receiving
        case (.setAside, _): self = .damaged
        case (.saved, _) where isCleared: self = .cleared
        case (.saved, nil): self = .saved
        case (.saved, .failed): self = .uploadFailed
        case (.saved, .retrying): self = .retrying
        case (.saved, .uploading), (.saved, .verifying): self = .uploading
        case (.saved, .queued): self = .queued
        case (.saved, .held): self = .held
        case (.saved, .delivered): self = .delivered
        }
    }

    /// The state of a shot by those of its files.
    public static func shot(of files: some Sequence<CaptureState>) -> CaptureState? {
        let states = Set(files)
        return allCases.first(where: states.contains)
    }
}

extension UploadJob.State {
    /// Of several uploads of one capture, the first of these says how far it is.
    public static let worstFirst: [Self] = [
        .failed, .retrying, .uploading, .verifying, .queued, .held, .delivered,
    ]
}

/// A capture with where it stands.
public struct CaptureStatus: Hashable, Sendable {
    /// What the ledger has of it.
    public var record: CaptureRecord
    /// How far it is.
    public var state: CaptureState
    /// How far its shot is.
    public var shotState: CaptureState

    /// Creates a status.
    public init(_ record: CaptureRecord, state: CaptureState, shotState: CaptureState) {
        self.record = record
        self.state = state
        self.shotState = shotState
    }
}

extension CaptureRecord {
    /// Number of the shot that it is a file of: the ledger number of the shot's first file.
    public var shotID: ShotID { ShotID(first: pairID ?? id) }
}
