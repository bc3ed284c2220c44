import Foundation
import Glibc
import Synchronization
import TestRig
import Testing

@testable import MQTT

/// A client and a real broker.
@Suite struct MQTTClientTests {
    /// What a client told, in order.
    private final class Ear: Sendable {
        private let heard = Mutex<[MQTTNews]>([])

        var news: [MQTTNews] { heard.withLock { $0 } }
        var messages: [MQTTMessage] {
            news.compactMap { if case .message(let message) = $0 { message } else { nil } }
        }
        var connections: Int { news.count { $0 == .connected } }

        func hear(_ one: MQTTNews) { heard.withLock { $0.append(one) } }
        func answer(to token: UInt64) -> MQTTReason? {
            news.compactMap {
                if case .acknowledged(token, let reason) = $0 { reason } else { nil }
            }.first
        }
    }

    private static func settings(_ broker: Broker, _ id: String, _ filters: [MQTTFilter] = []) -> MQTTSettings
    {
        MQTTSettings(host: "127.0.0.1", port: UInt16(broker.port), clientID: id, filters: filters)
    }

    private static func client(_ settings: MQTTSettings) async throws -> (MQTTClient, Ear) {
        let ear = Ear()
        let client = MQTTClient(settings) { ear.hear($0) }
        try client.start()
        try await eventually("the client to be let in: \(ear.news)") { ear.connections > 0 ? () : nil }
        return (client, ear)
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `messages arrive with all that belongs to them, and the broker's answers come back`()
        async throws
    {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        let (reader, heard) = try await Self.client(
            Self.settings(broker, "reader", [.init("a/#", .atLeastOnce)]))
        let (writer, answers) = try await Self.client(Self.settings(broker, "writer"))
        let message = MQTTMessage(
            topic: "a/b", payload: Self.bytes("fire"), expirySeconds: 60, responseTopic: "reply/x",
            correlation: [0, 255, 7])
        #expect(writer.publish(message, token: 7) && writer.publish(.init(topic: "c", payload: []), token: 8))
        let got = try await eventually("the message") { heard.messages.first }
        #expect((got.topic, got.payload, got.quality) == ("a/b", Self.bytes("fire"), .atLeastOnce))
        #expect((got.responseTopic, got.correlation, got.isRetained) == ("reply/x", [0, 255, 7], false))
        #expect((got.expirySeconds ?? 0) > 50)
        try await eventually("both answers") { answers.answer(to: 8) != nil ? () : nil }
        #expect(answers.answer(to: 7) == .success && answers.answer(to: 8) == .nobodyListens)
        reader.stop()
        writer.stop()
    }

    @Test func `what is too long is not taken, and the connection stands`() async throws {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        let (reader, heard) = try await Self.client(
            Self.settings(broker, "reader", [.init("a/#", .atLeastOnce)]))
        let (writer, _) = try await Self.client(Self.settings(broker, "writer"))
        let most = MQTTMessage.payloadBytesMax
        writer.publish(.init(topic: "a/long", payload: .init(repeating: 1, count: most + 1)))
        writer.publish(.init(topic: "a/most", payload: .init(repeating: 1, count: most)))
        try await eventually("the message that may be") { heard.messages.first }
        #expect(heard.messages.map(\.topic) == ["a/most"] && heard.connections == 1)
        reader.stop()
        writer.stop()
    }

    @Test func `a broker that is killed and comes back is found again, and one that hangs is given up`()
        async throws
    {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        var settings = Self.settings(broker, "host")
        settings.keepAliveSeconds = 5
        let (client, ear) = try await Self.client(settings)
        try await broker.kill()
        try await eventually("the loss to be told") {
            ear.news.contains { if case .lost = $0 { true } else { false } } ? () : nil
        }
        try await broker.start()
        try await eventually("a second connection") { ear.connections == 2 ? () : nil }
        let losses = ear.news.count
        broker.signal(SIGSTOP)
        try await eventually("the silence to be told") { ear.news.count > losses ? () : nil }
        broker.signal(SIGCONT)
        try await eventually("a third connection") { ear.connections == 3 ? () : nil }
        client.stop()
    }

    @Test func `the broker tells the will of one that is lost, and not of one that says goodbye`()
        async throws
    {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        let (reader, heard) = try await Self.client(
            Self.settings(broker, "reader", [.init("will/+", .atMostOnce)]))
        var leaving = Self.settings(broker, "leaving")
        leaving.will = MQTTMessage(topic: "will/leaving", payload: Self.bytes("offline"), isRetained: true)
        var taken = Self.settings(broker, "taken")
        taken.will = MQTTMessage(topic: "will/taken", payload: Self.bytes("offline"), isRetained: true)
        let (polite, _) = try await Self.client(leaving)
        polite.stop()
        let (first, lost) = try await Self.client(taken)
        // Another one with the same id takes its place: the broker cuts the first off.
        let (second, _) = try await Self.client(taken)
        try await eventually("the first to be cut off") {
            lost.news.contains { if case .lost = $0 { true } else { false } } ? () : nil
        }
        first.stop()
        try await eventually("its will") { heard.messages.first { $0.topic == "will/taken" } }
        #expect(!heard.messages.contains { $0.topic == "will/leaving" })
        second.stop()
        reader.stop()
    }

    @Test func `who has a wrong password is told so, and who may not write somewhere as well`() async throws {
        let folder = try ScratchFolder()
        let (passwords, rules) = (folder.path("passwords"), folder.path("rules"))
        try "host-a:secret\n".write(toFile: passwords, atomically: true, encoding: .utf8)
        try "pattern readwrite host/%u/#\n".write(toFile: rules, atomically: true, encoding: .utf8)
        let hashing = try RunningProgram(
            ServerPrograms.mosquittoPasswords, ["-U", passwords],
            log: folder.url.appending(path: "passwd.log"))
        #expect(try await hashing.ended() == 0)
        let broker = try await Broker(
            folder, ["password_file \(passwords)", "acl_file \(rules)"], isAnonymous: false)
        var settings = Self.settings(broker, "host-a")
        settings.user = "host-a"
        settings.password = "wrong"
        let ear = Ear()
        let refused = MQTTClient(settings) { ear.hear($0) }
        try refused.start()
        let loss = try await eventually("the refusal") {
            ear.news.compactMap { if case .lost(let reason) = $0 { reason } else { nil } }.first
        }
        #expect(loss.localizedStandardContains("authorized"), "\(loss)")
        refused.stop()
        settings.password = "secret"
        let (client, answers) = try await Self.client(settings)
        client.publish(.init(topic: "host/host-b/status", payload: [1]), token: 1)
        client.publish(.init(topic: "host/host-a/status", payload: [1]), token: 2)
        try await eventually("both answers") { answers.answer(to: 2) != nil ? () : nil }
        #expect(answers.answer(to: 1) == .notAuthorized && answers.answer(to: 2)?.isRefusal == false)
        client.stop()
    }

    @Test func `a broker that is nowhere is named, and a client that is stopped gives up`() async throws {
        let port = try LoopbackPort.free()
        let ear = Ear()
        let client = MQTTClient(.init(host: "127.0.0.1", port: UInt16(port), clientID: "x")) { ear.hear($0) }
        try client.start()
        let loss = try await eventually("the loss") {
            ear.news.compactMap { if case .lost(let reason) = $0 { reason } else { nil } }.first
        }
        #expect(loss == "cannot reach 127.0.0.1 port \(port): Connection refused")
        client.stop()
        #expect(!client.publish(.init(topic: "a", payload: [])))
    }
}
