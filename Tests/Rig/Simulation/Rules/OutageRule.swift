import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import UploadEngine

/// The rule that uploads resume soon after an outage of their destination: within ``graceSeconds``.
///
/// When a destination is available again, no upload waits for the time of its retry. The liveness phase does
/// not detect such a wait, because it accepts late uploads.
final class OutageRule: Sendable {
    /// The end of an outage.
    private struct Recovery: Sendable {
        var destination: DestinationName
        /// The time since the start of the simulation, in seconds.
        var at: Double
    }

    private struct State {
        /// The time of the last failure of each upload in this run of the service.
        var failures: [JobID: Double] = [:]
        /// The time at which each destination became available again.
        var recoveries: [DestinationName: Double] = [:]
    }

    /// The time limit for queuing the waiting uploads after an outage, in seconds. The service repeats a
    /// failed commit of the ledger after 2 s.
    private static let graceSeconds = 10.0
    /// A time after which all tasks that were ready have run, in seconds.
    private static let eventSeconds = 0.001
    private static let jobsMax = 10_000
    /// The reason of uploads that wait because of an outage.
    private static let outage = "outage"

    private let environment: SimulatedEnvironment
    private let state = Mutex(State())
    private let (recoveries, recovery) = AsyncStream<Recovery>.makeStream()

    /// Creates the rule for one run of the service.
    init(_ environment: SimulatedEnvironment) { self.environment = environment }

    /// Handles an event of the upload service.
    func record(_ event: UploadEvent) {
        let now = environment.executor.uptime
        switch event {
        case .job(let job, _) where job.state == .retrying: state.withLock { $0.failures[job.id] = now }
        case .state(destination: let name, .ready):
            state.withLock { $0.recoveries[name] = now }
            recovery.yield(Recovery(destination: name, at: now))
        case .state(destination: let name, _): state.withLock { $0.recoveries[name] = nil }
        default: break
        }
    }

    /// Checks the uploads after each outage, until the service stops.
    func run(_ ledger: LedgerStore) async {
        for await recovery in recoveries {
            let pause = recovery.at + Self.graceSeconds - environment.executor.uptime
            guard (try? await environment.executor.clock.sleep(max(pause, 0))) != nil else { return }
            let waiting = await waitingUploads(after: recovery, ledger)
            guard !waiting.isEmpty else { continue }
            // The ledger may already record a new failure. The event of this failure then follows at the same
            // virtual time.
            guard (try? await environment.executor.clock.sleep(Self.eventSeconds)) != nil else { return }
            for id in await waitingUploads(after: recovery, ledger).intersection(waiting).sorted() {
                environment.violations.add(
                    "upload \(id) still waits, although the outage of \(recovery.destination) has ended")
            }
        }
    }

    /// Returns the uploads that failed before the end of an outage and still wait for their retry.
    private func waitingUploads(after recovery: Recovery, _ ledger: LedgerStore) async -> Set<JobID> {
        let filter = UploadFilter(destination: recovery.destination, state: .retrying)
        let jobs = (try? await ledger.uploads(filter, limit: Self.jobsMax)) ?? []
        let state = self.state.withLock(\.self)
        guard state.recoveries[recovery.destination] == recovery.at, !environment.disk.isKilled else {
            return []
        }
        return Set(
            jobs.filter { job in
                job.reason == Self.outage && state.failures[job.id].map { $0 < recovery.at } ?? false
            }.map(\.id))
    }
}
