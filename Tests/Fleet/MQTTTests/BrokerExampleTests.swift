import Foundation
import Repository
import Synchronization
import TestRig
import Testing

@testable import MQTT

/// The broker's configuration that people copy.
@Suite struct BrokerExampleTests {
    /// The example with its paths in a folder, a certificate, and passwords that are the users' names.
    private static func broker(_ folder: ScratchFolder) async throws -> Broker {
        let authority = folder.path("certificates")
        try FileManager.default.createDirectory(atPath: authority, withIntermediateDirectories: true)
        let made = try RunningProgram(
            ServerPrograms.python, [ServerPrograms.rig.appending(path: "certificates.py").path, authority],
            log: folder.url.appending(path: "certificates.log"))
        guard try await made.ended() == 0 else { throw Impatience(description: made.output) }
        let users = ["host-a", "host-b", "desk", "viewer"]
        let passwords = folder.path("passwords")
        try users.map { "\($0):\($0)" }.joined(separator: "\n").appending("\n")
            .write(toFile: passwords, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords)
        let hashed = try RunningProgram(
            ServerPrograms.mosquittoPasswords, ["-U", passwords],
            log: folder.url.appending(path: "passwd.log"))
        guard try await hashed.ended() == 0 else { throw Impatience(description: hashed.output) }
        let text = try String(contentsOf: Repository.file("examples/mosquitto.conf"), encoding: .utf8)
            .replacing("/etc/mosquitto/certs/framefast.pem", with: authority + "/good.pem")
            .replacing("/etc/mosquitto/certs/framefast.key", with: authority + "/good.pem")
            .replacing("/etc/mosquitto/framefast.passwd", with: passwords)
            .replacing("/etc/mosquitto/framefast.acl", with: Repository.file("examples/mosquitto.acl").path)
        return try await Broker(folder, example: text, certificates: authority + "/ca.pem")
    }

    private final class Reader: Sendable {
        private let heard = Mutex<[MQTTNews]>([])
        let client: MQTTClient
        var news: [MQTTNews] { heard.withLock { $0 } }

        init(_ broker: Broker, _ user: String, password: String? = nil, reads filters: [String] = []) throws {
            let box = Box()
            client = MQTTClient(
                MQTTSettings(
                    host: "localhost", port: UInt16(broker.port), isTLS: true,
                    certificates: broker.certificates,
                    user: user, password: password ?? user, clientID: "\(user)-\(UUID())",
                    filters: filters.map { MQTTFilter($0, .atLeastOnce) })
            ) { box.add($0) }
            self.box = box
            try client.start()
        }

        private let box: Box
        var all: [MQTTNews] { box.all }
        var topics: [String] {
            all.compactMap { if case .message(let message) = $0 { message.topic } else { nil } }
        }

        /// The broker's answer to a message of this user's.
        func reason(_ topic: String, _ token: UInt64) async throws -> MQTTReason {
            client.publish(MQTTMessage(topic: topic, payload: Array("x".utf8)), token: token)
            return try await eventually("an answer for \(topic)") {
                all.compactMap { if case .acknowledged(token, let reason) = $0 { reason } else { nil } }.first
            }
        }
    }

    private final class Box: Sendable {
        private let news = Mutex<[MQTTNews]>([])
        var all: [MQTTNews] { news.withLock { $0 } }
        func add(_ one: MQTTNews) { news.withLock { $0.append(one) } }
    }

    @Test
    func `each may say what is its own, orders come from who may give them, and nobody speaks for another`()
        async throws
    {
        let broker = try await Self.broker(try ScratchFolder())
        let own = "framefast/v1/host/host-a"
        let allowed: [(user: String, topics: [String])] = [
            (
                "host-a",
                [
                    "\(own)/status", "\(own)/online", "\(own)/camera/c0", "\(own)/event", "\(own)/reply/desk",
                    "\(own)/cmd/shoot", "homeassistant/device/host-a/config",
                    "framefast/v1/group/ring/cmd/shoot",
                ]
            ),
            ("host-b", ["framefast/v1/host/host-b/status", "homeassistant/device/host-b/config"]),
            (
                "desk",
                [
                    "\(own)/cmd/shoot", "framefast/v1/group/ring/cmd/shoot",
                    "framefast/v1/group/ring/cmd/session",
                ]
            ),
            ("viewer", []),
        ]
        let all = Set(allowed.flatMap(\.topics))
        for (user, topics) in allowed {
            let reader = try Reader(broker, user)
            for (number, topic) in all.sorted().enumerated() {
                let reason = try await reader.reason(topic, UInt64(number + 1))
                #expect(reason.isRefusal == !topics.contains(topic), "\(user) writes \(topic): \(reason)")
            }
            reader.client.stop()
        }
    }

    @Test func `each reads what it needs, and a wrong password lets nobody in`() async throws {
        let broker = try await Self.broker(try ScratchFolder())
        let topics = [
            "framefast/v1/host/+/status", "framefast/v1/host/+/event", "framefast/v1/group/+/cmd/+",
            "framefast/v1/host/+/cmd/+", "framefast/v1/host/+/reply/+",
        ]
        let readers = try ["host-b", "desk", "viewer"].map { try Reader(broker, $0, reads: topics) }
        let (a, desk) = (try Reader(broker, "host-a"), try Reader(broker, "desk"))
        for reader in readers + [a, desk] {
            try await eventually("everybody to be let in") { reader.all.contains(.connected) ? () : nil }
        }
        let said = ["status", "event", "reply/host-b", "reply/desk"].map { "framefast/v1/host/host-a/\($0)" }
        for (number, topic) in said.enumerated() { _ = try await a.reason(topic, UInt64(number + 1)) }
        let orders = [
            "framefast/v1/group/ring/cmd/shoot", "framefast/v1/host/host-a/cmd/shoot",
            "framefast/v1/host/host-b/cmd/end",
        ]
        for (number, topic) in orders.enumerated() { _ = try await desk.reason(topic, UInt64(number + 1)) }
        try await eventually("the last order") { readers[0].topics.contains(orders[2]) ? () : nil }
        // Another computer's orders, events and answers are not for it.
        #expect(Set(readers[0].topics) == [said[0], said[2], orders[0], orders[2]])
        try await eventually("the others to have all") {
            readers[1...].allSatisfy { Set($0.topics) == Set(said + orders) } ? () : nil
        }
        let stranger = try Reader(broker, "host-a", password: "wrong")
        try await eventually("a refusal") {
            stranger.all.contains {
                if case .lost(let reason) = $0 { reason.contains("refused") } else { false }
            } ? () : nil
        }
        #expect(!stranger.all.contains(.connected))
        for reader in readers + [a, desk, stranger] { reader.client.stop() }
    }
}
