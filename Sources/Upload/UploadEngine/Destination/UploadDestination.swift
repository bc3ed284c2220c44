public import FrameFastModel
public import SystemPackage

/// A place that photos go to: the port that each kind of destination implements.
///
/// The engine calls it from its workers, at most as many at a time as the destination allows. An implementation never
/// replaces another photo, never leaves a part under the final name, and returns only when the remote copy was verified
/// as far as the protocol can ("done" means verified).
public protocol UploadDestination: Sendable {
    /// Brings one photo there.
    ///
    /// Cancelled when the service stops, the destination is paused or the job is dropped: then it throws
    /// ``UploadFailure/Kind/cancelled`` soon, and what it noted in ``UploadItem/saveResumePoint`` is given back with the
    /// next attempt.
    ///
    /// A worker cancels it, too, if it shows neither progress nor activity for long: what sends no bytes reports
    /// ``UploadActivity/current``.
    ///
    /// - Parameter progress: Told the bytes that are there so far, now and then.
    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt

    /// Whether the place can be reached now. Cheap: it is asked every few seconds while the destination is away.
    func probe() async throws(UploadFailure)

    /// Uploads a small probe under a name of its own, verifies and removes it. For `destinations test`.
    func test() async throws(UploadFailure)

    /// Takes a probe away again.
    ///
    /// - Parameter name: Under which it was delivered.
    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure)

    /// Whether a probe may be uploaded unasked, to find out whom a refusal concerns: it is removed afterwards, and
    /// nobody is told of it.
    var takesProbes: Bool { get }

    /// Whether a refusal of the place is meant for one photo: a person's own program says so by its exit code.
    var refusesSinglePhotos: Bool { get }

    /// Removes what attempts of an upload left at the place: parts of the photo under names that only this upload makes,
    /// and unfinished uploads. Nothing that has a photo's final name.
    ///
    /// - Parameter item: The upload, with the resume point of its last attempt. Its local file may be gone.
    func discard(_ item: UploadItem) async throws(UploadFailure)

    /// Tries the place out again before the next upload: what it refused before may work now.
    func relearn() async

    /// Reads passwords and keys anew before the next upload: a person may have corrected them.
    func renew() async

    /// Takes the place for the destination from now on, after a person put another one there on purpose.
    func adopt() async throws(UploadFailure)

    /// Gives back connections and child processes.
    func close() async

    /// Whether the place replaces what has a name already; `nil` as long as that was not found out, or where names are
    /// not ours to make.
    func replacesTakenNames() async -> Bool?

    /// What cannot work in its settings, for people; found without reaching the place. Empty when nothing is wrong.
    var faults: [String] { get }
}

extension UploadDestination {
    /// Nothing that could be found.
    public var faults: [String] { [] }

    /// It refuses, or nobody knows.
    public func replacesTakenNames() async -> Bool? { nil }

    /// What was uploaded can be removed again.
    public var takesProbes: Bool { true }

    /// A refusal may concern every photo.
    public var refusesSinglePhotos: Bool { false }

    /// Nothing is left by an attempt that has ended.
    public func discard(_ item: UploadItem) async throws(UploadFailure) {}

    /// Nothing was learned.
    public func relearn() async {}

    /// Nothing is kept but what the settings say.
    public func renew() async {}

    /// Uploads a probe, verifies it and takes it away again.
    public func test() async throws(UploadFailure) {
        let probe = try ProbePhoto()
        let receipt = try await upload(probe.item) { _ in }
        do throws(UploadFailure) { try await remove(probe.item, named: receipt.remoteName) } catch {
            throw UploadFailure(
                error.kind,
                "The probe \(receipt.remoteName) was uploaded and verified, but cannot be removed again: "
                    + error.sentence, nextStep: "Remove it by hand; photos are not affected.")
        }
    }

    /// Whether a small file is taken where a photo was refused. What cannot be removed again is left.
    func acceptsProbe(like item: UploadItem) async throws(UploadFailure) {
        let probe = try ProbePhoto(like: item)
        let receipt = try await upload(probe.item) { _ in }
        try? await remove(probe.item, named: receipt.remoteName)
    }

    /// Most places are known by their address and not by what is in them.
    public func adopt() async throws(UploadFailure) {
        throw UploadFailure(
            .permanent(.misconfigured), "Only a destination of kind directory can be adopted.",
            nextStep: "Change this one in the configuration.")
    }
}

/// One photo on its way to one destination.
public struct UploadItem: Sendable {
    /// The job's number; the same for every attempt.
    public var jobID: JobID
    /// Absolute path of the file.
    public var localPath: String
    /// Bytes of the file, as recorded when it was saved.
    public var bytes: UInt64
    /// SHA-256 as recorded when it was saved, lower-case hex.
    public var sha256: String
    /// This installation among those that send to the same place; see ``Station``.
    public var station: String
    /// Name at the destination: a relative path of cleaned parts joined by `/`, without `.` and `..`.
    public var remoteName: String
    /// Whether a person's template made the name: then it is kept as it is also where a server cannot refuse a name
    /// that is taken.
    public var isNameChosen = false
    /// Whether no try of this job was begun before: a name that only this upload makes cannot be there then.
    public var isFirstTry = false
    /// What is known of the photo and of its upload, for commands, addresses and headers.
    public var facts: Facts
    /// What an earlier attempt noted; `nil` for a fresh start.
    public var resumePoint: String?
    /// Notes how far the upload is, durably, for the next attempt: an upload id with its parts, an offset. Short text.
    public var saveResumePoint: @Sendable (String?) async -> Void
    /// The destination's share of the line; `nil` when nothing limits it. Ask it before sending bytes, unless the limit
    /// is held elsewhere: libcurl, SFTP and rclone have it in their settings, a command is told.
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

/// What came of an upload.
public struct UploadReceipt: Hashable, Sendable {
    /// How the remote copy was verified.
    public enum Proof: String, Hashable, Sendable, CaseIterable {
        /// A checksum of the remote bytes equals ours.
        case checksum
        /// The remote size equals ours.
        case size
        /// The other side said that it has it; its protocol offers no more (`command`).
        case word
    }

