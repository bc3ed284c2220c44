import FrameFastSystem
import Logging
import Synchronization

/// A log for the reason why the daemon refuses members of the group. Refusals themselves are not logged,
/// because any user could fill the log.
final class RefusalLog: Sendable {
    private let problem: String?
    private let logger: Logger
    private let isLogged = Atomic(false)

    init(policy: AccessPolicy, logger: Logger) {
        problem = policy.membershipProblem
        self.logger = logger
    }

    /// Logs why the daemon cannot recognize members of the group, at most once per run of the daemon.
    func logMembershipProblem(of peer: PeerCredentials) {
        guard let problem, !isLogged.exchange(true, ordering: .relaxed) else { return }
        logger.warning("\(problem)", metadata: ["pid": "\(peer.pid)"])
    }
}
