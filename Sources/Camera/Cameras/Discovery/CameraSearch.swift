import FoundationEssentials
import Synchronization

/// Looks for cameras at addresses, and keeps the line to those that ask their owner first.
///
/// To connect and hang up ends the question on a camera's screen. So the connection of the search is the one that the
/// answer comes over: it is held for ``NetworkProbe/Patience/acknowledgement``, whoever has asked for it.
public final class CameraSearch: Sendable {
    /// What came of a camera that asked its owner.
    public typealias Outcome = Result<FoundCamera, ProbeFailure>

    /// What is known of a camera that asked its owner.
    public enum Answer: Sendable {
        /// It still asks.
        case asking(ProbeReport.Asking)
        /// The person has answered, or did not in time.
        case answered(Outcome)
    }

    /// Longest wait of one ``answer(from:)``: below what a client of the socket waits for a reply.
    public static let waitMax = Duration.seconds(8)

    private struct Line {
        var asking: ProbeReport.Asking
        /// `nil` as long as the camera asks.
        var outcome: Outcome?
        /// Those who want to know at once.
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private struct State {
        var lines: [NetworkAddress: Line] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())
    private let guid: ServiceGUID
    private let patience: NetworkProbe.Patience
    private let sweepPatience: NetworkProbe.Patience

    /// Creates a search.
    public init(
        guid: ServiceGUID, patience: NetworkProbe.Patience = .search,
        sweepPatience: NetworkProbe.Patience = .sweep
    ) {
        self.guid = guid
        self.patience = patience
        self.sweepPatience = sweepPatience
    }

    /// Tries the addresses once each. Those where a camera asks its owner already are not tried again.
    ///
    /// - Parameter isSweep: Whether most of them are nobody's.
    public func look(at addresses: [NetworkAddress], isSweep: Bool = false) async -> ProbeReport {
        let held = state.withLock { state in
            state.lines = state.lines.filter { $0.value.outcome == nil }
            return state.lines.mapValues(\.asking)
        }
        let fresh = addresses.filter { held[$0] == nil }
        var report = await probe(fresh, isSweep ? sweepPatience : patience)
        report.asking += Set(addresses).compactMap { held[$0] }
        report.asking.sort { $0.address.host < $1.address.host }
        return report
    }

    /// Waits for the answer of a camera's owner, up to ``waitMax``.
    ///
    /// - Returns: `nil` when no camera at this address asks.
    public func answer(from address: NetworkAddress) async -> Answer? {
        guard state.withLock({ $0.lines[address] }) != nil else { return nil }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.news(from: address) }
            group.addTask { try? await Task.sleep(for: Self.waitMax) }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { state in
            guard let line = state.lines[address] else { return nil }
            return line.outcome.map(Answer.answered) ?? .asking(line.asking)
        }
    }

    private func news(from address: NetworkAddress) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isKept = state.withLock { state in
                    guard !Task.isCancelled, state.lines[address]?.outcome == nil, state.lines[address] != nil
                    else { return false }
                    state.lines[address]?.waiting[id] = continuation
                    return true
                }
                if !isKept { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.lines[address]?.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func probe(_ addresses: [NetworkAddress], _ patience: NetworkProbe.Patience) async -> ProbeReport
    {
        guard !addresses.isEmpty, let stop = try? StopSignal() else { return ProbeReport() }
        // The one who asked is told once; the thread goes on for those that ask their owner.
        let isTold = Mutex(false)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                NetworkProbe(guid: guid, patience: patience).start(addresses, until: stop) { news in
                    switch news {
                    case .settled(let report):
                        self.keep(report.asking)
                        isTold.withLock { $0 = true }
                        continuation.resume(returning: report)
                    case .answered(let address, let outcome): self.end(address, outcome)
                    case .over: _ = stop
                    }
                }
            }
        } onCancel: {
            // Whoever asks its owner is not hung up on because a client went away.
            if !isTold.withLock({ $0 }) { stop.send() }
        }
    }

    private func keep(_ asking: [ProbeReport.Asking]) {
        state.withLock { state in
            for one in asking { state.lines[one.address] = Line(asking: one) }
        }
    }

    private func end(_ address: NetworkAddress, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            state.lines[address]?.outcome = outcome
            defer { state.lines[address]?.waiting = [:] }
            return state.lines[address]?.waiting ?? [:]
        }
        for continuation in waiting.values { continuation.resume() }
    }
}
