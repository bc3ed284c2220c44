import FleetMessages
import Foundation
import FrameFastAPI
import FrameFastModel
import Glibc
import Logging
import MQTT
import ServiceLifecycle
import Synchronization
import TestRig
import Testing

@testable import FleetLink

/// Two computers and a real broker.
@Suite struct FleetLinkTests {
    /// What a computer would do, and what was asked of it.
    private final class Host: Sendable {
        struct State {
            var events: [FleetEvent] = []
            var claims: [String: String?] = [:]
            var fired: [String] = []
            var cameras: [FleetCameraStatus] = []
            var session: String?
            var trouble: Set<FleetLink.Trouble> = []
        }

        let name: FleetHostName
        let boot: String
        let state = Mutex(State())
        let link: FleetLink
        private let services: ServiceGroup
        private let running: Task<Void, any Error>

        init(_ name: FleetHostName, _ broker: Broker, boot: String? = nil, accept: Set<FleetVerb> = [.shoot])
        {
            self.name = name
            self.boot = boot ?? "boot-\(name)"
            let state = WeakHost()
            let own = self.boot
            link = FleetLink(
                .init(
                    host: name,
                    broker: MQTTSettings(
                        host: "127.0.0.1", port: UInt16(broker.port), clientID: "ff-\(name)-\(own)"),
                    accept: accept, clockErrorMaxMs: 20),
                .init(
                    snapshot: {
                        var status = FleetBoardTests.status(own, at: Date())
                        status.sessionName = state.now { $0.session } ?? nil
                        return .init(status: status, cameras: state.now { $0.cameras } ?? [])
                    },
                    groups: { ["ring"] }, clockErrorMs: { 1 },
                    carryOut: { _, order, group in
                        state.now { $0.fired.append(order.id) }
                        return GroupShotReply(
                            shot: 1, group: group ?? "", at: Date(), fired: 2, spreadMs: 1,
                            answersSpreadMs: nil,
                            cameras: [], missing: [])
                    },
                    trouble: { troubles in state.now { $0.trouble = troubles } },
                    storage: FleetStorage(
                        boot: own,
                        events: { after, limit in
                            state.now { $0.events.filter { $0.seq > after }.prefix(limit).map(\.self) } ?? []
                        },
                        forget: { seqs in state.now { $0.events.removeAll { seqs.contains($0.seq) } } },
                        count: { state.now { $0.events.count } ?? 0 },
                        claim: { id, _ in
                            state.now { state in
                                if let known = state.claims[id] {
                                    return known.map { .answered($0) } ?? .unknown
                                }
                                state.claims[id] = .some(nil)
                                return .mine
                            } ?? .unknown
                        },
                        answer: { id, text in state.now { $0.claims[id] = text } })),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let services = ServiceGroup(
                services: [link], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            self.services = services
            running = Task { try await services.run() }
            state.host = self
        }

        func stop() async throws {
            await services.triggerGracefulShutdown()
            try await running.value
        }
    }

    private final class WeakHost: Sendable {
        private let box = Mutex<Box>(Box())
        private struct Box { weak var host: Host? }
        var host: Host? {
            get { box.withLock { $0.host } }
            set { box.withLock { $0.host = newValue } }
        }
        func now<Value: Sendable>(_ body: (inout sending Host.State) -> sending Value) -> Value? {
            host?.state.withLock { body(&$0) }
        }
    }

    /// Somebody who reads and writes at the broker by hand.
    private final class Stranger: Sendable {
        private let client: MQTTClient
        private let box: MessageBox

        init(_ broker: Broker, reads filter: String) throws {
            let box = MessageBox()
            client = MQTTClient(
                MQTTSettings(
                    host: "127.0.0.1", port: UInt16(broker.port), clientID: "stranger-\(UUID())",
                    filters: [.init(filter, .atLeastOnce)])
            ) { if case .message(let message) = $0 { box.add(message) } }
            self.box = box
            try client.start()
        }

        var all: [MQTTMessage] { box.all }
        func publish(_ message: MQTTMessage) { client.publish(message) }
        func stop() { client.stop() }
    }

    private final class MessageBox: Sendable {
        private let messages = Mutex<[MQTTMessage]>([])
        var all: [MQTTMessage] { messages.withLock { $0 } }
        func add(_ message: MQTTMessage) { messages.withLock { $0.append(message) } }
    }

    private static func host(_ name: FleetHostName, in link: FleetLink) -> FleetHostReply? {
        link.reply().hosts.first { $0.name == name }
    }

    @Test func `each computer sees the other, what changes there, and that it is gone`() async throws {
        let broker = try await Broker(try ScratchFolder())
        let (a, b) = (Host("host-a", broker), Host("host-b", broker))
        b.state.withLock { $0.cameras = [FleetBoardTests.camera("left"), FleetBoardTests.camera("a/b#")] }
        try await eventually("host-b with its cameras") {
            Self.host("host-b", in: a.link)?.cameras.count == 2 ? () : nil
        }
        #expect(Self.host("host-b", in: a.link)?.cameras.map(\.name) == ["a/b#", "left"])
        #expect(Self.host("host-b", in: a.link)?.state == .online)
        b.state.withLock {
            $0.session = "Gala"
            $0.cameras.removeLast()
        }
        try await eventually("the change") {
            let host = Self.host("host-b", in: a.link)
            return host?.status?.sessionName == "Gala" && host?.cameras.map(\.name) == ["left"] ? () : nil
        }
        try await b.stop()
        try await eventually("its goodbye") { Self.host("host-b", in: a.link)?.state == .offline ? () : nil }
        try await a.stop()
    }

    @Test func `a broker that comes back with nothing is told all of it again`() async throws {
        let broker = try await Broker(try ScratchFolder())
        let (a, b) = (Host("host-a", broker), Host("host-b", broker))
        b.state.withLock { $0.cameras = [FleetBoardTests.camera("left")] }
        try await eventually("host-b") {
            Self.host("host-b", in: a.link)?.cameras.isEmpty == false ? () : nil
        }
        try await broker.kill()
        try await eventually("the loss") { a.link.reply().broker.state == .away ? () : nil }
        #expect(a.link.reply().broker.reason?.isEmpty == false)
        // What was known is still told, with the state of the connection.
        #expect(Self.host("host-b", in: a.link)?.status != nil)
        b.state.withLock { $0.session = "Later" }
        try await broker.start()
        try await eventually("what changed meanwhile") {
            let host = Self.host("host-b", in: a.link)
            return host?.status?.sessionName == "Later" && host?.cameras.count == 1 ? () : nil
        }
        try await a.stop()
        try await b.stop()
    }

    @Test func `events come in order, each once to a reader who leaves out what it has`() async throws {
        let broker = try await Broker(try ScratchFolder())
        let reader = try Stranger(broker, reads: "framefast/v1/host/+/event")
        let a = Host("host-a", broker)
        func enter(_ numbers: ClosedRange<Int64>) {
            a.state.withLock {
                $0.events += numbers.map {
                    .init(seq: $0, kind: "saved", at: Date(), facts: "{\"capture\":\($0)}")
                }
            }
        }
        enter(1...200)
        try await eventually("all of them to be forgotten") {
            a.state.withLock { $0.events.isEmpty } ? () : nil
        }
        try await broker.kill()
        enter(201...300)
        try await broker.start()
        try await eventually("those of the outage") { a.state.withLock { $0.events.isEmpty } ? () : nil }
        struct Event: Decodable {
            struct Facts: Decodable { var capture: Int }
            var (host, boot, seq, kind, facts): (String, String, Int, String, Facts)
            enum Key: String, CodingKey { case host, boot, seq, kind, facts }
            init(from decoder: any Decoder) throws {
                let from = try decoder.container(keyedBy: Key.self)
                host = try from.decode(String.self, forKey: .host)
                boot = try from.decode(String.self, forKey: .boot)
                seq = try from.decode(Int.self, forKey: .seq)
                kind = try from.decode(String.self, forKey: .kind)
                facts = try from.decode(Facts.self, forKey: .facts)
            }
        }
        try await eventually("the reader to have the last one") {
            reader.all.contains { String(decoding: $0.payload, as: UTF8.self).contains("\"seq\":300}") }
                ? () : nil
        }
        let events = try reader.all.map { try JSONDecoder().decode(Event.self, from: Data($0.payload)) }
        #expect(Set(events.map(\.seq)) == Set(1...300))
        #expect(events.allSatisfy { $0.facts.capture == $0.seq && $0.host == "host-a" && $0.boot == a.boot })
        var once: [Int] = []
        for event in events where !once.contains(event.seq) { once.append(event.seq) }
        #expect(once == Array(1...300))
        reader.stop()
        try await a.stop()
    }

    @Test func `shutters of a group are released once on each computer, however often the order comes`()
        async throws
    {
        let broker = try await Broker(try ScratchFolder())
        let (a, b) = (Host("host-a", broker), Host("host-b", broker))
        for host in [a, b] {
            host.state.withLock { $0.cameras = [FleetBoardTests.camera("left", groups: ["ring"])] }
        }
        try await eventually("both with their cameras") {
            Self.host("host-a", in: a.link)?.cameras.count == 1
                && Self.host("host-b", in: a.link)?.cameras.count == 1
                ? () : nil
        }
        // An order that is a second old comes too late for its moment: far enough ahead for a busy computer.
        let (answers, silent) = try await a.link.shoot(
            "ring", at: Date() + 4, require: nil, by: "Mia", patience: .seconds(10))
        #expect(answers.map(\.host) == ["host-a", "host-b"] && silent.isEmpty)
        #expect(answers.allSatisfy { $0.state == .done && $0.shot?.fired == 2 })
        #expect(a.state.withLock { $0.fired.count } == 1)

        let stranger = try Stranger(broker, reads: "framefast/v1/host/+/reply/desk")
        let order = FleetOrder(
            id: "again", issuedAt: Date(), expiresAt: Date() + 30, console: "desk", group: "ring")
        let message = MQTTMessage(
            topic: FleetTopic.hostOrder("host-b", verb: "shoot").text,
            payload: Array(try WireCoder.encode(order)))
        for _ in 0..<5 { stranger.publish(message) }
        try await eventually("five answers") { stranger.all.count == 5 ? () : nil }
        let told = try stranger.all.map { try WireCoder.decode(FleetAnswer.self, from: Data($0.payload)) }
        #expect(
            told.contains { $0.state == .done } && told.allSatisfy { [.done, .unknown].contains($0.state) })
        #expect(b.state.withLock { $0.fired.count { $0 == "again" } } == 1)

        // One that was begun before the service ended is not done again.
        b.state.withLock { $0.claims["lost"] = .some(nil) }
        var lost = order
        lost.id = "lost"
        stranger.publish(
            MQTTMessage(topic: message.topic, payload: Array(try WireCoder.encode(lost))))
        try await eventually("its answer") { stranger.all.count == 6 ? () : nil }
        let last = try WireCoder.decode(FleetAnswer.self, from: Data(try #require(stranger.all.last).payload))
        #expect(last.state == .unknown)
        #expect(!b.state.withLock { $0.fired.contains("lost") })
        stranger.stop()
        try await a.stop()
        try await b.stop()
    }

    @Test func `two computers of one name both say so, and a broker that refuses is told of`() async throws {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        let (a, b) = (Host("host-a", broker, boot: "one"), Host("host-a", broker, boot: "two"))
        try await eventually("both to see it") {
            [a, b].allSatisfy { $0.state.withLock { $0.trouble.contains(.nameTaken) } } ? () : nil
        }
        try await b.stop()
        // The other one's goodbye is not the end of this one.
        try await eventually("the name to be free again, and in use") {
            !a.state.withLock { $0.trouble.contains(.nameTaken) }
                && Self.host("host-a", in: a.link)?.state == .online
                ? () : nil
        }
        try await a.stop()

        let rules = folder.path("acl")
        try "topic read #\n".write(toFile: rules, atomically: true, encoding: .utf8)
        let strict = try await Broker(folder, ["acl_file \(rules)"])
        let c = Host("host-c", strict)
        try await eventually("the refusal") { c.state.withLock { $0.trouble.contains(.refused) } ? () : nil }
        try await c.stop()
    }
}
