public import FrameFastModel
public import SystemPackage

/// A location that receives photos. Each kind of destination implements this protocol.
///
/// The runner limits the number of concurrent uploads to the destination's setting. An implementation never
/// replaces another photo. If the protocol allows it, a partial file never has the final name. An upload
/// returns only after it has verified the remote copy as far as the protocol allows.
public protocol UploadDestination: Sendable {
    /// Uploads one photo and verifies the remote copy.
    ///
    /// The runner cancels the task if the service stops, if the job is dropped, or if a person pauses the
    /// destination. The runner also cancels an upload without progress or activity. Work that sends no bytes
    /// must therefore report to ``UploadActivity/current``. After a cancellation, the upload must throw
    /// ``UploadFailure/Kind/cancelled`` within a few seconds. The next attempt receives the resume point that
    /// ``UploadItem/saveResumePoint`` stored.
    ///
    /// - Parameter progress: Called repeatedly with the number of bytes sent so far.
    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt

    /// Checks whether the destination is reachable. During an outage, the runner calls this every few
    /// seconds, so the check must be cheap.
    func probe() async throws(UploadFailure)

    /// Uploads a small probe under a unique name, verifies it and deletes it. `destinations test` calls this.
    func test() async throws(UploadFailure)

    /// Deletes an uploaded probe.
    ///
    /// - Parameter name: The probe's name at the destination, from the receipt of its upload.
    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure)

    /// Whether the runner may upload a probe to find out if a refusal concerns only one photo. The runner
    /// deletes the probe afterwards. The probe must not notify any person.
    var acceptsProbes: Bool { get }

    /// Whether every refusal concerns only one photo. `true` for a user's program, whose exit code applies
    /// only to the photo of that run.
    var refusesSinglePhotos: Bool { get }

    /// Deletes the partial files and unfinished multipart uploads that the attempts of an upload left. The
    /// names of these files are unique to the upload. The function never deletes a file with a photo's final
    /// name.
    ///
    /// - Parameter item: The upload, with the resume point of its last attempt. Its local file may be
    ///   missing.
    func discardLeftovers(of item: UploadItem) async throws(UploadFailure)

    /// Resets the feature observations. The next upload tries all features again.
    func relearnFeatures() async

    /// Reads passwords and keys again before the next upload, because a person may have corrected them.
    func renewCredentials() async

    /// Accepts the current folder as the destination, after a person replaced the disk or share.
    func adoptPlace() async throws(UploadFailure)

    /// Closes connections and ends child processes.
    func close() async

    /// Returns whether the destination replaces an existing file of the same name. `nil` if this is unknown,
    /// or if the upload does not choose the name.
    func replacesTakenNames() async -> Bool?

    /// The errors in the settings that can be found without a connection to the destination, as text for
    /// people.
    var faults: [String] { get }
}

extension UploadDestination {
    /// Returns no errors.
    public var faults: [String] { [] }

    /// Returns `nil`, because the behavior is unknown. No notice then says that the destination replaces
    /// files.
    public func replacesTakenNames() async -> Bool? { nil }

    /// Returns `true`, because the destination can delete files.
    public var acceptsProbes: Bool { true }

    /// Returns `false`, because a refusal may concern every photo.
    public var refusesSinglePhotos: Bool { false }

    /// Does nothing, because a finished attempt leaves no files.
    public func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {}

    /// Does nothing, because the destination stores no observations.
    public func relearnFeatures() async {}

    /// Does nothing, because the settings contain all credentials.
    public func renewCredentials() async {}

    /// Uploads a probe, verifies it and deletes it.
    public func test() async throws(UploadFailure) {
        let probe = try ProbePhoto()
        let receipt = try await upload(probe.item) { _ in }
        do throws(UploadFailure) { try await remove(probe.item, named: receipt.remoteName) } catch {
            throw UploadFailure(
                error.kind,
                "The probe \(receipt.remoteName) was uploaded and verified, but cannot be removed: "
                    + error.sentence, nextStep: "Remove the probe manually. Photos are not affected.")
        }
    }

    /// Checks whether the destination accepts a small file in the folder where it refused a photo. A probe
    /// that can't be deleted stays at the destination.
    func acceptsProbe(like item: UploadItem) async throws(UploadFailure) {
        let probe = try ProbePhoto(like: item)
        let receipt = try await upload(probe.item) { _ in }
        try? await remove(probe.item, named: receipt.remoteName)
    }

    /// Throws a failure, because only a folder has an identity that can be adopted.
    public func adoptPlace() async throws(UploadFailure) {
        throw UploadFailure(
            .permanent(.misconfigured), "Only a destination of kind directory can be adopted.",
            nextStep: "Change the destination in the configuration.")
    }
}

