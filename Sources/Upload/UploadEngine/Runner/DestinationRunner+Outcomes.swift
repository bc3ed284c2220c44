import Foundation
import FrameFastModel
import FrameFastSystem

/// Recording the outcomes of attempts.
extension DestinationRunner {
    /// Records that an attempt delivered its photo. The delivery ends reports of repeated failures and of a
    /// shortage.
    ///
    /// - Parameter attempt: The number from ``RefusalClassifier/beginAttempt()``.
    /// - Returns: The event for the ledger.
    func recordDelivery(
        _ receipt: UploadReceipt, of item: UploadItem, attempt: Int, at now: Date
    ) async -> UploadJob.Event {
        SimulatedHost.pass(.uploadConfirmed)
        sources.recordRead(of: item.localPath)
        await nameNotice.logOnce(for: target, ledger.logger)
        history.recordDelivery(item.bytes, at: now)
        refusalClassifier.recordDelivery(attempt: attempt)
        repeated.recordDelivery(of: item.jobID)
        reportRepeatedFailures()
        reportShortage(nil)
        leftovers.recordReachableDestination(at: now)
        recordSuccess()
        return .delivered(receipt.delivery, at: now)
    }

    /// Records that an attempt failed, and reports a shortage or an unreadable photo.
    ///
    /// - Parameters:
    ///   - job: The job before the failure.
    ///   - path: The path of the job's photo.
    /// - Returns: The event for the ledger.
    func recordFailedAttempt(
        _ failure: UploadFailure, of job: UploadJob, _ path: String, at now: Date
    ) async -> UploadJob.Event {
        recordFailure(failure, of: job, at: now)
        if failure.kind != .cancelled { reportShortage(failure.shortage) }
        if failure.kind == .sourceAway, failure.shortage == nil {
            await handleUnreadableSource(failure, path)
        }
        return .failed(failure.failedAttempt, at: now, jitter: clock.random())
    }
}

extension UploadReceipt {
    fileprivate var delivery: UploadJob.Delivery {
        UploadJob.Delivery(
            remoteName: remoteName, proof: proof.rawValue, evidence: evidence, alreadyExisted: alreadyExisted)
    }
}
