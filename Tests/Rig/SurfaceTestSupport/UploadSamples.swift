public import FrameFastAPI

extension Samples {
    /// A ready destination, an unreachable destination and a paused destination.
    public static let destinations = [
        DestinationReply(
            name: "nas", kind: .directory, location: "/mnt/nas/photos", state: .ready, since: time,
            statistics: UploadStatisticsReply(held: 3, queued: 12, uploading: 2, delivered: 1190),
            bytesPerSecond: 11_200_000),
        DestinationReply(
            name: "agency", kind: .sftp, location: "upload@sftp.example.com:/in", state: .away,
            breaker: .open, since: time,
            statistics: UploadStatisticsReply(delivered: 80, retrying: 40, failed: 1),
            lastError: UploadErrorReply(
                at: time, sentence: "sftp.example.com did not answer within 10 s.",
                nextStep: "Check the network of this host.")),
        DestinationReply(
            name: "archive", kind: .s3, location: "s3://archive at s3.example.com", state: .paused,
            since: time),
    ]

    /// Returns a job in this state, with matching fields.
    public static func job(
        _ id: Int64, _ state: UploadJobReply.State, to destination: DestinationName = "nas"
    )
        -> UploadJobReply
    {
        var job = UploadJobReply(
            id: JobID(rawValue: id), capture: CaptureID(rawValue: id), originalName: "IMG_000\(id).JPG",
            path: "/photos/\(id).jpg",
            cameraID: "studio-a", cameraName: "studio-a", session: 1, destination: destination, state: state,
            bytes: 8_100_000,
            updatedAt: time)
        switch state {
        case .held: job.reason = "The session shoots offline."
        case .uploading:
            job.attempts = 1
            job.bytesSent = 3_240_000
        case .verifying:
            job.attempts = 1
            job.bytesSent = 8_100_000
        case .delivered:
            job.attempts = 1
            job.bytesSent = 8_100_000
            job.proof = Word(.checksum)
            job.evidence = "sha256 00ff"
            job.remoteName = "Wedding/IMG_000\(id).JPG"
        case .retrying:
            job.attempts = 2
            job.reason = "sftp.example.com did not answer within 10 s."
            job.retryAt = time
        case .failed:
            job.attempts = 1
            job.reason = "The password was refused."
            job.nextStep = "Put the right password into the secret file of this destination."
        default: break
        }
        return job
    }

    /// One job in each state, newest first.
    public static let jobs = [
        job(7, .held), job(6, .queued), job(5, .uploading), job(4, .verifying), job(3, .delivered),
        job(2, .retrying, to: "agency"), job(1, .failed, to: "agency"),
    ]

    /// A reply with real-time upload in the running session.
    public static let mode = ModeReply(
        mode: .realtime, session: 1, sessionName: "Bangkok Wedding", held: 3,
        sentence: "Each photo is uploaded as soon as it is saved.")

    /// The result of a failed destination test.
    public static let destinationTest = DestinationTestReply(
        destination: "agency", ok: false, sentence: "The password was refused.",
        nextStep: "Put the right password into the secret file of this destination.",
        steps: ["Connected to sftp.example.com.", "Signing in failed."], tookMs: 240)

    /// A storage summary with a session and photos without a session.
    public static let storage = StorageSummaryReply(
        total: .init(files: 1204, bytes: 31_200_000_000), uploaded: .init(files: 1150, bytes: 29_900_000_000),
        pending: .init(files: 52, bytes: 1_240_000_000), failed: .init(files: 2, bytes: 60_000_000),
        cleared: .init(files: 900, bytes: 23_400_000_000),
        sessions: [
            SessionStorageReply(
                session: 1, name: "Bangkok Wedding", keep: "until-delivered",
                total: .init(files: 212, bytes: 5_500_000_000),
                uploaded: .init(files: 160, bytes: 4_200_000_000),
                pending: .init(files: 52, bytes: 1_240_000_000)),
            SessionStorageReply(
                keep: "forever", total: .init(files: 992, bytes: 25_700_000_000),
                uploaded: .init(files: 990, bytes: 25_700_000_000),
                failed: .init(files: 2, bytes: 60_000_000),
                cleared: .init(files: 900, bytes: 23_400_000_000)),
        ])
}
