/// `GET /v1/storage`: the number and size of the photos on this computer, by upload state.
public struct StorageSummaryReply: WireValue {
    /// All photos on this computer.
    public var total: StorageAmountReply
    /// Photos that are delivered to all their destinations. `storage clear` removes them.
    public var uploaded: StorageAmountReply
    /// Photos with an unfinished or held upload, and photos that a destination has refused because of their
    /// rating.
    public var pending: StorageAmountReply
    /// Photos with an upload that failed permanently.
    public var failed: StorageAmountReply
    /// Photos without a destination. The service never clears these photos.
    public var local: StorageAmountReply
    /// Photos that were cleared from this computer.
    public var cleared: StorageAmountReply
    /// The same sums for each session, newest first. Photos without a session come last.
    public var sessions: [SessionStorageReply]

    /// Creates a reply.
    public init(
        total: StorageAmountReply = .init(), uploaded: StorageAmountReply = .init(),
        pending: StorageAmountReply = .init(), failed: StorageAmountReply = .init(),
        local: StorageAmountReply = .init(), cleared: StorageAmountReply = .init(),
        sessions: [SessionStorageReply] = []
    ) {
        self.total = total
        self.uploaded = uploaded
        self.pending = pending
        self.failed = failed
        self.local = local
        self.cleared = cleared
        self.sessions = sessions
    }
}

/// A number of files and their size.
public struct StorageAmountReply: WireValue {
    /// The number of files.
    public var files: Int
    /// The size of the files, in bytes.
    public var bytes: Int64

    /// Creates an amount.
    public init(files: Int = 0, bytes: Int64 = 0) {
        self.files = files
        self.bytes = bytes
    }
}

/// The number and size of a session's photos, by upload state.
public struct SessionStorageReply: WireValue {
    /// The id of the session, or `nil` for photos without a session.
    @OrNull public var session: SessionID?
    /// The name of the session, or `nil` for photos without a session.
    @OrNull public var name: String?
    /// The time for which the photos are kept: `7 d`, `30 d`, `forever`, `until-delivered`.
    public var keep: String
    /// All photos of the session on this computer.
    public var total: StorageAmountReply
    /// Photos that are delivered to all their destinations.
    public var uploaded: StorageAmountReply
    /// Photos with an unfinished or held upload, and photos that a destination has refused because of their
    /// rating.
    public var pending: StorageAmountReply
    /// Photos with an upload that failed permanently.
    public var failed: StorageAmountReply
    /// Photos without a destination. The service never clears these photos.
    public var local: StorageAmountReply
    /// Photos that were cleared from this computer.
    public var cleared: StorageAmountReply

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.keep, examples: ["7 d", "30 d", "forever", "until-delivered"])
        ]
    }

    /// Creates a reply.
    public init(
        session: SessionID? = nil, name: String? = nil, keep: String, total: StorageAmountReply = .init(),
        uploaded: StorageAmountReply = .init(), pending: StorageAmountReply = .init(),
        failed: StorageAmountReply = .init(), local: StorageAmountReply = .init(),
        cleared: StorageAmountReply = .init()
    ) {
        self._session = OrNull(wrappedValue: session)
        self._name = OrNull(wrappedValue: name)
        self.keep = keep
        self.total = total
        self.uploaded = uploaded
        self.pending = pending
        self.failed = failed
        self.local = local
        self.cleared = cleared
    }
}

/// `POST /v1/storage/clear`: removes files from this computer that are delivered to all their destinations.
public struct StorageClearRequest: WireRequest {
    /// Must be `true`, because only delivered photos can be cleared.
    public var delivered: Bool
    /// The session to which the request is limited, or `nil` for all.
    public var session: SessionID?
    /// The minimum age of the saved file, in seconds, or `nil` for any age.
    public var olderThanSeconds: Int64?
    /// Whether to count the files without removing them.
    public var dryRun: Bool?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.delivered, "Must be true"),
            .init(CodingKeys.olderThanSeconds, range: 0...Int64.max),
            .init(CodingKeys.dryRun, "True to count the files without removing them"),
        ]
    }

    /// Creates a request.
    public init(
        delivered: Bool = true, session: SessionID? = nil, olderThanSeconds: Int64? = nil, dryRun: Bool? = nil
    ) {
        self.delivered = delivered
        self.session = session
        self.olderThanSeconds = olderThanSeconds
        self.dryRun = dryRun
    }
}

/// The number and size of the files that were removed, or would be removed.
public struct StorageClearReply: WireValue {
    /// The number of removed files.
    public var files: Int
    /// The size of the removed files, in bytes.
    public var bytes: Int64
    /// The number of delivered files that were not removed, because they differ from the saved photo, are
    /// missing, or cannot be removed.
    public var kept: Int

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.kept, "Number of delivered files that were not removed")
        ]
    }

    /// Creates a reply.
    public init(files: Int = 0, bytes: Int64 = 0, kept: Int = 0) {
        self.files = files
        self.bytes = bytes
        self.kept = kept
    }
}
