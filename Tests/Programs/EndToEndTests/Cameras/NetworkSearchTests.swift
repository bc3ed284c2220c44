import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the search for cameras that are not in the configuration. Each test creates a network with real
/// sockets and multicast, and without an external route.
@Suite(
    .serialized, .programs(4),
    .enabled(if: PrivateNetwork.isPossible, "network namespaces need root, ip and python3"))
struct NetworkSearchTests {
    private static func found(_ reply: DiscoveryReply) -> Set<String> { Set(reply.found.map(\.address)) }

    @Test func `finds cameras that announce themselves by mDNS or UPnP`() async throws {
        let folder = try ScratchFolder()
        let network = try await PrivateNetwork(
            folder, host: "10.77.0.1/24", cameras: ["10.77.0.20", "10.77.0.21", "10.77.0.22", "10.77.0.23"])
        let places: [(maker: String, host: String, port: Int)] = [
            ("nikon", "10.77.0.20", 15_741), ("canon", "10.77.0.21", 15_740), ("canon", "10.77.0.22", 15_740),
            ("generic", "10.77.0.23", 15_740),
        ]
        var cameras: [Simulator] = []
        for (index, place) in places.enumerated() {
            let camera = try await Simulator(
                folder, name: "sim\(index)", host: place.host, port: place.port,
                wrapper: network.studioWrapper, ["--maker", place.maker, "--serial", "N\(index)"])
            cameras.append(camera)
        }
        try await network.announce(
            on: "10.77.0.20",
            [
                "mdns=10.77.0.20:15741",
                "upnp=10.77.0.21:urn:schemas-canon-com:service:ICPO-WFTEOSSystemService:1",
                "device=10.77.0.22:Canon", "pointer=10.77.0.23", "noise=10.77.0.20",
            ])
        let rig = try DaemonRig(cameras: [])
        try await rig.start(wrapper: network.hostWrapper)
        var client = rig.client
        client.timeoutSeconds = 30
        let wanted = Set(places.map { "ptpip:\($0.host):\($0.port)" })
        // A search listens for three seconds. The search misses a camera with a later announcement.
        var last: DiscoveryReply?
        let reply = try await eventually("all cameras in one search: \(last as Any)", within: 60) {
            () -> DiscoveryReply? in
            let reply = try client.call(\.cameras.discover, .init()).value
            last = reply
            return Self.found(reply).isSuperset(of: wanted) ? reply : nil
        }
        #expect(Self.found(reply) == wanted, "\(reply)")
        #expect(reply.asking.isEmpty && reply.sweep == nil && reply.guidance == nil)
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("in the gate, another test of this suite has announcements of other devices"))
    func `does not probe devices other than cameras`() async throws {
        let folder = try ScratchFolder()
        let network = try await PrivateNetwork(folder, host: "10.77.0.1/24", cameras: ["10.77.0.30"])
        try await network.announce(on: "10.77.0.30", ["device=10.77.0.30:Loewe", "noise=10.77.0.30"])
        let rig = try DaemonRig(cameras: [])
        try await rig.start(wrapper: network.hostWrapper)
        var client = rig.client
        client.timeoutSeconds = 30
        let reply = try client.call(\.cameras.discover, .init()).value
        #expect(reply.found.isEmpty && reply.tried == 0, "\(reply)")
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("NetworkAddressTests covers the order of addresses"))
    func `sweeps every address of the network on request and reports progress`() async throws {
        let folder = try ScratchFolder()
        let network = try await PrivateNetwork(
            folder, host: "10.77.0.1/24", cameras: ["10.77.0.77", "10.77.0.254"])
        let near = try await Simulator(
            folder, name: "near", host: "10.77.0.77", port: 15_740, wrapper: network.studioWrapper,
            ["--serial", "NEAR"])
        let far = try await Simulator(
            folder, name: "far", host: "10.77.0.254", port: 15_740, wrapper: network.studioWrapper,
            ["--serial", "FAR"])
        let rig = try DaemonRig(cameras: [])
        try await rig.start(wrapper: network.hostWrapper)
        var client = rig.client
        client.timeoutSeconds = 30
        #expect(try client.call(\.cameras.discover, .init()).value.found.isEmpty, "no announcement")
        let first = try client.call(\.cameras.discover, .init(sweep: true)).value
        #expect(Self.found(first) == [near.address])
        // The sweep skips the service's own address. The first part covers .2 to .129.
        #expect(first.sweep == .init(done: 128, total: 253, next: "10.77.0.129"))
        let second = try client.call(\.cameras.discover, .init(sweep: true, after: first.sweep?.next)).value
        #expect(Self.found(second) == [far.address] && second.tried == 125)
        #expect(second.sweep == .init(done: 253, total: 253, next: nil))
        // A single `framefast` command sends both requests.
        let find = try RunningProgram(
            Programs.path("framefast"), ["cameras", "find", "--sweep", "--plain", "--socket", rig.socket],
            log: folder.url.appending(path: "find.log"))
        #expect(try await find.waitUntilExit(within: 60) == 0)
        for camera in [near, far] { #expect(find.output.contains("at \(camera.address)"), "\(find.output)") }
        #expect(find.output.contains("addresses tried: 253"), "\(find.output)")
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("SweepReplyTests covers the size of a network"))
    func `refuses to sweep a large network, with a next step`() async throws {
        let folder = try ScratchFolder()
        let network = try await PrivateNetwork(folder, host: "10.77.0.1/16", cameras: ["10.77.9.9"])
        let rig = try DaemonRig(cameras: [])
        try await rig.start(wrapper: network.hostWrapper)
        let client = rig.client
        let refusal = #expect(throws: ClientError.self) {
            try client.call(\.cameras.discover, .init(sweep: true))
        }
        guard case .refused(let detail) = refusal else {
            Issue.record("the service swept the network")
            return
        }
        #expect(detail.message.hasPrefix("cannot try every address of 10.77.0.0/16"))
        #expect(detail.nextStep == "Look up the address in the camera's network menu, and enter the address.")
        #expect(try await rig.stop() == 0)
    }
}
