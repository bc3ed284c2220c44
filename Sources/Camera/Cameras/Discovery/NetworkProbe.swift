public import FrameFastSystem
import Synchronization
import SystemIO

/// A probe that checks many addresses for cameras at the same time, on a separate thread.
public struct NetworkProbe: Sendable {
    private let guid: ServiceGUID
    private let hostName: HostName
    private let timeLimits: TimeLimits
    private let clock: HostClock

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - guid: This installation's GUID, which its workers also send. A camera that is paired with this
    ///     installation therefore accepts the probe.
    ///   - clock: The clock of the time limits.
    public init(
        guid: ServiceGUID, hostName: HostName = .current, timeLimits: TimeLimits = .search,
        clock: HostClock = .system
    ) {
        self.guid = guid
        self.hostName = hostName
        self.timeLimits = timeLimits
        self.clock = clock
    }

    /// Probes each distinct address once, until all addresses have an outcome.
    ///
    /// If the task is cancelled, closes all connections and PTP sessions, and returns early.
    public func probe(_ addresses: [NetworkAddress]) async -> ProbeReport {
        let whole = Mutex(ProbeReport(isCancelled: true))
        _ = await NetworkThread.run("discovery", ifNone: ()) { [loop = loop(addresses)] stop in
            loop.run(until: stop) { event in
                switch event {
                case .reported(let report): whole.withLock { $0 = report }
                case .decided(let address, let outcome):
                    whole.withLock { $0.recordOutcome(of: address, outcome) }
                case .ended: break
                }
            }
        }
        return whole.withLock { report in
            report.sort(inOrderOf: addresses)
            return report
        }
    }

    /// Starts a probe that reports in steps. The first report covers all addresses. Each later event is the
    /// outcome of a camera that was waiting for the user's approval. If the system can't create a thread, the
    /// report is empty and cancelled.
    ///
    /// - Parameter onEvent: Called on the probe's thread.
    func start(
        _ addresses: [NetworkAddress], until stop: WakeDescriptor,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        let loop = loop(addresses)
        do { try PlainThread.start("discovery") { loop.run(until: stop, onEvent: onEvent) } } catch {
            onEvent(.reported(ProbeReport(isCancelled: true)))
            onEvent(.ended)
        }
    }

    private func loop(_ addresses: [NetworkAddress]) -> ProbeLoop {
        var seen: Set<NetworkAddress> = []
        return ProbeLoop(
            addresses.filter { seen.insert($0).inserted }
                .map { PTPIPHandshake(address: $0, guid: guid, hostName: hostName) },
            timeLimits: timeLimits, clock: clock)
    }
}
