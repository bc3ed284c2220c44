import FrameFastModel

/// Something that attempts of an upload may have left at a destination: it is removed there, also later.
struct UploadLeftover: Codable, Hashable, Sendable {
    var job: JobID
    var remoteName: String
    var bytes: UInt64
    var sha256: String
    var resumePoint: String?

    /// The leftover of a job, or `nil` if no attempt of it was begun.
    init?(_ job: UploadJob, sha256: String?) {
        guard job.claimedAt != nil, job.state != .delivered, let sha256 else { return nil }
        self.job = job.id
        remoteName = job.remoteName
        bytes = job.bytes
        self.sha256 = sha256
        resumePoint = job.resumePoint
    }

    /// The upload, as a destination knows it.
    func item(station: String) -> UploadItem {
        UploadItem(
            jobID: job, localPath: "", bytes: bytes, sha256: sha256, station: station,
            remoteName: remoteName, resumePoint: resumePoint)
    }
}
