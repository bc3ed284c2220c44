public import FoundationEssentials

/// The history of one folder on its way to one destination: the manifests that are not there yet, and then the chain.
public struct ManifestUpload: Hashable, Sendable {
    /// The folder that has the history, an absolute path.
    public var folder: String
    /// The destination.
    public var destination: DestinationName
    /// What stands there for the folder: empty, or a relative path with `/` at its end.
    public var remoteFolder: String
    /// The newest generation that is there, with the chain that names it; 0 for none.
    public var generation: Int
    /// The newest generation here.
    public var newest: Int
    /// Whether a chain that is there is ours, and may be replaced.
    public var hasChain: Bool
    /// Tries in a row without success.
    public var failures = 0
    /// When it is tried again; `nil` when it may go.
    public var nextAttemptAt: Date?
    /// The last trouble, for people.
    public var sentence: String?
    /// What a person can do about it.
    public var nextStep: String?

    /// How it stands: it waits for its photos or its turn, or for the next try.
    public var state: UploadJob.State { nextAttemptAt == nil ? .queued : .retrying }

    /// Creates one that was not tried.
    public init(
        folder: String, destination: DestinationName, remoteFolder: String, generation: Int, newest: Int,
        hasChain: Bool
    ) {
        self.folder = folder
        self.destination = destination
        self.remoteFolder = remoteFolder
        self.generation = generation
        self.newest = newest
        self.hasChain = hasChain
    }
}
