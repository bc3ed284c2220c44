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

    @Test(
        arguments: [
            (.refused(.initFail(reason: 2)), "The camera at 10.0.0.7:15740 refuses the connection"),
            (.refused(.hungUp), "The camera at 10.0.0.7:15740 refuses the connection"),
            (.refused(.response(code: 0x2019)), "The camera at 10.0.0.7:15740 refuses the connection"),
            (.refused(.initFail(reason: 1)), "The camera at 10.0.0.7:15740 is waiting to be paired"),
            (.timeout, "No camera responded at 1 address(es)."),
        ] as [(ProbeFailure, String)])
    func `distinguishes a camera that refuses the connection from a missing camera`(
        failure: ProbeFailure, words: String
    ) throws {
        let miss = ProbeReport.Miss(address: try NetworkAddress("10.0.0.7"), failure: failure)
        let guidance = DiscoveryHandler.guidance(
            for: ProbeReport(misses: [miss]), .canon, try KnowledgeBase.bundled(), on: HostNetworks([]))
        #expect(guidance.sentence.hasPrefix(words))
        #expect(!guidance.steps.isEmpty)
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
