import FrameFastSystem
import Logging
import Synchronization

/// Logs why people are refused who should be let in. A stranger who is refused is not logged: anybody could fill the log.
final class RefusalLog: Sendable {
    private let problem: String?
    private let logger: Logger
    private let isLogged = Atomic(false)

    init(policy: AccessPolicy, logger: Logger) {
        problem = policy.membershipProblem
        self.logger = logger
    }

    /// Takes note of a peer that is refused, or may look only: once in the life of the service.
    func note(_ peer: PeerCredentials) {
        guard let problem, !isLogged.exchange(true, ordering: .relaxed) else { return }
        logger.warning("\(problem)", metadata: ["pid": "\(peer.pid)"])
    }
}
