import FleetMessages
public import FoundationEssentials
import FrameFastAPI
public import FrameFastModel
import MQTT
import Synchronization

/// Where events wait for a broker, and where orders are claimed.
public struct FleetStorage: Sendable {
    /// A word that stays while the numbers go on.
    public var boot: String
    /// The oldest events after a number.
    public var events: @Sendable (_ after: Int64, _ limit: Int) async throws -> [FleetEvent]
    /// The broker has these.
    public var forget: @Sendable ([Int64]) async throws -> Void
    /// How many wait; 0 where that cannot be told.
    public var count: @Sendable () async -> Int
    /// Claims an order, before it is carried out.
    public var claim: @Sendable (_ id: String, _ at: Date) async throws -> FleetClaim
    /// Keeps what became of it.
    public var answer: @Sendable (_ id: String, _ answer: String) async throws -> Void

    /// Names all of it.
    public init(
        boot: String, events: @escaping @Sendable (_ after: Int64, _ limit: Int) async throws -> [FleetEvent],
        forget: @escaping @Sendable ([Int64]) async throws -> Void,
        count: @escaping @Sendable () async -> Int,
        claim: @escaping @Sendable (_ id: String, _ at: Date) async throws -> FleetClaim,
        answer: @escaping @Sendable (_ id: String, _ answer: String) async throws -> Void
    ) {
        self.boot = boot
        self.events = events
        self.forget = forget
        self.count = count
        self.claim = claim
        self.answer = answer
    }
}

/// Sends what happened to the broker, in order, and forgets it when the broker has it: so many at a time, because libmosquitto
/// keeps what it has not sent without bound.
final class EventOutbox: Sendable {
    /// Events that are under way at a time.
    static let underWayMax = 20
    /// How long a broker keeps an event for a reader that is away, in seconds.
    static let keptSeconds: UInt32 = 7 * 86_400
    /// Pause before events are tried again that the ledger did not give, or the broker did not take.
    static let retry: Duration = .seconds(60)

    private struct State {
        var isConnected = false
        var isRefused = false
        var last: Int64 = 0
        var underWay: Set<Int64> = []
        var had: [Int64] = []
    }

    private let host: FleetHostName
    private let storage: FleetStorage
    private let client: MQTTClient
    private let state = Mutex(State())
    private let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(host: FleetHostName, storage: FleetStorage, client: MQTTClient) {
        self.host = host
        self.storage = storage
        self.client = client
    }

    /// There may be something to send.
    func wake() { signal.yield() }

    /// A new connection: what the last one did not acknowledge is sent again.
    func connected() {
        state.withLock { $0 = State(isConnected: true, had: $0.had) }
        wake()
    }

    /// There is no connection.
    func lost() { state.withLock { $0 = State(had: $0.had) } }

    /// The broker answered.
    func acknowledged(_ token: UInt64, isRefused: Bool) {
        let seq = Int64(truncatingIfNeeded: token)
        state.withLock { state in
            guard state.underWay.remove(seq) != nil else { return }
            if isRefused { state.isRefused = true } else { state.had.append(seq) }
        }
        wake()
    }

    /// Nothing more is sent.
    func finish() { signal.finish() }

    /// Sends until it is told to stop.
    func run() async {
        for await _ in signals {
            do {
                try await forget()
                try await fill()
                guard state.withLock(\.isRefused) else { continue }
            } catch {}
            // Neither the ledger nor the broker says when it is better.
            try? await Task.sleep(for: Self.retry)
            state.withLock { state in
                guard state.isRefused else { return }
                (state.isRefused, state.last, state.underWay) = (false, 0, [])
            }
            wake()
        }
        try? await forget()
    }

    private func forget() async throws {
        let had = state.withLock { state in
            defer { state.had = [] }
            return state.had
        }
        guard !had.isEmpty else { return }
        do { try await storage.forget(had) } catch {
            state.withLock { $0.had += had }
            throw error
        }
    }

    private func fill() async throws {
        while true {
            let (after, room) = state.withLock { state in
                (
                    state.last,
                    state.isConnected && !state.isRefused ? Self.underWayMax - state.underWay.count : 0
                )
            }
            guard room > 0 else { return }
            let events = try await storage.events(after, room)
            guard !events.isEmpty else { return }
            for event in events {
                let isOurs = state.withLock { state in
                    guard state.isConnected, state.last < event.seq else { return false }
                    state.last = event.seq
                    state.underWay.insert(event.seq)
                    return true
                }
                guard isOurs else { return }
                let isTaken = client.publish(message(event), token: UInt64(truncatingIfNeeded: event.seq))
                guard !isTaken else { continue }
                state.withLock { state in
                    state.underWay.remove(event.seq)
                    state.last = event.seq - 1
                }
                return
            }
        }
    }

    private func message(_ event: FleetEvent) -> MQTTMessage {
        func quoted(_ text: String) -> String {
            (try? WireCoder.encode([text])).map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
                ?? "\"\""
        }
        let text = """
            {"at":\(quoted(WireTime.text(of: event.at))),"boot":\(quoted(storage.boot)),"facts":\(event.facts),\
            "host":\(quoted(host.rawValue)),"kind":\(quoted(event.kind)),"seq":\(event.seq)}
            """
        return MQTTMessage(
            topic: FleetTopic.event(host).text, payload: Array(text.utf8), expirySeconds: Self.keptSeconds)
    }
}
