public import FrameFastModel
public import SystemPackage

/// A place that receives photos. Each kind of destination implements this protocol.
///
/// The runner starts at most as many uploads at a time as the destination allows. An implementation never
/// replaces another photo, and never leaves a partial file under the final name. It returns only after it has
/// verified the remote copy as far as the protocol allows.
public protocol UploadDestination: Sendable {
    /// Uploads one photo and verifies the remote copy.
    ///
    /// The runner cancels the task if the service stops, a person pauses the destination or the job is
    /// dropped. It also cancels an upload that shows neither progress nor activity for long, so work that
    /// sends no bytes reports ``UploadActivity/current``. A cancelled upload soon throws
    /// ``UploadFailure/Kind/cancelled``. The next attempt gets the resume point that
    /// ``UploadItem/saveResumePoint`` stored.
    ///
    /// - Parameter progress: Called from time to time with the number of bytes sent so far.
    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt

    /// Checks whether the place can be reached now. The check is cheap, because it runs every few seconds
    /// during an outage.
    func probe() async throws(UploadFailure)

    /// Uploads a small probe under a unique name, verifies it and deletes it. For `destinations test`.
    func test() async throws(UploadFailure)

    /// Deletes an uploaded probe.
    ///
    /// - Parameter name: The remote name under which the probe was delivered.
    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure)

    /// Whether the runner may upload a probe to find out what a refusal is about. The probe is deleted
    /// afterwards and must notify no one.
    var takesProbes: Bool { get }

    /// Whether a refusal is always about one photo. A user's own program reports this by its exit code.
    var refusesSinglePhotos: Bool { get }

    /// Deletes the partial files and unfinished uploads that attempts of an upload left at the place. Their
    /// names are unique to this upload. The function deletes nothing that has a photo's final name.
    ///
    /// - Parameter item: The upload, with the resume point of its last attempt. Its local file may be
    ///   missing.
    func discardLeftovers(of item: UploadItem) async throws(UploadFailure)

    /// Tries all features again with the next upload, because the place may support them now.
    func relearnFeatures() async

    /// Reads passwords and keys again before the next upload, because a person may have corrected them.
    func renewCredentials() async

    /// Accepts the place that is there now as the destination, after a person replaced it on purpose.
    func adoptPlace() async throws(UploadFailure)

    /// Closes connections and ends child processes.
    func close() async

    /// Whether the place replaces an existing file of the same name, or `nil` if this is unknown. It is also
    /// `nil` for places where the upload does not choose the name.
    func replacesTakenNames() async -> Bool?

    /// Errors in the settings, for people, that are found without contacting the place. Empty if there are
    /// none.
    var faults: [String] { get }
}

extension UploadDestination {
    /// No errors.
    public var faults: [String] { [] }

    /// `nil`: the place refuses a name that exists, or the behaviour is unknown.
    public func replacesTakenNames() async -> Bool? { nil }

    /// `true`: uploaded files can be deleted.
    public var takesProbes: Bool { true }

    /// `false`: a refusal may concern every photo.
    public var refusesSinglePhotos: Bool { false }

    /// Does nothing: a finished attempt leaves no files.
    public func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {}

    /// Does nothing: the place stores no observations.
    public func relearnFeatures() async {}

    /// Does nothing: the settings contain all credentials.
    public func renewCredentials() async {}

    /// Uploads a probe, verifies it and deletes it.
    public func test() async throws(UploadFailure) {
        let probe = try ProbePhoto()
        let receipt = try await upload(probe.item) { _ in }
        do throws(UploadFailure) { try await remove(probe.item, named: receipt.remoteName) } catch {
            throw UploadFailure(
                error.kind,
                "The probe \(receipt.remoteName) was uploaded and verified, but cannot be removed: "
                    + error.sentence, nextStep: "Remove it manually; photos are not affected.")
        }
    }

