import FrameFastModel

/// The partial files that the attempts of a job may have left at a destination. The runner deletes these
/// files, even after a restart.
struct UploadLeftover: Codable, Hashable, Sendable {
    var job: JobID
    var remoteName: String
    var bytes: UInt64
    var sha256: String
    var resumePoint: String?

    /// Creates the leftover of a job. Returns `nil` if no attempt has started, the photo is delivered, or its
    /// hash is unknown.
    init?(_ job: UploadJob, sha256: String?) {
        guard job.claimedAt != nil, job.state != .delivered, let sha256 else { return nil }
        self.job = job.id
        remoteName = job.remoteName
        bytes = job.bytes
        self.sha256 = sha256
        resumePoint = job.resumePoint
    }

    /// Returns the item with which the destination finds the partial files.
    func item(station: String) -> UploadItem {
        UploadItem(
            jobID: job, localPath: "", bytes: bytes, sha256: sha256, station: station,
            remoteName: remoteName, resumePoint: resumePoint)
    }
}
