import Foundation
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
        fields = record.fields
        isNameChosen = target.isNameChosen
        isFirstTry = claim.isFirstTry
    }
    /// How the resume point of a place begins that has none of its own: with what lies beside the photo.
    private static let companionStart = "<?xml"

    /// The item with what is to lie beside the photo, the same for every try: what was first made of it is kept as the job's
    /// resume point, for places that have none of their own.
    func withCompanion(
        _ policy: SidecarPolicy?, of photo: Photo, store: LedgerStore
    ) async -> UploadItem {
        guard let policy, policy.xmp.path(beside: remoteName, of: photo.record.kind) != nil else {
            return self
        }
        var item = self
        var text = resumePoint.flatMap { $0.hasPrefix(Self.companionStart) ? $0 : nil }
        if text == nil, let (photo, words) = try? await store.said(of: photo.id),
            let bytes = try? policy.bytes(of: .xmp, for: photo, words, madeAt: Date())
        {
            let new = String(decoding: bytes, as: UTF8.self)
            if resumePoint == nil { await saveResumePoint(new) }
            text = new
        }
        item.companion = text.map {
            UploadCompanion(naming: policy.xmp, kind: photo.record.kind, bytes: Array($0.utf8))
        }
        return item
    }
}
