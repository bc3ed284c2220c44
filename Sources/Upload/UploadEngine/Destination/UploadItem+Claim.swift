import Foundation
import FrameFastModel
import Store

extension UploadItem {
    /// What a destination gets of a job that was claimed for it.
    init(
        _ claim: ClaimedUpload, to target: UploadTarget, from station: Station, pace: UploadPace?,
        store: LedgerStore
    ) {
        var facts = [
            "CAMERA": claim.camera, "KIND": claim.job.kind.rawValue, "NAME": claim.capture.object.name,
            "DESTINATION": target.name.rawValue,
        ]
        if let session = claim.session { facts["SESSION"] = session }
        let takenAt = claim.capture.object.cameraTime.map { Date(timeIntervalSince1970: Double($0)) }
        facts["CAPTURED_AT"] = (takenAt ?? claim.capture.detectedAt).formatted(.iso8601)
        let id = claim.job.id
        self.init(
            jobID: id, localPath: claim.capture.path ?? "", bytes: claim.job.bytes,
            sha256: claim.capture.sha256 ?? "", station: station.name, remoteName: claim.job.remoteName,
            facts: facts, resumePoint: claim.job.resumePoint
        ) { point in
            // Only a help for the next try: that starts over without it.
            try? await store.saveResumePoint(point, job: id)
        }
        self.pace = pace
        isNameChosen = target.isNameChosen
    }
}
