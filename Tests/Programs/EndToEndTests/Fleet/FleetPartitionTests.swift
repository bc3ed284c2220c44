import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// A fleet whose network is cut in two: each half on its own, and together again.
@Suite(
    .serialized, .enabled(if: PrivateNetwork.isPossible, "needs root, and a kernel that makes networks"))
struct FleetPartitionTests {
    /// Addresses of the half with the broker, and of the other.
    private static let (near, far) = ("10.78.0.1", "10.78.0.2")
    private static let cameras = 2

    /// An order as another program would send it.
    private struct Order: Encodable {
        var id: String
        var issuedAt = Date()
        var expiresAt: Date
        var group = "ring"
    }

    /// What a reader needs of an event.
    private struct Event: Decodable, Hashable {
        var kind: String
        var boot: String
        var seq: Int64
    }

    private func shell(_ line: String, _ wrapper: [String], _ folder: ScratchFolder) async throws {
        let program = try RunningProgram(
            URL(filePath: "/bin/sh"), ["-ec", line], log: folder.url.appending(path: "\(UUID()).log"),
            wrapper: wrapper)
        #expect(try await program.ended() == 0, "\(program.output)")
    }

    @Test
    func
        `a half that is cut off takes its photos, carries out no order of that time, and tells each photo once`()
        async throws
    {
        let folder = try ScratchFolder()
        let network = try await PrivateNetwork(folder, host: "\(Self.near)/24", cameras: [Self.far])
        let broker = try await Broker(folder, address: Self.near, wrapper: network.hostWrapper)
        let reader = try RunningProgram(
            ServerPrograms.mosquittoReader,
            [
                "-h", Self.near, "-p", "\(broker.port)", "-V", "5", "-q", "1", "-t",
                "framefast/v1/host/far/event",
            ],
            log: folder.url.appending(path: "events.log"), wrapper: network.hostWrapper)
        let (near, _) = try await FleetTests.host(
            "near", broker, folder, cameras: 0, wrapper: network.hostWrapper)
        let (far, cameras) = try await FleetTests.host(
            "far", broker, folder, cameras: Self.cameras, wrapper: network.studioWrapper)
        try await eventually("the other half to be known") {
            try FleetTests.hosts(near)["far"]?.status?.camerasReady == Self.cameras ? () : nil
        }

        try await shell("ip link set eth0 down", network.studioWrapper, folder)
        try await eventually("the cut to be known on both sides") {
            let isCutOff = try far.client.call(\.fleet.list).value.broker.state == .away
            return try isCutOff && FleetTests.hosts(near)["far"]?.state == .offline ? () : nil
        }
        try cameras[0].command("burst 3 0")
        try await far.saved(3)
        // The broker keeps this one for whoever comes, and it is not too old: only that it was kept speaks against it.
        let kept = Order(id: "kept", expiresAt: Date() + 50)
        let payload = String(decoding: try WireCoder.encode(kept), as: UTF8.self)
        try await shell(
            "exec \(ServerPrograms.mosquittoWriter.path) -h \(Self.near) -p \(broker.port) -V 5 -q 1 -r"
                + " -t framefast/v1/host/far/cmd/shoot -m '\(payload)'", network.hostWrapper, folder)
        let refused = #expect(throws: ClientError.self) {
            try near.client.call(\.fleet.shoot, "ring", .init(inMs: 1_500))
        }
        #expect("\(refused.map { "\($0)" } ?? "")".contains("no computer of the fleet"))

        try await shell("ip link set eth0 up", network.studioWrapper, folder)
        try await eventually("both halves to be one again") {
            let broker = try far.client.call(\.fleet.list).value.broker
            return try broker.state == .connected && broker.waiting == 0
                && FleetTests.hosts(near)["far"]?.status?.shots == 3 ? () : nil
        }
        try await eventually("the kept order to be refused") {
            far.log.contains("an order was refused") && far.log.contains("the broker had kept it") ? () : nil
        }
        let shot = try near.client.call(\.fleet.shoot, "ring", .init(inMs: 1_500)).value
        #expect(shot.fired == Self.cameras && shot.silent.isEmpty)
        try await far.saved(3 + Self.cameras)
        // A broker may say a thing twice; who leaves out what it has already has each photo once.
        func saved() throws -> Set<Event> {
            Set(
                try reader.output.split(separator: "\n")
                    .map { try WireCoder.decode(Event.self, from: Data($0.utf8)) }.filter {
                        $0.kind == "saved"
                    })
        }
        try await eventually("all events") { try saved().count >= 3 + Self.cameras ? () : nil }
        #expect(try saved().count == 3 + Self.cameras)
        #expect(try far.status().captures.total == 3 + Self.cameras)
        #expect(try await far.stop() == 0)
        #expect(try await near.stop() == 0)
    }
}