    /// Uploads a small file to check whether the destination accepts it where it refused a photo. A probe
    /// that can't be deleted stays there.
    func acceptsProbe(like item: UploadItem) async throws(UploadFailure) {
        let probe = try ProbePhoto(like: item)
        let receipt = try await upload(probe.item) { _ in }
        try? await remove(probe.item, named: receipt.remoteName)
    }

    /// Throws a failure: most places are identified by their address and not by their content.
    public func adoptPlace() async throws(UploadFailure) {
        throw UploadFailure(
            .permanent(.misconfigured), "Only a destination of kind directory can be adopted.",
            nextStep: "Change this one in the configuration.")
    }
}

/// One photo that is uploaded to one destination.
public struct UploadItem: Sendable {
    /// The job's number. It is the same for every attempt.
    public var jobID: JobID
    /// The absolute path of the local file.
    public var localPath: String
    /// The file's size in bytes, as recorded when the photo was saved.
    public var bytes: UInt64
    /// The file's SHA-256 in lower-case hex, as recorded when the photo was saved.
    public var sha256: String
    /// The name of this installation among those that send to the same place. See ``Station``.
    public var station: String
    /// The name at the destination: a relative path of sanitized components joined by `/`, without `.` and
    /// `..`.
    public var remoteName: String
    /// Whether a user's template made the name. Such a name is kept even where a server can't refuse an
    /// existing name.
    public var isNameChosen = false
    /// Whether this is the job's first attempt. Then a name that is unique to the upload can't exist yet.
    public var isFirstTry = false
    /// The values about the photo and its upload, for commands, addresses and headers.
    public var facts: Facts
    /// The resume point of an earlier attempt, or `nil` to start from the beginning.
    public var resumePoint: String?
    /// Saves a resume point durably for the next attempt, for example an upload id with its parts, or an
    /// offset. The text is short.
    public var saveResumePoint: @Sendable (String?) async -> Void
    /// The destination's bandwidth limit, or `nil` without a limit. Ask it before sending bytes, unless
    /// another component enforces the limit: libcurl, SFTP, rclone and commands get it as a setting.
    public var pace: UploadPace?

    /// Creates an item.
    public init(
        jobID: JobID, localPath: String, bytes: UInt64, sha256: String, station: String, remoteName: String,
        facts: Facts = [:], resumePoint: String? = nil,
        saveResumePoint: @escaping @Sendable (String?) async -> Void = { _ in }
    ) {
        self.jobID = jobID
        self.localPath = localPath
        self.bytes = bytes
        self.sha256 = sha256
        self.station = station
        self.remoteName = remoteName
        self.facts = facts
        self.resumePoint = resumePoint
        self.saveResumePoint = saveResumePoint
    }
}

/// The result of a successful upload.
public struct UploadReceipt: Hashable, Sendable {
    /// The way in which the remote copy was verified.
    public enum Proof: String, Hashable, Sendable, CaseIterable {
        /// The checksum of the remote bytes equals the local one.
        case checksum
        /// The remote size equals the local one.
        case size
        /// The receiver confirmed the photo. Its protocol offers nothing more (`command`).
        case word
    }

    /// The name at the destination: the wanted name, or one with a suffix if another photo had that name.
    public var remoteName: String
    /// The way in which the remote copy was verified.
    public var proof: Proof
    /// The compared values, for the record, for example `etag 9e107d9d…` or `size 8388608`.
    public var evidence: String
    /// Whether the destination already had the same photo, and nothing was sent.
    public var alreadyExisted: Bool

    /// Creates a receipt.
    public init(remoteName: String, proof: Proof, evidence: String, alreadyExisted: Bool = false) {
        self.remoteName = remoteName
        self.proof = proof
        self.evidence = evidence
        self.alreadyExisted = alreadyExisted
    }
}

