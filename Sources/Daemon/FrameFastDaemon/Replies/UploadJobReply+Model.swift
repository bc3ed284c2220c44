import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import UploadEngine

/// From the queue's jobs to the wire's.
extension UploadJobReply {
    /// A job with the photo that it sends.
    ///
    /// - Parameter configured: Destinations that there are now: a job for another one cannot be sent.
    init(
        _ job: UploadJob, _ record: CaptureRecord?, naming: CaptureNaming, configured: [DestinationName]
    ) {
        let hold = job.state == .held ? job.hold : nil
        let camera = naming.camera(job.bodyID)
        let isRemoved = job.state != .delivered && !configured.contains(job.destination)
        let trouble =
            isRemoved
            ? (RemovedDestination.sentence, RemovedDestination.nextStep(job.destination))
            : (hold?.sentence ?? job.sentence, hold?.nextStep ?? job.nextStep)
        self.init(
            id: job.id, capture: job.captureID, originalName: record?.object.name ?? job.fileName,
            path: record?.path ?? "", cameraID: camera.id, cameraName: camera.name, session: job.sessionID,
            destination: job.destination, isRemoved: isRemoved, state: .init(rawValue: job.state.rawValue),
            hold: hold.map { .init(rawValue: $0.rawValue) }, reason: trouble.0, nextStep: trouble.1,
            attempts: job.attempts, retryAt: job.nextAttemptAt, bytes: Int64(clamping: job.bytes),
            bytesSent: Int64(clamping: job.sentBytes), proof: job.delivery.map { .init(rawValue: $0.proof) },
            evidence: job.delivery?.evidence, remoteName: job.delivery?.remoteName ?? job.remoteName,
            updatedAt: job.deliveredAt ?? job.claimedAt ?? job.createdAt)
    }
}

extension UploadJob {
    /// The last part of the wanted name: what is told where the photo itself is not looked up.
    fileprivate var fileName: String { remoteName.split(separator: "/").last.map(String.init) ?? remoteName }
}
