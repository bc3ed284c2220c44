import FleetMessages
import Foundation
import FrameFastAPI
import FrameFastModel
import MQTT
import Testing

@testable import FleetLink

/// What a broker has told of the computers of a fleet.
@Suite struct FleetBoardTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func status(_ boot: String = "b1", at: Date = now, cameras: Int = 1) -> FleetHostStatus {
        FleetHostStatus(
            version: "1", boot: boot, startedAt: now, at: at, seq: 7, sessionName: "Wedding", camerasReady: 1,
            cameras: cameras, shots: 3, shotsToday: 2, diskFreeBytes: 1, diskGuard: .ok, uploadsWaiting: 0,
            uploadsFailed: 0, clock: .init(isKept: true, errorMs: 0.4), conditions: [])
    }

    static func camera(_ name: String, groups: [GroupName] = []) -> FleetCameraStatus {
        FleetCameraStatus(
            name: name, model: "X", state: .ready, groups: groups, batteryPercent: 80, shotsLeft: nil,
            lastSavedAt: nil)
    }

    static func message(_ topic: FleetTopic, _ value: some Encodable, retained: Bool = false) throws
        -> MQTTMessage
    {
        MQTTMessage(topic: topic.text, payload: Array(try WireCoder.encode(value)), isRetained: retained)
    }

    private static func say(_ board: inout FleetBoard, online word: String, _ host: FleetHostName) {
        board.take(.online(host), MQTTMessage(topic: "", payload: Array(word.utf8)), at: now)
    }

    @Test func `computers and cameras are known by their last word`() throws {
        var board = FleetBoard(host: "host-a")
        for host: FleetHostName in ["host-b", "host-a"] {
            Self.say(&board, online: "online", host)
            let topic = FleetTopic.status(host)
            board.take(topic, try Self.message(topic, Self.status()), at: Self.now)
            for name in ["c2", "c1"] {
                let topic = FleetTopic.camera(host, name)
                board.take(topic, try Self.message(topic, Self.camera(name, groups: ["ring"])), at: Self.now)
            }
        }
        let hosts = board.replies(at: Self.now)
        #expect(hosts.map(\.name) == ["host-a", "host-b"] && hosts.map(\.isSelf) == [true, false])
        #expect(hosts.allSatisfy { $0.state == .online && $0.cameras.map(\.name) == ["c1", "c2"] })
        #expect(board.hosts(with: "ring") == ["host-a", "host-b"] && board.hosts(with: "other") == [])
        // One that is gone has no cameras to shoot with, and its last word stays.
        Self.say(&board, online: "offline", "host-b")
        #expect(board.replies(at: Self.now).last?.state == .offline)
        #expect(board.replies(at: Self.now).last?.status?.sessionName == "Wedding")
        #expect(board.hosts(with: "ring") == ["host-a"])
        // An empty word takes a camera, or a computer, away.
        board.take(.camera("host-a", "c1"), MQTTMessage(topic: "", payload: []), at: Self.now)
        #expect(board.cameras(of: "host-a") == ["c2"])
        board.take(.status("host-b"), MQTTMessage(topic: "", payload: []), at: Self.now)
        #expect(board.replies(at: Self.now).map(\.name) == ["host-a"])
    }

    @Test func `who says nothing for long is silent, and never fine`() throws {
        var board = FleetBoard(host: "host-a")
        Self.say(&board, online: "online", "host-b")
        #expect(board.replies(at: Self.now).first?.state == .silent)
        let topic = FleetTopic.status("host-b")
        board.take(topic, try Self.message(topic, Self.status()), at: Self.now)
        #expect(board.replies(at: Self.now + 179).first?.state == .online)
        #expect(board.replies(at: Self.now + 181).first?.state == .silent)
        // What the broker had kept is as old as it says, by whatever clock.
        for (said, state) in [(-300.0, FleetHostReply.State.silent), (-10, .online), (+3_600, .online)] {
            let old = Self.status(at: Self.now + said)
            board.take(topic, try Self.message(topic, old, retained: true), at: Self.now)
            #expect(board.replies(at: Self.now).first?.state == state, "\(said)")
        }
    }

    @Test func `strangers' words cannot fill the memory, and nonsense changes nothing`() throws {
        var board = FleetBoard(host: "host-a")
        for number in 0..<FleetBoard.hostsMax + 10 {
            Self.say(&board, online: "online", FleetHostName(rawValue: "h\(number)"))
        }
        #expect(board.replies(at: Self.now).count == FleetBoard.hostsMax)
        for number in 0..<FleetBoard.camerasMax + 10 {
            let topic = FleetTopic.camera("h1", "c\(number)")
            board.take(topic, try Self.message(topic, Self.camera("c\(number)")), at: Self.now)
        }
        #expect(board.cameras(of: "h1").count == FleetBoard.camerasMax)
        let topic = FleetTopic.status("h2")
        for payload in [Array("{".utf8), [UInt8](repeating: 0x20, count: FleetBoard.bytesMax + 1)] {
            board.take(topic, MQTTMessage(topic: topic.text, payload: payload), at: Self.now)
        }
        #expect(board.boot(of: "h2") == nil)
        board.take(.event("h3"), MQTTMessage(topic: "", payload: []), at: Self.now)
        #expect(!board.replies(at: Self.now).contains { $0.name == "h3" && $0.status != nil })
    }
}
