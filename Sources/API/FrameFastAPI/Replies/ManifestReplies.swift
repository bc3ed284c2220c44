public import FoundationEssentials

/// `POST /v1/sessions/{id}/seal`: what was recorded.
public struct SealReply: WireValue {
    /// The session.
    public var session: SessionID
    /// The folder that has the history, an absolute path.
    public var folder: String
    /// Number of the new generation; `nil` when nothing was new.
    @OrNull public var generation: Int?
    /// Path of the new manifest below the folder; `nil` when nothing was new.
    @OrNull public var manifest: String?
    /// Photos in the new generation.
    public var sealed: Int
    /// Photos that were read for it, because no hash of them was kept.
    public var read: Int
    /// Photos that wait for their second reading: for the next generation.
    public var awaitingReread: Int
    /// Photos of the session that lie outside the folder, or are not there: not recorded.
    public var leftOut: Int

    /// Creates a reply.
    public init(
        session: SessionID, folder: String, generation: Int? = nil, manifest: String? = nil, sealed: Int = 0,
        read: Int = 0, awaitingReread: Int = 0, leftOut: Int = 0
    ) {
        self.session = session
        self.folder = folder
        self._generation = OrNull(wrappedValue: generation)
        self._manifest = OrNull(wrappedValue: manifest)
        self.sealed = sealed
        self.read = read
        self.awaitingReread = awaitingReread
        self.leftOut = leftOut
    }
}

/// How far a verification is, and what it found.
public struct VerificationReply: WireValue {
    /// Most files that are listed of each kind; the counts are of all.
    public static let listedMax = 1000

    /// The session.
    public var session: SessionID
    /// The folder that has the history, an absolute path.
    public var folder: String
    /// How far it is.
    public var state: State
    /// What was found; `nil` while it runs, and when it was cancelled or failed.
    @OrNull public var result: Result?
    /// Files that the manifests record.
    public var files: Int
    /// Files of them that were looked at.
    public var filesDone: Int
    /// Bytes that were read.
    public var bytesRead: Int64
    /// Files with the bytes that were recorded.
    public var verified: Int
    /// Files that are not there.
    public var missing: Int
    /// Files that have other bytes than were recorded, or cannot be read.
    public var changed: Int
    /// Files that were cleared here after they were delivered.
    public var cleared: Int
    /// What is not as it was recorded, or was cleared; at most ``listedMax`` of each kind.
    public var findings: [VerificationFinding]
    /// Number of the generation that says what was found; `nil` without one.
    @OrNull public var generation: Int?
    /// Why it failed, or what is wrong with the history, as a sentence; `nil` when neither is so.
    @OrNull public var reason: String?

    /// Creates a reply.
    public init(
        session: SessionID, folder: String, state: State, result: Result? = nil, files: Int = 0,
        filesDone: Int = 0, bytesRead: Int64 = 0, verified: Int = 0, missing: Int = 0, changed: Int = 0,
        cleared: Int = 0, findings: [VerificationFinding] = [], generation: Int? = nil, reason: String? = nil
    ) {
        self.session = session
        self.folder = folder
        self.state = state
        self._result = OrNull(wrappedValue: result)
        self.files = files
        self.filesDone = filesDone
        self.bytesRead = bytesRead
        self.verified = verified
        self.missing = missing
        self.changed = changed
        self.cleared = cleared
        self.findings = findings
        self._generation = OrNull(wrappedValue: generation)
        self._reason = OrNull(wrappedValue: reason)
    }

    /// How far it is.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Files are being read.
        public static let running = Self(rawValue: "running")
        /// Everything was looked at.
        public static let done = Self(rawValue: "done")
        /// Somebody ended it, or the service stopped.
        public static let cancelled = Self(rawValue: "cancelled")
        /// It could not go on.
        public static let failed = Self(rawValue: "failed")

        /// Every word of this build.
        public static let all = [running, done, cancelled, failed]
    }

    /// What was found: the worst of it.
    public struct Result: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Every file is as it was recorded, or was cleared after it was delivered.
        public static let intact = Self(rawValue: "intact")
        /// A file is not there.
        public static let missing = Self(rawValue: "missing")
        /// A file has other bytes than were recorded.
        public static let changed = Self(rawValue: "changed")
        /// A manifest was edited: it is not as the chain says.
        public static let manifestEdited = Self(rawValue: "manifest_edited")
        /// A manifest of the chain is not there.
        public static let manifestGone = Self(rawValue: "manifest_gone")
        /// The chain file is not there.
        public static let chainGone = Self(rawValue: "chain_gone")
        /// There is no history: the session was never sealed.
        public static let notSealed = Self(rawValue: "not_sealed")

        /// Every word of this build.
        public static let all = [
            intact, missing, changed, manifestEdited, manifestGone, chainGone, notSealed,
        ]
    }
}

/// A file that is not as it was recorded, or was cleared.
public struct VerificationFinding: WireValue {
    /// Its path below the folder.
    public var path: String
    /// What is with it.
    public var what: What
    /// Where it was delivered before it was cleared; empty for any other.
    public var destinations: [DestinationName]

    /// Creates a finding.
    public init(path: String, what: What, destinations: [DestinationName] = []) {
        self.path = path
        self.what = what
        self.destinations = destinations
    }

    /// What is with a file.
    public struct What: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is not there.
        public static let missing = Self(rawValue: "missing")
        /// It has other bytes, or cannot be read.
        public static let changed = Self(rawValue: "changed")
        /// It was cleared here after it was delivered: no fault.
        public static let cleared = Self(rawValue: "cleared")

        /// Every word of this build.
        public static let all = [missing, changed, cleared]
    }
}

/// A folder's manifests on their way to a destination, after the photos that they record.
public struct ManifestUploadReply: WireValue {
    /// The folder that has the history, an absolute path.
    public var folder: String
    /// The destination.
    public var destination: DestinationName
    /// `queued` or `retrying`.
    public var state: UploadJobReply.State
    /// The newest generation that is there; 0 for none.
    public var generation: Int
    /// The newest generation here.
    public var newest: Int
    /// When it is tried again; `nil` when it goes as soon as its photos are there.
    @OrNull public var retryAt: Date?
    /// What went wrong last; `nil` when nothing did.
    @OrNull public var reason: String?
    /// What a person can do about it.
    @OrNull public var nextStep: String?

    /// Creates a reply.
    public init(
        folder: String, destination: DestinationName, state: UploadJobReply.State = .queued,
        generation: Int = 0, newest: Int, retryAt: Date? = nil, reason: String? = nil,
        nextStep: String? = nil
    ) {
        self.folder = folder
        self.destination = destination
        self.state = state
        self.generation = generation
        self.newest = newest
        self._retryAt = OrNull(wrappedValue: retryAt)
        self._reason = OrNull(wrappedValue: reason)
        self._nextStep = OrNull(wrappedValue: nextStep)
    }
}
