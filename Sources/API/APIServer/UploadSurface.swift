public import FrameFastAPI

/// The part of ``ControlSurface`` about uploads: destinations, jobs, mode and storage.
public protocol UploadSurface: Sendable {
    /// Every destination, in the order of the configuration.
    func destinations() async throws(ControlError) -> [DestinationReply]
    /// Uploads a probe and removes it; throws `not_found`. What fails there is in the reply, not thrown.
    func testDestination(name: String) async throws(ControlError) -> DestinationTestReply
    /// Pauses or resumes one destination; throws `not_found`. To do so twice is no error.
    func pauseDestination(name: String, _ isPaused: Bool) async throws(ControlError) -> DestinationReply
    /// Takes the folder that is there now for a destination; throws `not_found`, `unsupported` for other kinds, and
    /// `conflict` when the folder cannot be taken.
    func adoptDestination(name: String) async throws(ControlError) -> DestinationReply
    /// Pauses or resumes every destination, and gives them.
    func pauseUploads(_ isPaused: Bool) async throws(ControlError) -> [DestinationReply]

    /// A page of jobs, newest first. The limit is within bounds; the cursor is this method's own, unchecked.
    func uploads(_ query: UploadsQuery) async throws(ControlError) -> UploadsReply
    /// Changes jobs, or counts them when it is a dry run; throws `not_found` for an unknown destination.
    ///
    /// - Parameter selection: Narrows down, or says `all`; words and bounds are checked.
    func changeUploads(
        _ change: UploadChange, _ selection: UploadSelection
    ) async throws(ControlError) -> UploadChangeReply
    /// Makes jobs for photos that have none there; throws `not_found` for an unknown destination.
    func addUploads(_ request: UploadAddRequest) async throws(ControlError) -> UploadChangeReply

    /// When photos are uploaded.
    func mode() async throws(ControlError) -> ModeReply
    /// Changes it; words and bounds are checked.
    func setMode(_ request: ModeRequest) async throws(ControlError) -> ModeReply

    /// Changes how long a session's photos are kept here; throws `not_found`, and `invalid` for what is no rule.
    func keepSession(id: Int64, _ request: SessionKeepRequest) async throws(ControlError) -> SessionReply
    /// The photos here, by how far their uploads are.
    func storage() async throws(ControlError) -> StorageSummaryReply
    /// Removes files that are delivered everywhere, or counts them when it is a dry run; throws `not_found` for an
    /// unknown session.
    func clearStorage(_ request: StorageClearRequest) async throws(ControlError) -> StorageClearReply
    /// Takes the disk that is there now for the capture directory; throws `conflict` when photos cannot be saved there.
    func adoptStorage() async throws(ControlError) -> DiskReply
}

/// What can be done to upload jobs. Jobs in other states than the named ones are passed over.
public enum UploadChange: String, Sendable, CaseIterable {
    /// `failed` and `waiting`: tried again, now.
    case retry
    /// `queued`, `waiting` and `failed`: kept back until released.
    case hold
    /// `held`: goes out when it is its turn.
    case release
    /// All but `delivered`: forgotten. The file stays.
    case drop
}
