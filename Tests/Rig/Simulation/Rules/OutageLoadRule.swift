import FrameFastModel
import Synchronization

/// The rule that an unreachable server receives few uploads.
///
/// "An outage opens the breaker. […] After the outage, a probe runs, then one trial job, then all jobs"
/// (`Sources/Upload/README.md`). Three failed uploads open the breaker, and the uploads that already run may
/// fail as well. From then on, the service sends only probes. The rule does not count the first seconds of an
/// outage, because uploads from before the outage may still succeed and close the breaker again.
final class OutageLoadRule: Sendable {
    private struct State {
        /// The start of the outage that the count belongs to.
        var start: Double?
        var refusals = 0
    }

    /// The number of consecutive failures that open the breaker.
    private static let failuresToOpen = 3
    /// The time in which all uploads and probes from before the outage end, in seconds.
    private static let graceSeconds = 10.0

    private let server: DestinationName
    private let refusalsMax: Int
    private let violations: ViolationLog
    private let state = Mutex(State())

    /// Creates the rule for one run of the service.
    ///
    /// - Parameter workers: The number of concurrent uploads.
    init(_ server: DestinationName, workers: Int, _ violations: ViolationLog) {
        self.server = server
        refusalsMax = Self.failuresToOpen + workers
        self.violations = violations
    }

    /// Handles an upload that fails because of an outage. Probes do not count.
    ///
    /// - Parameter start: The start of the outage, in seconds since the start of the simulation, like `now`.
    func recordRefusal(since start: Double, at now: Double) {
        guard now - start > Self.graceSeconds else { return }
        let refusals = state.withLock { state in
            if state.start != start { state = State(start: start) }
            state.refusals += 1
            return state.refusals
        }
        // Reports each outage once.
        guard refusals == refusalsMax + 1 else { return }
        violations.add("\(server) received more than \(refusalsMax) uploads during an outage")
    }
}
