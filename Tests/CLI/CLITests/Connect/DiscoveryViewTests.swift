import Foundation
import FrameFastAPI
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of the reports about a search on the network.
@Suite struct DiscoveryViewTests {
    static func reply(_ tooLarge: [String], found: [DiscoveryReply.Found] = []) -> DiscoveryReply {
        DiscoveryReply(
            found: found, failures: [], tried: 253,
            sweep: .init(done: 253, total: 253, next: nil, tooLarge: tooLarge))
    }

    @Test(
        arguments: [
            ([], nil),
            (
                ["10.0.0.0/16"],
                "10.0.0.0/16 is too large to search. To find a camera there, enter the address that its network menu shows."
            ),
            (
                ["10.0.0.0/16", "172.16.0.0/12"],
                "10.0.0.0/16 and 172.16.0.0/12 are too large to search. To find a camera there, enter the address that its network menu shows."
            ),
        ] as [([String], String?)])
    func `names the networks that a sweep skipped, with advice`(tooLarge: [String], sentence: String?) {
        #expect(DiscoveryWords.skippedNetworks(Self.reply(tooLarge)) == sentence)
    }

    @Test func `a sweep keeps the guidance about a camera that refused the connection`() {
        func part(_ kind: ProbeFailureKind, _ sentence: String) -> DiscoveryReply {
            DiscoveryReply(
                found: [], failures: [.init(kind: kind, count: 1)], tried: 1,
                guidance: GuidanceReply(sentence: sentence))
        }
        let refused = part(.refused, "The camera refuses the connection.")
        let silent = part(.timeout, "No camera responded at 1 address(es).")
        #expect(refused.merging(silent).guidance == refused.guidance)
        #expect(silent.merging(refused).guidance == refused.guidance)
        #expect(silent.merging(silent).guidance?.sentence == "No camera responded at 2 address(es).")
    }

    @Test(arguments: [("ptpip:192.168.1.5", true), ("ptpip:192.168.1.9", false), ("usb:001,004", false)])
    func `names the steps for a known camera with a new address`(port: String, isMoved: Bool) {
        let found = DiscoveryReply.Found(
            address: "ptpip:192.168.1.9:15740", cameraName: "Z 9", camera: EverydayScenes.cameras[2].id)
        var camera = EverydayScenes.cameras[2]
        camera.port = port
        let plain = DiscoveryView(reply: Self.reply([], found: [found]), json: Data(), cameras: [camera])
            .plain()
        let id = camera.id.rawValue
        #expect(
            plain.contains("\(id) has a new address. The service still uses 192.168.1.5.") == isMoved,
            "\(plain)")
        #expect(plain.contains { $0.contains("framefast cameras forget \(id)") } == isMoved)
        #expect(plain.contains { $0.contains("framefast cameras add 192.168.1.9") } == isMoved)
    }

    @Test func `the plain output of the verb find lists skipped networks`() {
        let camera = DiscoveryReply.Found(address: "ptpip:192.168.1.5:15740", cameraName: "Z 9")
        let view = DiscoveryView(reply: Self.reply(["10.0.0.0/16"], found: [camera]), json: Data())
        #expect(view.plain().last == "not searched: 10.0.0.0/16")
        let without = DiscoveryView(reply: Self.reply([], found: [camera]), json: Data())
        #expect(!without.plain().contains { $0.hasPrefix("not searched") })
    }
}
