import PlainThreads
import Synchronization

/// Asks addresses whether a camera is there, all at the same time, on one thread of its own.
public struct NetworkProbe: Sendable {
    /// How long is waited.
    public struct Patience: Hashable, Sendable {
        /// For the connection to stand.
        public var connection: Duration
        /// For each answer, to its last byte. A camera that has not answered the greeting by then asks its owner.
        public var answer: Duration
        /// For the answer to the greeting, which a camera may leave to its owner.
        public var acknowledgement: Duration
        /// For one address from the greeting's answer to the goodbye: bounds what a dripping server can take.
        public var rest: Duration

        /// Creates a patience.
        public init(connection: Duration, answer: Duration, acknowledgement: Duration, rest: Duration) {
            self.connection = connection
            self.answer = answer
            self.acknowledgement = acknowledgement
            self.rest = rest
        }

        /// For a search: 5 s an answer. A camera that wakes up from power saving takes 2 to 3 s; a camera that asks its
        /// owner shows that question for up to 90 s (seen on a Canon), and hanging up would take it off the screen.
        public static let search = Patience(
            connection: .seconds(5), answer: .seconds(5), acknowledgement: .seconds(90), rest: .seconds(15))
        /// For a look at every address: where nobody is, the kernel gives up after three questions of a second each.
        public static let sweep = Patience(
            connection: .milliseconds(3_100), answer: .seconds(5), acknowledgement: .seconds(90),
            rest: .seconds(15))
    }

    /// What a probe tells while it runs, on its own thread.
    enum News {
        /// Every address has an outcome, but those that ask their owner, which are kept waiting for.
        case settled(ProbeReport)
        /// One of those that asked came to an end.
        case answered(NetworkAddress, Result<FoundCamera, ProbeFailure>)
        /// Nobody is waited for any more.
        case over
    }

    /// Most addresses that are tried at the same time. Two sockets each, far below a service's 1,024 descriptors; and an
    /// eighth of the kernel's table of neighbours (1,024), which the rest of the host needs, too.
    public static let parallelMax = 128
    /// Most cameras of one search that are kept waiting for; from the others we hang up.
    public static let askingMax = 8

    private let guid: ServiceGUID
    private let hostName: HostName
    private let patience: Patience

    /// Creates a probe.
    ///
    /// - Parameter guid: This installation's, so that a camera that paired with a worker knows the probe.
    public init(guid: ServiceGUID, hostName: HostName = .current, patience: Patience = .search) {
        self.guid = guid
        self.hostName = hostName
        self.patience = patience
    }

    /// Tries the addresses once each, to the end of the last; one that stands there twice is tried once.
    ///
    /// Returns early when the task is cancelled; connections are closed by then, sessions ended.
    public func probe(_ addresses: [NetworkAddress]) async -> ProbeReport {
        let whole = Mutex(ProbeReport(isCutShort: true))
        _ = await NetworkThread.run("discovery", ifNone: ()) { [loop = loop(addresses)] stop in
            loop.run(until: stop) { news in
                switch news {
                case .settled(let report): whole.withLock { $0 = report }
                case .answered(let address, let outcome): whole.withLock { $0.end(address, outcome) }
                case .over: break
                }
            }
        }
        return whole.withLock { report in
            report.order(as: addresses)
            return report
        }
    }

    /// The same as far as it can be known at once; what asks its owner is told of later. Where the system has no thread
    /// left, nothing was tried.
    ///
    /// - Parameter tell: Called on the probe's thread.
    func start(
        _ addresses: [NetworkAddress], until stop: StopSignal, tell: @escaping @Sendable (News) -> Void
    ) {
        let loop = loop(addresses)
        do { try PlainThread.start("discovery") { loop.run(until: stop, tell: tell) } } catch {
            tell(.settled(ProbeReport(isCutShort: true)))
            tell(.over)
        }
    }

    private func loop(_ addresses: [NetworkAddress]) -> ProbeLoop {
        var seen: Set<NetworkAddress> = []
        return ProbeLoop(
            addresses.filter { seen.insert($0).inserted }
                .map { PTPIPHandshake(address: $0, guid: guid, hostName: hostName) }, patience: patience)
    }
}
