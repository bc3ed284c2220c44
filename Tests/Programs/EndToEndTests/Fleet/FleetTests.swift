import APIClient
import Foundation
import FrameFastAPI
import FrameFastModel
import Synchronization
import TestRig
import Testing

/// Services that talk through a real broker.
@Suite(.serialized) struct FleetTests {
    private static let each = 2

    /// A service with cameras in the group `ring`, as a computer of a fleet.
    ///
    /// - Parameter wrapper: Put before its program and its cameras'.
    static func host(
        _ name: String, _ broker: Broker, _ folder: ScratchFolder, cameras each: Int = each,
        accept: String = "[\"shoot\", \"session\"]",
        more: [String] = [], wrapper: [String] = []
    ) async throws -> (DaemonRig, [Simulator]) {
        var cameras: [Simulator] = []
        for index in 0..<each {
            cameras.append(
                try await Simulator(
                    folder, name: "\(name)-c\(index)", wrapper: wrapper,
                    ["--maker", "canon", "--size", "100KB", "--serial", "\(name)\(index)"]))
        }
        let names = cameras.indices.map { "\(name)-c\($0)" }
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let group = names.isEmpty ? [] : ["[[group]]", "name = \"ring\"", "cameras = [\(list)]"]
        let fleet = [
            "[fleet]", "broker = \"mqtt://\(broker.address):\(broker.port)\"", "name = \"\(name)\"",
            "accept = \(accept)", "clock_error_max = \"1 min\"",
        ]
        let rig = try DaemonRig(
            cameras: zip(names, cameras).map { ($0, $1.address) }, tables: group + fleet + more)
        try await rig.start(wrapper: wrapper)
        try await rig.status("its cameras") { status in
            status.cameras.count == each && status.cameras.allSatisfy { $0.state == .ready }
        }
        return (rig, cameras)
    }

    static func hosts(_ rig: DaemonRig) throws -> [String: FleetHostReply] {
        Dictionary(
            try rig.client.call(\.fleet.list).value.hosts.map { ($0.name.rawValue, $0) },
            uniquingKeysWith: { $1 })
    }

    @Test func `two computers are seen from each, and release their shutters at one moment`() async throws {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        let (a, camerasOfA) = try await Self.host("host-a", broker, folder)
        let (b, camerasOfB) = try await Self.host("host-b", broker, folder)
        try await eventually("both to be known at a") {
            let hosts = try Self.hosts(a)
            return hosts.count == 2
                && hosts.values.allSatisfy {
                    $0.state == .online && $0.status?.camerasReady == Self.each
                        && $0.cameras.count == Self.each
                }
                ? () : nil
        }
        let shot = try a.client.call(\.fleet.shoot, "ring", .init(inMs: 1_500)).value
        #expect(shot.fired == 2 * Self.each && shot.silent.isEmpty)
        #expect(shot.hosts.map(\.name) == ["host-a", "host-b"] && shot.hosts.allSatisfy { $0.reason == nil })
        try await a.saved(Self.each)
        try await b.saved(Self.each)

        // A photo that is taken on one is known on the other.
        try camerasOfA[1].command("shoot")
        try await eventually("the photo to be counted at b") {
            try Self.hosts(b)["host-a"]?.status?.shots == Self.each + 1 ? () : nil
        }
        try camerasOfB[0].command("shoot")
        try await eventually("the photo to be counted") {
            try Self.hosts(a)["host-b"]?.status?.shots == Self.each + 1 ? () : nil
        }
        // One that is killed is known as gone, by the broker's own word.
        try await b.kill()
        try await eventually("b to be gone") { try Self.hosts(a)["host-b"]?.state == .offline ? () : nil }
        try await b.start()
        try await eventually("b to be back") { try Self.hosts(a)["host-b"]?.state == .online ? () : nil }
        // So is one that hangs, or whose cable is pulled, and it is there again when it goes on.
        b.freeze(true)
        try await eventually("b to be lost") { try Self.hosts(a)["host-b"]?.state == .offline ? () : nil }
        b.freeze(false)
        try await eventually("b to go on") { try Self.hosts(a)["host-b"]?.state == .online ? () : nil }
        #expect(try await a.stop() == 0)
        try await eventually("a's goodbye") { try Self.hosts(b)["host-a"]?.state == .offline ? () : nil }
        #expect(try await b.stop() == 0)
    }

    @Test func `a computer does what it accepts, and photos are taken whatever the broker does`() async throws
    {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        let (rig, cameras) = try await Self.host("host-a", broker, folder, accept: "[]")
        try await eventually("itself") {
            try Self.hosts(rig)["host-a"]?.cameras.count == Self.each ? () : nil
        }
        let refused = try rig.client.call(\.fleet.shoot, "ring", .init(inMs: 1_500)).value
        #expect(refused.fired == 0 && refused.hosts.first?.reason?.contains("accept") == true)

        for fault in ["killed", "frozen"] {
            if fault == "killed" { try await broker.kill() } else { broker.signal(SIGSTOP) }
            let before = try rig.status().captures.shots
            try cameras[0].command("burst 5 0")
            try await rig.saved(before + 5)
            if fault == "killed" {
                try await eventually("the loss") {
                    try rig.client.call(\.fleet.list).value.broker.state == .away ? () : nil
                }
                try await broker.start()
            } else {
                broker.signal(SIGCONT)
            }
            try await eventually("events of the outage to be told after it was \(fault)") {
                let broker = try rig.client.call(\.fleet.list).value.broker
                return broker.state == .connected && broker.waiting == 0 ? () : nil
            }
        }
        #expect(try await rig.stop() == 0)
    }

    @Test func `no computer without a broker is in a fleet`() async throws {
        let rig = try DaemonRig(cameras: [])
        try await rig.start()
        let refused = #expect(throws: ClientError.self) { try rig.client.call(\.fleet.list) }
        #expect("\(refused.map { "\($0)" } ?? "")".contains("no fleet"))
        #expect(try await rig.stop() == 0)
    }
}
