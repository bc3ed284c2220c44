import FleetMessages
public import FoundationEssentials
public import FrameFastAPI
import FrameFastModel
public import Logging
import MQTT
public import ServiceLifecycle
import Synchronization

/// This computer's part in a fleet: says through a broker what it is and does, reads what others say, and carries out what it
/// accepts of them. Nothing here waits for the broker: without one it goes on as if it were alone.
public final class FleetLink: Service {
    /// The connection's side of things.
    struct State {
        var board: FleetBoard
        var isConnected = false
        var since = Date()
        var reason: String? = "it was not reached yet"
        var trouble: Set<Trouble> = []
        /// What was published last in this connection, by topic.
        var published: [String: [UInt8]] = [:]
        var waiting = 0
        /// Who waits for answers, by the order's id.
        var asking: [String: AsyncStream<FleetAnswer>.Continuation] = [:]
    }

    /// Something that was heard and takes longer than a moment.
    private enum Work: Sendable {
        case connected
        case lost(reason: String)
        case order(MQTTMessage, FleetTopic)
        case acknowledged(token: UInt64, MQTTReason)
    }

    /// Time between two words of this computer on itself, where something has changed.
    static let statusEvery: Duration = .seconds(1)
    /// The same where nothing has.
    static let statusAtLeastSeconds: TimeInterval = 60
    /// A day after its last word a computer is forgotten.
    static let statusKeptSeconds: UInt32 = 86_400
    /// Time after which people are told that there is no broker: one that is started anew is back before.
    static let awaySeconds: TimeInterval = 30
    /// Orders that wait to be carried out, at most.
    static let ordersMax = 64
    /// Answers are kept for who asked for so long, in seconds.
    static let answerKeptSeconds: UInt32 = 60

    let options: Options
    let around: Surroundings
    let logger: Logger
    let state: Mutex<State>
    let outbox: EventOutbox
    let check: OrderCheck
    let client: MQTTClient
    /// Whether what was said last may not be true any more.
    let isStale = Atomic(true)
    private let (work, heard) = AsyncStream<Work>.makeStream(bufferingPolicy: .bufferingOldest(10_000))

    /// Creates the service.
    public init(_ options: Options, _ around: Surroundings, logger: Logger) {
        self.options = options
        self.around = around
        self.logger = logger
        state = Mutex(State(board: FleetBoard(host: options.host)))
        check = OrderCheck(
            host: options.host, accept: options.accept, clockErrorMaxMs: options.clockErrorMaxMs)
        let hearing = Hearing()
        client = MQTTClient(Self.settings(options)) { hearing.tell?($0) }
        outbox = EventOutbox(host: options.host, storage: around.storage, client: client)
        hearing.tell = { [weak self] news in self?.hear(news) }
    }

    /// Two computers of one name are two to the broker: each sees the other's word and says so. With one id they would end
    /// each other's connections for ever.
    private static func settings(_ options: Options) -> MQTTSettings {
        var settings = options.broker
        settings.will = MQTTMessage(
            topic: FleetTopic.online(options.host).text, payload: Array("offline".utf8), isRetained: true)
        settings.willDelaySeconds = 2
        settings.filters =
            FleetTopic.everyHost.map { MQTTFilter($0, .atMostOnce) }
            + (FleetTopic.orders(to: options.host) + [FleetTopic.answers(to: options.host)])
            .map { MQTTFilter($0, .atLeastOnce) }
            + (options.isInHomeAssistant ? [MQTTFilter(HomeAssistantDevice.started, .atLeastOnce)] : [])
        return settings
    }

    // MARK: asked by the rest of the service

    /// Something happened here that others may want to know.
    public func changed() { isStale.store(true, ordering: .relaxed) }

    /// Every computer.
    public func reply(at now: Date = Date()) -> FleetReply {
        state.withLock { state in
            FleetReply(
                broker: .init(
                    state: state.isConnected ? .connected : .away, since: state.since, reason: state.reason,
                    waiting: state.waiting),
                hosts: state.board.replies(at: now))
        }
    }

    // MARK: the service

