import Synchronization
import SystemIO

/// A probe that checks many addresses for cameras at the same time, on a separate thread.
public struct NetworkProbe: Sendable {
    /// The time limits of a probe.
    public struct TimeLimits: Hashable, Sendable {
        /// The time limit for the TCP connection.
        public var connection: Duration
        /// The time limit for each response, up to its last byte. A camera that does not respond to the
        /// greeting within this limit is assumed to wait for the user's approval.
        public var answer: Duration
        /// The time limit for the response to the greeting, which may require the user's approval on the
        /// camera.
        public var acknowledgement: Duration
        /// The time limit for the rest of the handshake after the response to the greeting. It limits a
        /// server that sends very slowly.
        public var rest: Duration

        /// Creates time limits.
        public init(connection: Duration, answer: Duration, acknowledgement: Duration, rest: Duration) {
            self.connection = connection
            self.answer = answer
            self.acknowledgement = acknowledgement
            self.rest = rest
        }

        /// The limits for a search. The response limit is 5 s, because a camera that wakes up from power
        /// saving takes 2 to 3 s. A Canon displays the approval request for up to 90 s, and disconnecting
        /// removes it.
        public static let search = TimeLimits(
            connection: .seconds(5), answer: .seconds(5), acknowledgement: .seconds(90), rest: .seconds(15))
        /// The limits for a sweep of whole networks. For an unused address, the kernel times out after three
        /// ARP requests of one second each.
        public static let sweep = TimeLimits(
            connection: .milliseconds(3_100), answer: .seconds(5), acknowledgement: .seconds(90),
            rest: .seconds(15))
    }

    /// An event of a running probe, reported on the probe's thread.
    enum Event {
        /// Every address has an outcome, except cameras that wait for the user's approval. The probe
        /// continues to wait for these cameras.
        case reported(ProbeReport)
        /// The outcome of a camera that was waiting for the user's approval.
        case answered(NetworkAddress, Result<FoundCamera, ProbeFailure>)
        /// The probe has ended.
        case ended
    }

    /// The maximum number of addresses to probe at the same time. With two sockets per address, the probe
    /// stays far below a service's limit of 1,024 descriptors. It fills an eighth of the kernel's neighbor
    /// table (1,024 entries), which the rest of the system also uses.
    public static let parallelMax = 128
    /// The maximum number of cameras that one search waits for. The probe disconnects from all further
    /// cameras.
    public static let pendingMax = 8

    private let guid: ServiceGUID
    private let hostName: HostName
    private let timeLimits: TimeLimits

    /// Creates a probe.
    ///
    /// - Parameter guid: This installation's GUID. A camera that is paired with a worker recognizes the probe
    ///   by this GUID.
    public init(guid: ServiceGUID, hostName: HostName = .current, timeLimits: TimeLimits = .search) {
        self.guid = guid
        self.hostName = hostName
        self.timeLimits = timeLimits
    }

    /// Probes each distinct address once, until all addresses have an outcome.
    ///
    /// Returns early if the task is cancelled. All connections and PTP sessions are then closed.
    public func probe(_ addresses: [NetworkAddress]) async -> ProbeReport {
        let whole = Mutex(ProbeReport(isCancelled: true))
        _ = await NetworkThread.run("discovery", ifNone: ()) { [loop = loop(addresses)] stop in
            loop.run(until: stop) { event in
                switch event {
                case .reported(let report): whole.withLock { $0 = report }
                case .answered(let address, let outcome):
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

    /// Starts a probe that reports in steps. For a camera that waits for the user's approval, the probe
    /// reports the outcome when the user has decided. If the system can't create a thread, no address is
    /// probed.
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
                .map { PTPIPHandshake(address: $0, guid: guid, hostName: hostName) }, timeLimits: timeLimits)
    }
}
