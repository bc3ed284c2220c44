import FrameFastModel
import Store

extension UploadItem {
    /// Creates the item for a claimed job.
    init(
        _ claim: ClaimedUpload, to target: UploadTarget, from station: Station, pace: UploadPace?,
        store: LedgerStore
    ) {
        let (job, record) = (claim.job, claim.photo.record)
        var facts = Facts(claim.photo, name: job.remoteName)
        facts[.job] = job.id.description
        facts[.destination] = target.name.rawValue
        // Servers must not receive the local path.
        facts[.file] = nil
        self.init(
            jobID: job.id, localPath: record.path ?? "", bytes: job.bytes, sha256: record.sha256 ?? "",
            station: station.name, remoteName: job.remoteName, facts: facts, resumePoint: job.resumePoint
        ) { point in
            // A failed save is harmless: the next attempt starts from the beginning.
            try? await store.saveResumePoint(point, job: job.id)
        }
        self.pace = pace
        isNameChosen = target.isNameChosen
        isFirstTry = claim.isFirstTry
    }
}
