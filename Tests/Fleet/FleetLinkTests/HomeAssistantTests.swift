import FleetMessages
import Foundation
import FrameFastAPI
import FrameFastModel
import MQTT
import TestRig
import Testing

@testable import FleetLink

@Suite struct HomeAssistantTests {
    private static let host: FleetHostName = "booth 7"
    private static let device = HomeAssistantDevice(
        host: host, version: "0.1.0", cameras: [FleetBoardTests.camera("left/1")], groups: ["o'ring {{ 1 }}"])

    @Test func `one message says what there is, and where it is read`() throws {
        let config = try JSONEncoder.homeAssistant.encode(Self.device)
        let object = try #require(try JSONSerialization.jsonObject(with: config) as? [String: Any])
        let components = try #require(object["components"] as? [String: [String: Any]])
        #expect(
            components.keys.sorted() == [
                "battery_left%2F1", "cameras_ready", "disk_free", "event", "problem", "shoot_o'ring {{ 1 }}",
                "shots_today", "uploads_waiting",
            ])
        #expect(HomeAssistantDevice.topic(of: Self.host) == "homeassistant/device/booth 7/config")
        #expect(object["availability_topic"] as? String == FleetTopic.online(Self.host).text)
    }

    /// The fields as its documents have them, and the templates by the template engine that it uses.
    @Test(.enabled(if: ServerPrograms.has(ServerPrograms.python), "needs scripts/prepare-test-servers"))
    func `Home Assistant can read it, show it and give its order`() async throws {
        let scratch = try ScratchFolder()
        let event = """
            {"at":"2026-11-26T20:00:00.000Z","boot":"b1","facts":{"camera":"left","name":"IMG_1.JPG"},\
            "host":"booth 7","kind":"saved","seq":12}
            """
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try WireCoder.encode(value), as: UTF8.self)
        }
        let config = String(decoding: try JSONEncoder.homeAssistant.encode(Self.device), as: UTF8.self)
        let input = scratch.url.appending(path: "said.json")
        try Data(
            """
            {"config":\(config),"status":\(try text(FleetBoardTests.status())),"event":\(event),\
            "camera":\(try text(FleetBoardTests.camera("left/1")))}
            """.utf8
        ).write(to: input)
        let script = ServerPrograms.rig.appending(path: "home_assistant.py").path
        let (status, output) = try await RunningProgram.run(
            URL(filePath: "/bin/sh"),
            ["-c", "exec \"$0\" \"$1\" < \"$2\"", ServerPrograms.python.path, script, input.path], in: scratch
        )
        try #require(status == 0, "\(output)")
        let shown = try JSONDecoder().decode([String: String].self, from: Data(output.utf8))
        #expect(shown["battery_left%2F1"] == "80" && shown["shots_today"] == "2" && shown["problem"] == "OFF")
        // The button's order is one that this computer carries out, whatever the group is called.
        let order = try #require(shown["shoot_o'ring {{ 1 }}"])
        let message = MQTTMessage(
            topic: FleetTopic.hostOrder(Self.host, verb: "shoot").text, payload: Array(order.utf8))
        let check = OrderCheck(host: Self.host, accept: [.shoot], clockErrorMaxMs: 20)
        let found = try check.order(
            message, topic: .hostOrder(Self.host, verb: "shoot"), groups: ["o'ring {{ 1 }}"], now: Date(),
            clockErrorMs: nil)
        #expect(found.group == "o'ring {{ 1 }}" && found.order.id.hasPrefix("ha-"))
    }
}