    /// The name under which it is there: the wanted one, or one with a suffix where that was taken by another photo.
    public var remoteName: String
    /// How the remote copy was verified.
    public var proof: Proof
    /// What was compared, for the record, for example `etag 9e107d9d…` or `size 8388608`.
    public var evidence: String
    /// Whether the same photo was there already, so that nothing was sent.
    public var wasThere: Bool

    /// Creates a receipt.
    public init(remoteName: String, proof: Proof, evidence: String, wasThere: Bool = false) {
        self.remoteName = remoteName
        self.proof = proof
        self.evidence = evidence
        self.wasThere = wasThere
    }
}

/// Why an upload did not succeed, in terms that the queue can act on.
public struct UploadFailure: Error, Hashable, Sendable {
    /// What the queue does about it.
    public enum Kind: Hashable, Sendable {
        /// The place cannot be reached, or has trouble of its own (network, server error, full disk there): tried
        /// again for ever, and counted against the destination's breaker. `retryAfterSeconds` when it said when.
        case outage(retryAfterSeconds: Double?)
        /// Something about this photo's transfer went wrong (cut, wrong checksum): tried again.
        case transient
        /// A permanent answer: no attempt will be different until a person changes something. Whether it is the photo
        /// that is refused or every photo, ``RefusalRule`` decides.
        case permanent(Reason)
        /// The destination refuses us, whatever the photo is, until a person changes something. Made by the worker.
        case refused(Reason)
        /// The photo's file cannot be reached on this computer for now; see ``LocalTrouble``.
        case sourceAway
        /// We stopped it.
        case cancelled
    }

    /// Why it is permanent.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The local file is not in its folder any more, or has another size.
        case fileGone = "file-gone"
        /// The local file has other bytes than the photo that was saved.
        case fileChanged = "file-changed"
        /// Not signed in: wrong password, key or signature (401 and kin).
        case unauthorised
        /// Signed in, and not allowed (403 and kin).
        case forbidden
        /// The bucket, folder or path is not there and cannot be made (404 and kin).
        case notFound = "not-found"
        /// Something stands in the way there (409 and kin).
        case conflict
        /// Larger than the other side takes (413 and kin).
        case tooLarge = "too-large"
        /// The other side does not take such a file (422 and kin).
        case unprocessable
        /// Certificate or host key cannot be trusted.
        case untrusted
        /// The destination's settings cannot work.
        case misconfigured
        /// The other side has no room left, or the quota there is used up (507 and kin).
        case full
    }

    /// What the queue does about it.
    public var kind: Kind
    /// What happened, as a sentence for people.
    public var sentence: String
    /// What a person can do; `nil` when nothing but waiting.
    public var nextStep: String?
    /// The step that failed, or `nil` if no server was asked.
    public var step: UploadStep?
    /// The kernel's reason if this computer has too few files, processes or memory left; `nil` for another failure.
    public private(set) var shortage: Errno?

    /// Creates a failure.
    ///
    /// - Parameter sentence: What happened, and not to which photo or destination: whoever shows it names these. It is
    ///   kept as ``FailureSentence`` makes it.
    public init(_ kind: Kind, _ sentence: String, nextStep: String? = nil, step: UploadStep? = nil) {
        self.kind = kind
        self.step = step
        self.sentence = FailureSentence(sentence).text
        self.nextStep = nextStep
    }

    /// We stopped it: what was cancelled ends so at every kind of destination.
    public static let stopped = UploadFailure(.cancelled, "The upload was stopped.")

    /// This computer has too few files, processes or memory left: one condition names that for all parts of the service.
    ///
    /// - Parameter subject: What does not work, as the beginning of a sentence.
    public static func shortage(_ subject: String, _ reason: Errno) -> UploadFailure {
        var failure = UploadFailure(
            .sourceAway, "\(subject) now: \(reason).",
            nextStep: "Nothing to do: uploads resume automatically.")
        failure.shortage = reason
        return failure
    }

    /// The place has no room left: the next step is the same at each.
    ///
    /// - Parameter sentence: What is full, as a sentence for people.
    public static func full(_ sentence: String) -> UploadFailure {
        UploadFailure(.permanent(.full), sentence, nextStep: stepWhenFull)
    }

    /// What to do when a place has no room left.
    public static let stepWhenFull = "Free some space there: it is retried automatically."

    /// What a person can do who tries it by hand now and does not want to wait.
    public var stepByHand: String {
        if let nextStep { return nextStep }
        return switch kind {
        case .outage: "Check that the server runs and the network between, then test again."
        case .transient: "Test again; if it stays, check the server's log."
        case .permanent, .refused: "Check the server's log and the destination's settings."
        case .sourceAway: "Check the disk that holds the photos."
        case .cancelled: "Test again."
        }
    }
}
