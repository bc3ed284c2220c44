import Foundation

/// Asks addresses whether a camera is there, all at the same time, on one thread of its own.
public struct NetworkProbe: Sendable {
    /// How long is waited.
    public struct Patience: Hashable, Sendable {
        /// For each answer, to its last byte.
        public var answer: Duration
        /// For the answer to the greeting, which a camera may leave to its owner.
        public var acknowledgement: Duration
        /// For one address from the greeting's answer to the goodbye: bounds what a dripping server can take.
        public var rest: Duration

        /// Creates a patience.
        public init(answer: Duration, acknowledgement: Duration, rest: Duration) {
            self.answer = answer
            self.acknowledgement = acknowledgement
            self.rest = rest
        }

        /// For a search: 5 s an answer. A camera that wakes up from power saving takes 2 to 3 s.
        public static let search = Patience(
            answer: .seconds(5), acknowledgement: .seconds(5), rest: .seconds(15))
        /// For a camera that asks its owner: bodies show that question for up to 90 s.
        public static let pairing = Patience(
            answer: .seconds(5), acknowledgement: .seconds(90), rest: .seconds(15))
    }

    /// Most addresses that are tried at the same time: two sockets each, far below a service's 1,024.
    public static let parallelMax = 64

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

    /// Tries the addresses once each; one that stands there twice is tried once.
    ///
    /// Returns early when the task is cancelled; connections are closed by then, sessions ended.
    public func probe(_ addresses: [NetworkAddress]) async -> ProbeReport {
        let stop: StopSignal
        do { stop = try StopSignal() } catch {
            return ProbeReport(
                misses: addresses.map { ProbeReport.Miss(address: $0, failure: .other(errno: error.errno)) })
        }
        var seen: Set<NetworkAddress> = []
        let handshakes = addresses.filter { seen.insert($0).inserted }
            .map { PTPIPHandshake(address: $0, guid: guid, hostName: hostName) }
        let patience = patience
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    let loop = ProbeLoop(handshakes, patience: patience, stop: stop)
                    continuation.resume(returning: loop.run())
                }
                thread.name = "discovery"
                thread.start()
            }
        } onCancel: {
            stop.send()
        }
    }
}
