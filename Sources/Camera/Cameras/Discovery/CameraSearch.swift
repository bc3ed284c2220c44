import FoundationEssentials
public import FrameFastSystem
import Synchronization
import SystemIO

/// A search for cameras at given addresses. The search keeps the connections to cameras that wait for the
/// user's approval.
///
/// If the search disconnects, the camera removes the approval request from its screen. The camera sends the
/// result over the same connection. The search therefore keeps the connection for
/// ``NetworkProbe/TimeLimits/acknowledgement``, even if the client that requested the search disconnects.
public final class CameraSearch: Sendable {
    /// The outcome for a camera that waited for the user's approval.
    public typealias Outcome = Result<FoundCamera, ProbeFailure>

    /// The approval state of a camera.
    public enum Approval: Sendable {
        /// The camera is still waiting.
        case waiting(ProbeReport.WaitingCamera)
        /// The user accepted or refused, or the approval timed out.
        case decided(Outcome)
    }

    /// The maximum duration of one ``approval(of:)`` call, which is shorter than the reply timeout of a
    /// client of the daemon's socket.
    public static let waitMax = Duration.seconds(8)

    private struct PendingApproval {
        var waiting: ProbeReport.WaitingCamera
        /// The outcome, which has no value while the camera is waiting.
        let outcome = AsyncResult<Outcome>()
    }

    private struct State {
        var approvals: [NetworkAddress: PendingApproval] = [:]
    }

    private let state = Mutex(State())
    private let guid: ServiceGUID
    private let timeLimits: NetworkProbe.TimeLimits
    private let sweepTimeLimits: NetworkProbe.TimeLimits
    private let clock: HostClock

    /// Creates a search.
    ///
    /// - Parameter clock: The clock of the time limits.
    public init(
        guid: ServiceGUID, timeLimits: NetworkProbe.TimeLimits = .search,
        sweepTimeLimits: NetworkProbe.TimeLimits = .sweep, clock: HostClock = .system
    ) {
        self.guid = guid
        self.timeLimits = timeLimits
        self.sweepTimeLimits = sweepTimeLimits
        self.clock = clock
    }

    /// Probes each address once. Skips addresses of cameras that already wait for the user's approval.
    ///
    /// - Parameter isSweep: Whether most of the addresses are expected to be unused.
    public func search(_ addresses: [NetworkAddress], isSweep: Bool = false) async -> ProbeReport {
        let held = state.withLock { state in
            state.approvals = state.approvals.filter { $0.value.outcome.value == nil }
            return state.approvals.mapValues(\.waiting)
        }
        let fresh = addresses.filter { held[$0] == nil }
        var report = await probe(fresh, isSweep ? sweepTimeLimits : timeLimits)
        report.waiting += Set(addresses).compactMap { held[$0] }
        report.waiting.sort { $0.address.host < $1.address.host }
        return report
    }

    /// Waits for the user's decision on the camera, up to ``waitMax``.
    ///
    /// - Returns: The approval state, or `nil` if no camera at this address is waiting.
    public func approval(of address: NetworkAddress) async -> Approval? {
        guard let outcome = state.withLock({ $0.approvals[address]?.outcome }) else { return nil }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await outcome.waitUnlessCancelled() }
            group.addTask { [clock] in try? await clock.sleep(for: Self.waitMax) }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { state in
            guard let approval = state.approvals[address] else { return nil }
            return approval.outcome.value.map(Approval.decided) ?? .waiting(approval.waiting)
        }
    }

    private func probe(_ addresses: [NetworkAddress], _ timeLimits: NetworkProbe.TimeLimits) async
        -> ProbeReport
    {
        guard !addresses.isEmpty, let stop = try? WakeDescriptor() else { return ProbeReport() }
        // The caller receives one report. The thread continues to wait for approvals.
        let report = AsyncResult<ProbeReport>()
        return await withTaskCancellationHandler {
            NetworkProbe(guid: guid, timeLimits: timeLimits, clock: clock).start(addresses, until: stop) {
                event in
                switch event {
                case .reported(let found):
                    self.recordPending(found.waiting)
                    report.set(found)
                case .decided(let address, let outcome): self.setOutcome(of: address, to: outcome)
                case .ended: _ = stop
                }
            }
            return await report.wait()
        } onCancel: {
            // If the client disconnects before the report, the search stops. After the report, the
            // connections to waiting cameras stay open.
            if report.value == nil { stop.signal() }
        }
    }

    private func recordPending(_ waiting: [ProbeReport.WaitingCamera]) {
        state.withLock { state in
            for camera in waiting {
                // A second search must not replace an outcome that callers of `approval(of:)` wait for.
                if let pending = state.approvals[camera.address], pending.outcome.value == nil {
                    state.approvals[camera.address]?.waiting = camera
                } else {
                    state.approvals[camera.address] = PendingApproval(waiting: camera)
                }
            }
        }
    }

    private func setOutcome(of address: NetworkAddress, to outcome: Outcome) {
        let pending = state.withLock { $0.approvals[address]?.outcome }
        pending?.set(outcome)
    }
}