/// The reason why an upload failed, in terms that the queue can act on.
public struct UploadFailure: Error, Hashable, Sendable {
    /// The reaction of the queue to a failure.
    public enum Kind: Hashable, Sendable {
        /// The place can't be reached or has an internal problem, such as a network error, a server error or
        /// a full disk. The runner retries without limit and counts the failure for the breaker.
        /// `retryAfterSeconds` is the wait that the server asked for, or `nil`.
        case outage(retryAfterSeconds: Double?)
        /// The transfer of this photo failed, for example by a dropped connection or a wrong checksum. It is
        /// retried.
        case transient
        /// A permanent error: a retry can't succeed before a person changes something. ``RefusalRule``
        /// decides whether it concerns this photo or every photo.
        case permanent(Reason)
        /// The destination refuses every photo until a person changes something. Only the runner creates this
        /// kind.
        case refused(Reason)
        /// The photo's local file can't be read now. See ``LocalFailureMapping``.
        case sourceAway
        /// The service stopped the upload.
        case cancelled
    }

    /// The reason of a permanent failure.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The local file is missing from its folder, or has another size.
        case fileGone = "file-gone"
        /// The local file has other bytes than the saved photo.
        case fileChanged = "file-changed"
        /// Authentication failed: wrong password, key or signature (401 and similar).
        case unauthorised
        /// The authenticated user lacks the permission (403 and similar).
        case forbidden
        /// The bucket, folder or path does not exist and can't be created (404 and similar).
        case notFound = "not-found"
        /// Something at the destination blocks the upload (409 and similar).
        case conflict
        /// The file is larger than the server accepts (413 and similar).
        case tooLarge = "too-large"
        /// The server rejects this file (422 and similar).
        case unprocessable
        /// The certificate or the host key is not trusted.
        case untrusted
        /// The destination's settings are wrong.
        case misconfigured
        /// The destination's disk is full, or its quota is exhausted (507 and similar).
        case full
    }

    /// The reaction of the queue to the failure.
    public var kind: Kind
    /// A description of the failure, as a sentence for people.
    public var sentence: String
    /// The next step for a person, or `nil` if waiting is enough.
    public var nextStep: String?
    /// The step that failed, or `nil` if the upload sent no request.
    public var step: UploadStep?
    /// The error number if this computer has too few files, processes or memory, or `nil` for another
    /// failure.
    public private(set) var shortage: Errno?

    /// Creates a failure.
    ///
    /// - Parameter sentence: A description without the names of the photo and the destination, which the
    ///   caller shows. It is stored in the form of ``FailureSentence``.
    public init(_ kind: Kind, _ sentence: String, nextStep: String? = nil, step: UploadStep? = nil) {
        self.kind = kind
        self.step = step
        self.sentence = FailureSentence(sentence).text
        self.nextStep = nextStep
    }

    /// The failure of an upload that the service stopped, for every kind of destination.
    public static let stopped = UploadFailure(.cancelled, "The upload was stopped.")

    /// Returns the failure for a computer with too few files, processes or memory. One condition reports this
    /// for all parts of the service.
    ///
    /// - Parameter subject: The work that fails, as the beginning of a sentence.
    public static func shortage(_ subject: String, _ reason: Errno) -> UploadFailure {
        var failure = UploadFailure(
            .sourceAway, "\(subject) right now: \(reason).",
            nextStep: "Nothing to do: uploads resume automatically.")
        failure.shortage = reason
        return failure
    }

    /// Returns the failure for a full destination, with the same next step for every kind.
    ///
    /// - Parameter sentence: A description of what is full, as a sentence for people.
    public static func full(_ sentence: String) -> UploadFailure {
        UploadFailure(.permanent(.full), sentence, nextStep: stepWhenFull)
    }

    /// The next step if a destination is full.
    public static let stepWhenFull = "Free some space there: FrameFast retries automatically."

    /// The next step for a person who runs a test and does not want to wait.
    public var stepByHand: String {
        if let nextStep { return nextStep }
        return switch kind {
        case .outage: "Check the server and the network connection, then test again."
        case .transient: "Test again. If the failure persists, check the server's log."
        case .permanent, .refused: "Check the server's log and the destination's settings."
        case .sourceAway: "Check the disk that holds the photos."
        case .cancelled: "Test again."
        }
    }
}
