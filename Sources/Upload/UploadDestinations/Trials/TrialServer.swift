import UploadEngine

/// A server that a trial tests with two small files. Each function throws the server's failure.
protocol TrialServer: Sendable {
    /// Stores ``TrialFile/text`` under a name. Replaces an existing trial file.
    func store(_ name: String) async throws(UploadFailure)
    /// - Returns: The size of a file, or `nil` if the server does not report it.
    func size(_ name: String) async throws(UploadFailure) -> UInt64?
    /// - Returns: Whether the stored bytes can be read back.
    func readsBack(_ name: String) async throws(UploadFailure) -> Bool
    /// Renames a file. If the protocol has a rename that never replaces a file, uses this rename.
    ///
    /// - Returns: Whether the file was renamed. `false` if a file with the new name exists.
    func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool
    /// Syncs a file to the server's disk.
    ///
    /// - Returns: Whether the server synced the file, or `nil` if there is no such request.
    func sync(_ name: String) async throws(UploadFailure) -> Bool?
    /// Requests the list of the server's features.
    ///
    /// - Returns: Whether the server sent a list, or `nil` if the protocol has no such request.
    func listsFeatures() async throws(UploadFailure) -> Bool?
    /// Requests the modification time of a file.
    ///
    /// - Returns: Whether the server reports the time, or `nil` if uploads do not use it.
    func reportsTime(_ name: String) async throws(UploadFailure) -> Bool?
    /// Requests a checksum of a file.
    ///
    /// - Returns: Whether the server reports the checksum, or `nil` if the server lists no such request.
    func reportsChecksum(_ name: String) async throws(UploadFailure) -> Bool?
    /// Sets the modification time of a file to ``TrialFile/time``.
    ///
    /// - Returns: Whether the server sets the time, or `nil` if the protocol has no such request.
    func setTime(_ name: String) async throws(UploadFailure) -> Bool?
    /// Appends to a file. The file may grow.
    ///
    /// - Returns: Whether the server appends, or `nil` if uploads never append.
    func appends(_ name: String) async throws(UploadFailure) -> Bool?
    /// Resumes a file from an offset. The file may grow.
    ///
    /// - Returns: Whether the server resumes files, or `nil` if uploads never resume.
    func resumes(_ name: String) async throws(UploadFailure) -> Bool?
    func remove(_ name: String) async throws(UploadFailure)
}

extension TrialServer {
    /// Returns `nil`: the protocol has no such request.
    func sync(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// Returns `nil`: the protocol has no such request.
    func listsFeatures() async throws(UploadFailure) -> Bool? { nil }

    /// Returns `nil`: uploads do not use the time.
    func reportsTime(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// Returns `nil`: the protocol has no such request.
    func reportsChecksum(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// Returns `nil`: uploads never append.
    func appends(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// Returns `nil`: the protocol has no such request.
    func setTime(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// Returns `nil`: uploads never resume.
    func resumes(_ name: String) async throws(UploadFailure) -> Bool? { nil }
}

/// The plan for transferring photos to a server, which a trial creates.
struct TransferPlan: Hashable, Sendable {
    /// The kind of name that photos have during the transfer.
    var temporaryName = TemporaryName.hidden
    /// Whether the server refuses to overwrite an existing file.
    var refusesTaken = false
    /// Whether the server refused all trial files. If `true`, only a real photo can show whether the server
    /// accepts photos.
    var isUnproven = false
    /// The features that the server refuses.
    var refused: Set<DestinationFeature> = []
}
