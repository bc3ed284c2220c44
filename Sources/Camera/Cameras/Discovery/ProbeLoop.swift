import FrameFastSystem
import Glibc
import SystemIO

/// An event loop that runs many probe attempts on one thread with `poll`.
struct ProbeLoop {
    /// The maximum number of addresses to probe at the same time. With two sockets per address, the probe
    /// stays far below a service's limit of 1,024 descriptors. The addresses fill an eighth of the kernel's
    /// neighbor table (1,024 entries), which the rest of the system also uses.
    static let parallelMax = 128
    /// The maximum number of cameras that wait for the user's approval in one search. The probe disconnects
    /// from any further camera that requires approval.
    static let pendingMax = 8

    private let handshakes: [PTPIPHandshake]
    private let timeLimits: NetworkProbe.TimeLimits
    private let clock: HostClock

    init(_ handshakes: [PTPIPHandshake], timeLimits: NetworkProbe.TimeLimits, clock: HostClock) {
        self.handshakes = handshakes
        self.timeLimits = timeLimits
        self.clock = clock
    }

    /// Blocks until every address has an outcome or the stop signal arrives.
    func run(until stop: WakeDescriptor, onEvent: (NetworkProbe.Event) -> Void) {
        defer { onEvent(.ended) }
        var waiting = handshakes[...]
        var active: [ProbeAttempt] = []
        var outcomes: [NetworkAddress: Result<FoundCamera, ProbeFailure>] = [:]
        var hasReported = false
        while true {
            while active.count < Self.parallelMax, let next = waiting.popFirst() {
                active.append(ProbeAttempt(next, timeLimits: timeLimits, clock: clock))
            }
            let isStopped = serve(active, stop)
            for attempt in active {
                guard let outcome = attempt.outcome else { continue }
                outcomes[attempt.address] = outcome
                if hasReported { onEvent(.decided(attempt.address, outcome)) }
            }
            active.removeAll { $0.outcome != nil }
            if isStopped {
                for attempt in active { attempt.abandon() }
                if !hasReported {
                    onEvent(.reported(report(outcomes, isCancelled: !active.isEmpty || !waiting.isEmpty)))
                }
                return
            }
            if !hasReported, waiting.isEmpty, active.allSatisfy(\.awaitsApproval) {
                for attempt in active.dropFirst(Self.pendingMax) {
                    attempt.timeOut()
                    outcomes[attempt.address] = attempt.outcome
                }
                active.removeAll { $0.outcome != nil }
                var report = report(outcomes, isCancelled: false)
                report.waiting = active.map(\.waiting)
                onEvent(.reported(report))
                hasReported = true
            }
            if active.isEmpty && waiting.isEmpty { return }
        }
    }

    /// Runs one round of `poll`.
    ///
    /// - Returns: Whether the stop signal arrived.
    private func serve(_ active: [ProbeAttempt], _ stop: WakeDescriptor) -> Bool {
        var entries = [pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)]
        var owners: [ProbeAttempt] = []
        for attempt in active where attempt.outcome == nil {
            let interests = attempt.interests
            entries += interests
            owners += interests.map { _ in attempt }
        }
        // Does not wait if an attempt already has an outcome, for example because `connect` failed.
        let hasOutcome = active.contains { $0.outcome != nil }
        _ = poll(
            &entries, nfds_t(entries.count),
            hasOutcome ? 0 : Self.milliseconds(until: active.map(\.wakesAt), clock))
        for (attempt, entry) in zip(owners, entries.dropFirst()) { attempt.handleEvents(entry) }
        let now = clock.uptime()
        for attempt in active { attempt.handleTimeouts(at: now) }
        return entries[0].revents != 0
    }

    /// Returns the time until the earliest of the uptimes, in milliseconds. Rounds up, because `poll` must
    /// not return before that uptime.
    static func milliseconds(until uptimes: [Double], _ clock: HostClock) -> Int32 {
        guard let first = uptimes.min() else { return 0 }
        let rest = (first - clock.uptime()) * 1_000
        return Int32(clamping: max(0, Int64(rest.rounded(.up))))
    }

    private func report(
        _ outcomes: [NetworkAddress: Result<FoundCamera, ProbeFailure>], isCancelled: Bool
    ) -> ProbeReport {
        var report = ProbeReport(isCancelled: isCancelled)
        for address in handshakes.map(\.address) {
            switch outcomes[address] {
            case .success(let camera): report.found.append(camera)
            case .failure(let failure): report.misses.append(.init(address: address, failure: failure))
            case nil: break
            }
        }
        return report
    }
}