    /// Keeps the connection until the service stops.
    public func run() async throws {
        do { try client.start() } catch {
            logger.error("cannot connect to the broker", metadata: ["error": "\(error)"])
            return try await gracefulShutdown()
        }
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                group.addTask { await self.sayStatus() }
                group.addTask { await self.outbox.run() }
                var orders = 0
                for await one in work {
                    switch one {
                    case .connected:
                        logger.notice("connected to the broker", metadata: ["host": "\(options.host)"])
                        outbox.connected()
                        changed()
                    case .lost(let reason):
                        logger.info("no connection to the broker", metadata: ["reason": "\(reason)"])
                        outbox.lost()
                    case .acknowledged(let token, let reason): acknowledged(token, reason)
                    case .order(let message, let topic):
                        orders += 1
                        group.addTask { await self.carryOut(message, topic) }
                        if orders >= Self.ordersMax {
                            await group.next()
                            orders -= 1
                        }
                    }
                }
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.sayGoodbye()
        }
    }

    private func sayGoodbye() {
        outbox.finish()
        client.publish(
            MQTTMessage(
                topic: FleetTopic.online(options.host).text, payload: Array("offline".utf8), isRetained: true)
        )
        client.stop()
        heard.finish()
    }

    /// Takes what the client tells, on its thread.
    private func hear(_ news: MQTTNews) {
        switch news {
        case .connected:
            change { state in
                (state.isConnected, state.since, state.reason) = (true, Date(), nil)
                state.published = [:]
                state.trouble = []
                state.board.connected()
            }
            heard.yield(.connected)
        case .lost(let reason):
            change { state in
                if state.isConnected { (state.isConnected, state.since) = (false, Date()) }
                state.reason = reason
            }
            heard.yield(.lost(reason: reason))
        case .acknowledged(let token, let reason): heard.yield(.acknowledged(token: token, reason))
        case .message(let message):
            if message.topic == HomeAssistantDevice.started {
                // It has forgotten every device, and reads what is kept only of those that it knows.
                return change { $0.published[HomeAssistantDevice.topic(of: options.host)] = nil }
            }
            guard let topic = FleetTopic(message.topic) else { return }
            switch topic {
            case .hostOrder, .groupOrder: heard.yield(.order(message, topic))
            case .reply(_, let console) where console == options.host.rawValue: answered(message, topic)
            default:
                change { state in
                    state.board.take(topic, message, at: Date())
                    if topic.host == options.host { judgeOwn(topic, &state) }
                }
            }
        }
    }

    func change(_ body: (inout State) -> Void) {
        let trouble = state.withLock { state -> Set<Trouble>? in
            let before = state.trouble
            body(&state)
            return state.trouble == before ? nil : state.trouble
        }
        if let trouble { around.trouble(trouble) }
    }

    /// What the broker says of this computer may be the word of another that has the same name. Whoever sees the other first says
    /// its own word again, so that both know.
    private func judgeOwn(_ topic: FleetTopic, _ state: inout State) {
        changed()
        if state.board.isGone(options.host) {
            state.trouble.remove(.nameTaken)
        } else if case .status = topic, let boot = state.board.boot(of: options.host),
            boot != around.storage.boot,
            state.trouble.insert(.nameTaken).inserted
        {
            state.published = [:]
        }
    }

    private func answered(_ message: MQTTMessage, _ topic: FleetTopic) {
        guard case .reply(let host, _) = topic, message.payload.count <= MQTTMessage.payloadBytesMax,
            let answer = try? WireCoder.decode(FleetAnswer.self, from: Data(message.payload)),
            answer.host == host
        else { return }
        state.withLock { $0.asking[answer.id] }?.yield(answer)
    }

    private func acknowledged(_ token: UInt64, _ reason: MQTTReason) {
        if reason.isRefusal { change { $0.trouble.insert(.refused) } }
        outbox.acknowledged(token, isRefused: reason.isRefusal)
    }
}

/// Who hears the client: it exists before that.
private final class Hearing: Sendable {
    private let listener = Mutex<(@Sendable (MQTTNews) -> Void)?>(nil)
    var tell: (@Sendable (MQTTNews) -> Void)? {
        get { listener.withLock { $0 } }
        set { listener.withLock { $0 = newValue } }
    }
}
