/// `GET /v1/storage`: the photos here, by how far their uploads are.
public struct StorageSummaryReply: WireValue {
    /// All photos that are still here.
    public var total: StorageAmountReply
    /// Those that are at every destination that they go to: what `storage clear` removes.
    public var uploaded: StorageAmountReply
    /// Those with an upload to be done, held ones included.
    public var pending: StorageAmountReply
    /// Those with an upload that was given up.
    public var failed: StorageAmountReply
    /// Those that no destination takes: never cleared.
    public var local: StorageAmountReply
    /// Those that were cleared, and are no longer here.
    public var cleared: StorageAmountReply
    /// The same by session, newest first; what belongs to none comes last.
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

/// How many files, and how much they hold.
public struct StorageAmountReply: WireValue {
    /// Files.
    public var files: Int
    /// Bytes in them.
    public var bytes: Int64

    /// Creates an amount.
    public init(files: Int = 0, bytes: Int64 = 0) {
        self.files = files
        self.bytes = bytes
    }
}

/// A session's photos, by how far their uploads are.
public struct SessionStorageReply: WireValue {
    /// Id of the session; `nil` for photos of none.
    @OrNull public var session: SessionID?
    /// Its name; `nil` for photos of none.
    @OrNull public var name: String?
    /// How long its photos are kept: `7 d`, `30 d`, `forever`, `until-delivered`.
    public var keep: String
    /// All photos of it that are still here.
    public var total: StorageAmountReply
    /// Those that are at every destination that they go to.
    public var uploaded: StorageAmountReply
    /// Those with an upload to be done, held ones included.
    public var pending: StorageAmountReply
    /// Those with an upload that was given up.
    public var failed: StorageAmountReply
    /// Those that no destination takes: never cleared.
    public var local: StorageAmountReply
    /// Those that were cleared, and are no longer here.
    public var cleared: StorageAmountReply

    /// What the document says of its fields.
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

/// `POST /v1/storage/clear`: removes files here that are delivered to every destination that they go to.
public struct StorageClearRequest: WireRequest {
    /// Has to be `true`: nothing else is ever cleared.
    public var delivered: Bool
    /// Only photos of this session.
    public var session: SessionID?
    /// Only photos that were saved at least this many seconds ago.
    public var olderThanSeconds: Int64?
    /// `true` to count only, and remove nothing.
    public var dryRun: Bool?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.delivered, "Has to be true"),
            .init(CodingKeys.olderThanSeconds, range: 0...Int64.max),
            .init(CodingKeys.dryRun, "True to count only"),
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

/// What was removed, or would be.
public struct StorageClearReply: WireValue {
    /// Files that are gone.
    public var files: Int
    /// Bytes that were in them.
    public var bytes: Int64
    /// Files that stay although they are delivered: they are not what was saved, not there, or cannot be removed.
    public var kept: Int

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.kept, "Delivered and not removed")
        ]
    }

    /// Creates a reply.
    public init(files: Int = 0, bytes: Int64 = 0, kept: Int = 0) {
        self.files = files
        self.bytes = bytes
        self.kept = kept
    }
}
