import UploadEngine

/// A server that a trial asks with two small files. Each call throws what the server answers.
protocol TrialServer: Sendable {
    /// Stores ``TakenNames/text`` under a name, in place of what the trial left there.
    func store(_ name: String) async throws(UploadFailure)
    /// - Returns: The size of a file, or `nil` if the server does not tell it.
    func size(_ name: String) async throws(UploadFailure) -> UInt64?
    /// - Returns: Whether the file reads back as it was stored.
    func readsBack(_ name: String) async throws(UploadFailure) -> Bool
    /// Renames without replacing, if the server knows that.
    ///
    /// - Returns: Whether the file was renamed; `false` if the name is taken.
    func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool
    /// Writes a file through to the server's disk.
    ///
    /// - Returns: `nil` if the protocol, or this server, knows no such request.
    func sync(_ name: String) async throws(UploadFailure) -> Bool?
    /// Asks the server for the list of its features.
    ///
    /// - Returns: Whether the server gives one, or `nil` if the protocol has no such request.
    func listsFeatures() async throws(UploadFailure) -> Bool?
    /// Asks for the time of a file.
    ///
    /// - Returns: Whether the server tells it, or `nil` if uploads by the protocol do without it.
    func tellsTime(_ name: String) async throws(UploadFailure) -> Bool?
    /// Asks for a checksum of a file.
    ///
    /// - Returns: Whether the server tells it, or `nil` if the server lists no such request.
    func tellsChecksum(_ name: String) async throws(UploadFailure) -> Bool?
    /// Sets the modification time of a file to ``TakenNames/time``.
    ///
    /// - Returns: Whether the server takes a time, or `nil` if the protocol has no such request.
    func setTime(_ name: String) async throws(UploadFailure) -> Bool?
    /// Appends to a file, which may be longer than before then.
    ///
    /// - Returns: Whether the server appends, or `nil` if uploads by the protocol never do.
    func appends(_ name: String) async throws(UploadFailure) -> Bool?
    /// Continues a file, which may be longer than before then.
    ///
    /// - Returns: Whether the server continues files, or `nil` if uploads by the protocol always start over.
    func resumes(_ name: String) async throws(UploadFailure) -> Bool?
    func remove(_ name: String) async throws(UploadFailure)
}

extension TrialServer {
    /// The protocol has no such request.
    func sync(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// The protocol has no such request.
    func listsFeatures() async throws(UploadFailure) -> Bool? { nil }

    /// Uploads do without it.
    func tellsTime(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// The protocol has no such request.
    func tellsChecksum(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// Uploads never append.
    func appends(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// The protocol has no such request.
    func setTime(_ name: String) async throws(UploadFailure) -> Bool? { nil }

    /// Uploads always start over.
    func resumes(_ name: String) async throws(UploadFailure) -> Bool? { nil }
}

/// The way in which photos go to a server, as a trial found it.
struct TransferPlan: Hashable, Sendable {
    /// The name that a photo has on its way.
    var temporaryName = TemporaryName.hidden
    /// Whether the server refuses a name that is taken.
    var refusesTaken = false
    /// Whether the server refused every small file: then only a photo can tell whether it takes photos.
    var isUnproven = false
    /// Features that the server refuses.
    var refused: Set<DestinationFeature> = []
}
