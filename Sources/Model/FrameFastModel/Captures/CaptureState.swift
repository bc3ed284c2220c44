extension CaptureState {
    /// Creates the state of a capture.
    ///
    /// - Parameters:
    ///   - record: The state of the photo in the ledger.
    ///   - isCleared: Whether the local file was removed.
    ///   - upload: The state of the photo's uploads, or `nil` without uploads. If the uploads differ, the
    ///     state that comes first in ``UploadJob/State/worstFirst``.
    /// - Returns: `nil` for a skipped photo and for a duplicate of another capture.
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

    /// Returns the state of a shot from the states of its files, or `nil` without files.
    public static func shot(of files: some Sequence<CaptureState>) -> CaptureState? {
        let states = Set(files)
        return allCases.first(where: states.contains)
    }
}

extension UploadJob.State {
    /// The states in order of precedence. If the uploads of a capture differ, the state that comes first in
    /// this list determines the state of the capture.
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
