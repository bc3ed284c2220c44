import FrameFastModel
import Store

extension UploadItem {
    /// What a destination gets of a job that was claimed for it.
    init(
        _ claim: ClaimedUpload, to target: UploadTarget, from station: Station, pace: UploadPace?,
        store: LedgerStore
    ) {
        let (job, record) = (claim.job, claim.photo.record)
        var facts = Facts(claim.photo, name: job.remoteName)
        facts[.job] = job.id.description
        facts[.destination] = target.name.rawValue
        // Servers are told neither where the file lies here nor what went wrong before, which may say so.
        facts[.file] = nil
        self.init(
            jobID: job.id, localPath: record.path ?? "", bytes: job.bytes, sha256: record.sha256 ?? "",
            station: station.name, remoteName: job.remoteName, facts: facts, resumePoint: job.resumePoint
        ) { point in
            // Only a help for the next try: that starts over without it.
            try? await store.saveResumePoint(point, job: job.id)
        }
        self.pace = pace
        isNameChosen = target.isNameChosen
        isFirstTry = claim.isFirstTry
    }
}
