import Synchronization
import SystemIO

/// A probe that asks many addresses at the same time whether a camera is there, on a separate thread.
public struct NetworkProbe: Sendable {
    /// The time limits of a probe.
    public struct TimeLimits: Hashable, Sendable {
        /// The time limit for the TCP connection.
        public var connection: Duration
        /// The time limit for each answer, to its last byte. A camera that has not answered the greeting by
        /// then is waiting for the user's approval.
        public var answer: Duration
        /// The time limit for the answer to the greeting, which may need the user's approval on the camera.
        public var acknowledgement: Duration
        /// The time limit for one address from the greeting's answer to the end. It bounds a server that
        /// sends very slowly.
        public var rest: Duration

        /// Creates time limits.
        public init(connection: Duration, answer: Duration, acknowledgement: Duration, rest: Duration) {
            self.connection = connection
            self.answer = answer
            self.acknowledgement = acknowledgement
            self.rest = rest
        }

        /// The limits for a search: 5 s per answer. A camera that wakes up from power saving takes 2 to 3 s.
        /// A camera that asks for approval shows the question for up to 90 s (seen on a Canon), and
        /// disconnecting would remove it.
        public static let search = TimeLimits(
            connection: .seconds(5), answer: .seconds(5), acknowledgement: .seconds(90), rest: .seconds(15))
        /// The limits for a sweep of whole networks. For an unused address, the kernel gives up after three
        /// ARP requests of one second each.
        public static let sweep = TimeLimits(
            connection: .milliseconds(3_100), answer: .seconds(5), acknowledgement: .seconds(90),
            rest: .seconds(15))
    }

    /// A report from a running probe, sent on the probe's thread.
    enum Event {
        /// Every address has an outcome, except cameras that wait for the user's approval. The probe keeps
        /// waiting for these.
        case reported(ProbeReport)
        /// The outcome of a camera that was waiting for the user's approval.
        case answered(NetworkAddress, Result<FoundCamera, ProbeFailure>)
        /// The probe has ended.
        case ended
    }

    /// The maximum number of addresses to probe at the same time. With two sockets each, they stay far below
    /// a service's limit of 1,024 descriptors. They fill an eighth of the kernel's neighbor table (1,024
    /// entries), which the rest of the host needs, too.
    public static let parallelMax = 128
    /// The maximum number of waiting cameras per search. The probe disconnects from the others.
    public static let pendingMax = 8

    private let guid: ServiceGUID
    private let hostName: HostName
    private let timeLimits: TimeLimits

    /// Creates a probe.
    ///
    /// - Parameter guid: This installation's GUID, so that a camera that paired with a worker recognizes the
    ///   probe.
    public init(guid: ServiceGUID, hostName: HostName = .current, timeLimits: TimeLimits = .search) {
        self.guid = guid
        self.hostName = hostName
        self.timeLimits = timeLimits
    }

    /// Probes each address once, without duplicates, until all have an outcome.
    ///
    /// Returns early if the task is cancelled; connections and sessions are closed by then.
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

    /// Starts a probe that reports in steps; cameras that wait for the user's approval are reported later. If
    /// the system can't create a thread, no address is probed.
    ///
    /// - Parameter onEvent: A callback, called on the probe's thread.
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
