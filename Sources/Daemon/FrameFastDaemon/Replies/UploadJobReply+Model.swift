import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import UploadEngine

/// Creates API replies from the jobs of the upload queue.
extension UploadJobReply {
    /// Creates the reply for a job and its photo.
    ///
    /// - Parameter configured: The configured destinations. A job for a destination outside this list can't
    ///   be sent.
    init(
        _ job: UploadJob, _ record: CaptureRecord?, naming: CaptureNaming, configured: [DestinationName]
    ) {
        let hold = job.state == .held ? job.hold : nil
        let camera = naming.camera(job.bodyID)
        let isRemoved = job.state != .delivered && !configured.contains(job.destination)
        let problem =
            isRemoved
            ? (RemovedDestination.sentence, RemovedDestination.nextStep(job.destination))
            : (hold?.sentence ?? job.sentence, hold?.nextStep ?? job.nextStep)
        self.init(
            id: job.id, capture: job.captureID, originalName: record?.object.name ?? job.fileName,
            path: record?.path ?? "", cameraID: camera.id, cameraName: camera.name, session: job.sessionID,
            destination: job.destination, isRemoved: isRemoved, state: job.state,
            hold: hold, reason: problem.0, nextStep: problem.1,
            attempts: job.attempts, retryAt: job.nextAttemptAt, bytes: Int64(clamping: job.bytes),
            bytesSent: Int64(clamping: job.sentBytes), proof: job.delivery.map { Word(text: $0.proof) },
            evidence: job.delivery?.evidence, remoteName: job.delivery?.remoteName ?? job.remoteName,
            updatedAt: job.deliveredAt ?? job.claimedAt ?? job.createdAt)
    }
}

extension UploadJob {
    /// The last component of the remote name, for jobs whose photo was not queried.
    fileprivate var fileName: String { remoteName.split(separator: "/").last.map(String.init) ?? remoteName }
}
