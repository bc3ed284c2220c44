import FrameFastModel
import Synchronization

/// The rule that a run of the service sends each photo to a server once: the service "uploads each saved
/// photo exactly once to each of its destinations" (`UploadService`).
///
/// The server recognizes a photo that it has, so a second upload leaves no second copy. After the server has
/// confirmed an upload, the service has no reason to repeat the upload in the same run. The next run may
/// repeat it, because a kill may come before the record of the delivery.
final class DeliveryRule: Sendable {
    private let server: DestinationName
    private let violations: ViolationLog
    private let confirmed = Mutex<Set<JobID>>([])

    /// Creates the rule for one run of the service.
    init(_ server: DestinationName, _ violations: ViolationLog) {
        (self.server, self.violations) = (server, violations)
    }

    /// Handles an upload that the server confirms.
    func recordConfirmation(of job: JobID) {
        guard !confirmed.withLock({ $0.insert(job).inserted }) else { return }
        violations.add("\(server) received upload \(job) again after it had confirmed the upload")
    }
}
