import Cameras
import FrameFastAPI
import FrameFastModel
import Makers
import Testing

@testable import FrameFastDaemon

/// Tests of the guidance after a search that found no camera.
@Suite struct DiscoveryGuidanceTests {
    private static func network(_ interface: String, _ address: String) throws -> HostNetwork {
        HostNetwork(
            interface: interface, address: try #require(IPv4Address(address)),
            mask: try #require(IPv4Address("255.255.255.0")))
    }

    @Test func `names the interfaces that are in the same network`() throws {
        let knowledge = try KnowledgeBase.bundled()
        let ethernet = try Self.network("eth0", "192.168.1.4")
        func steps(_ networks: HostNetwork...) -> [String] {
            DiscoveryHandler.guidance(for: ProbeReport(), .sony, knowledge, on: HostNetworks(networks)).steps
        }
        let general = steps(ethernet)
        let shared = steps(ethernet, try Self.network("wlan0", "192.168.1.105"))
        #expect(shared.dropLast() == general[...])
        #expect(shared.last?.contains("(eth0, wlan0)") == true)
    }
}