/// One photo that is uploaded to one destination.
public struct UploadItem: Sendable {
    /// The job's number. All attempts of a job have the same number.
    public var jobID: JobID
    /// The absolute path of the local file.
    public var localPath: String
    /// The file's size in bytes, as recorded when the photo was saved.
    public var bytes: UInt64
    /// The file's SHA-256 in lower-case hex, as recorded when the photo was saved.
    public var sha256: String
    /// The short name of this installation, which distinguishes its files from those of other installations.
    /// See ``Station``.
    public var station: String
    /// The name at the destination: a relative path of sanitized components, without `.` and `..`.
    public var remoteName: String
    /// Whether a user-defined template created the name. If `true`, uploads use this name even if the server
    /// replaces existing files.
    public var isNameChosen = false
    /// Whether this is the job's first attempt. If `true`, the destination has no files of an earlier
    /// attempt.
    public var isFirstTry = false
    /// The facts about the photo and its upload, for commands, URLs and headers.
    public var facts: Facts = [:]
    /// The resume point of an earlier attempt, or `nil` to start from the beginning.
    public var resumePoint: String?
    /// Stores a short resume point durably for the next attempt, for example an upload ID with its parts, or
    /// an offset.
    public var saveResumePoint: @Sendable (String?) async -> Void = { _ in }
    /// The bandwidth limit, or `nil` for no limit. Reserve bandwidth before sending bytes, unless libcurl,
    /// SFTP, rclone or a command enforces the limit.
    public var pace: UploadPace?
}

/// The result of a successful upload.
public struct UploadReceipt: Hashable, Sendable {
    /// The method by which the upload verified the remote copy.
    public typealias Proof = UploadProof

    /// The name at the destination, with a suffix if another file already had the wanted name.
    public var remoteName: String
    /// The method by which the upload verified the remote copy.
    public var proof: Proof
    /// The compared value, for the job's record, for example `etag 9e107d9d…` or `size 8388608`.
    public var evidence: String
    /// Whether the destination already had the photo, and the upload sent no bytes.
    public var alreadyExisted: Bool

    /// Creates a receipt.
    public init(remoteName: String, proof: Proof, evidence: String, alreadyExisted: Bool = false) {
        self.remoteName = remoteName
        self.proof = proof
        self.evidence = evidence
        self.alreadyExisted = alreadyExisted
    }
}

/// The failure of an upload, classified by how the queue reacts.
public struct UploadFailure: Error, Hashable, Sendable {
    /// The class of a failure, which decides how the queue reacts.
    public enum Kind: Hashable, Sendable {
        /// The destination is unreachable or has an internal problem: a network error, a server error or a
        /// full disk. The runner retries without limit, and the breaker counts the failure.
        /// `retryAfterSeconds` is the delay that the server requested, or `nil` if it requested no delay.
        case outage(retryAfterSeconds: Double?)
        /// The transfer of this photo failed, for example because of a dropped connection or a wrong
        /// checksum. The runner retries the upload.
        case transient
        /// A permanent failure. Retries can't succeed until a person fixes the cause. ``RefusalRule`` decides
        /// whether the failure concerns this photo or every photo.
        case permanent(Reason)
        /// The destination refuses every photo until a person fixes the cause. Only the runner creates this
        /// kind.
        case refused(Reason)
        /// The photo's local file can't be read now, see ``LocalFailureMapping``, or this computer has a
        /// ``UploadFailure/shortage``.
        case sourceAway
        /// The service stopped the upload.
        case cancelled
    }

    /// The reason for a permanent failure.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The local file is missing from its folder, or has another size.
        case fileGone = "file-gone"
        /// The local file's bytes differ from the saved photo.
        case fileChanged = "file-changed"
        /// Authentication failed: wrong password, key or signature (401 and similar).
        case unauthorised
        /// The authenticated user lacks the permission (403 and similar).
        case forbidden
        /// The bucket, folder or path does not exist and can't be created (404 and similar).
        case notFound = "not-found"
        /// An existing file or folder at the destination blocks the upload (409 and similar).
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

    /// The class of the failure.
    public var kind: Kind
    /// A description of the failure, as a sentence for people.
    public var sentence: String
    /// The next step for a person, or `nil` for the kind's default.
    public var nextStep: String?
    /// The step that failed, or `nil` if the upload sent no request.
    public var step: UploadStep?
    /// The error number if this computer has run out of file descriptors, processes or memory. `nil` for
    /// other failures.
    public private(set) var shortage: Errno?

    /// Creates a failure.
    ///
    /// - Parameter sentence: A description without the names of the photo and the destination, which the
    ///   caller shows. The description is stored as a ``FailureSentence``.
    public init(_ kind: Kind, _ sentence: String, nextStep: String? = nil, step: UploadStep? = nil) {
        self.kind = kind
        self.step = step
        self.sentence = FailureSentence(sentence).text
        self.nextStep = nextStep
    }

    /// The failure of an upload that the service stopped.
    public static let stopped = UploadFailure(.cancelled, "The upload was stopped.")

    /// Returns the failure for a computer that has run out of file descriptors, processes or memory. One
    /// condition reports such a shortage for the whole service.
    ///
    /// - Parameter subject: The first words of the sentence, for example "rclone cannot be started".
    public static func shortage(_ subject: String, _ reason: Errno) -> UploadFailure {
        var failure = UploadFailure(
            .sourceAway, "\(subject) right now: \(reason).",
            nextStep: "No action is needed: uploads resume automatically.")
        failure.shortage = reason
        return failure
    }

    /// Returns the failure for a full destination, with the same next step for all kinds of destinations.
    ///
    /// - Parameter sentence: A sentence for people that says where no space is left.
    public static func full(_ sentence: String) -> UploadFailure {
        UploadFailure(.permanent(.full), sentence, nextStep: stepWhenFull)
    }

    /// The next step for a full destination.
    public static let stepWhenFull = "Free some space at the destination. FrameFast retries automatically."

    /// The next step for a person who runs a test by hand, which is not retried automatically.
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
