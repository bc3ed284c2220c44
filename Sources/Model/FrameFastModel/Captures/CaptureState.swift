/// The state of a capture on its way from the card to every destination. All programs and documents use the
/// same word for a state.
///
/// The cases are in order of precedence: a shot with several files has the state of the file that comes first
/// here.
public enum CaptureState: String, Codable, CaseIterable, Hashable, Sendable {
    /// Not readable as a complete file. Waits for a person.
    case damaged
    /// An upload failed permanently.
    case uploadFailed = "upload_failed"
    /// An upload failed and will be retried.
    case retrying
    /// Known, but not yet complete and durable under its final name.
    case receiving
    /// An upload to a destination is running.
    case uploading
    /// Waiting in the upload queue.
    case queued
    /// An upload is held by a mode, a rule or a person.
    case held
    /// Durable on disk. No upload is planned.
    case saved
    /// Delivered to all its destinations.
    case delivered
    /// Delivered, and the local file was removed to free disk space.
    case cleared

    /// - Parameters:
    ///   - record: The state of the photo in the ledger.
    ///   - isCleared: Whether the local file was removed.
    ///   - upload: The state of the upload that comes first in ``UploadJob/State/worstFirst``, or `nil`
    ///     without uploads.
    /// - Returns: `nil` for a photo that was skipped on request, and for a duplicate of another capture.
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

    /// Returns the state of a shot with these files.
    public static func shot(of files: some Sequence<CaptureState>) -> CaptureState? {
        let states = Set(files)
        return allCases.first(where: states.contains)
    }
}

extension UploadJob.State {
    /// The order of precedence: the first of these states among its uploads is the state of the capture.
    public static let worstFirst: [Self] = [
        .failed, .retrying, .uploading, .verifying, .queued, .held, .delivered,
    ]
}

/// A capture with its state.
public struct CaptureStatus: Hashable, Sendable {
    /// The record in the ledger.
    public var record: CaptureRecord
    /// The state of the capture.
    public var state: CaptureState
    /// The state of the shot.
    public var shotState: CaptureState

    /// Creates a status.
    public init(_ record: CaptureRecord, state: CaptureState, shotState: CaptureState) {
        self.record = record
        self.state = state
        self.shotState = shotState
    }
}

extension CaptureRecord {
    /// The number of the capture's shot: the ledger number of the shot's first file.
    public var shotID: ShotID { ShotID(first: pairID ?? id) }
}
