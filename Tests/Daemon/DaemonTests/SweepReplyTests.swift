import Cameras
import FrameFastAPI
import Testing

@testable import FrameFastDaemon

/// Tests of the progress of a sweep over all addresses.
@Suite struct SweepReplyTests {
    private static func network(_ address: String, _ mask: String) throws -> HostNetwork {
        HostNetwork(
            interface: "eth0", address: try #require(IPv4Address(address)),
            mask: try #require(IPv4Address(mask)))
    }

    @Test func `lists networks that are too large for a sweep`() throws {
        let sweep = NetworkSweep(
            of: HostNetworks([
                try Self.network("192.168.1.1", "255.255.255.0"), try Self.network("10.0.0.1", "255.255.0.0"),
                try Self.network("172.16.0.1", "255.240.0.0"),
            ]))
        let first = DiscoveryReply.Sweep(sweep, sweep.batch(after: nil))
        let tooLarge = ["10.0.0.0/16", "172.16.0.0/12"]
        #expect(first == .init(done: 128, total: 253, next: "192.168.1.129", tooLarge: tooLarge))
        let last = DiscoveryReply.Sweep(sweep, sweep.batch(after: IPv4Address("192.168.1.129")))
        #expect(last == .init(done: 253, total: 253, next: nil, tooLarge: tooLarge))
    }

    @Test func `lists no networks if all networks can be swept`() throws {
        let sweep = NetworkSweep(of: HostNetworks([try Self.network("192.168.1.1", "255.255.255.0")]))
        #expect(DiscoveryReply.Sweep(sweep, sweep.batch(after: nil)).tooLarge == [])
    }
}
