import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// The page for the local network, from another computer: who is answered, and who is not.
@Suite(
    .serialized, .enabled(if: PrivateNetwork.isPossible, "needs root, and a kernel that makes networks"))
struct WebNetworkTests {
    /// Addresses of the service and of the other computer.
    private static let (own, other) = ("10.77.0.1", "10.77.0.2")
    private static let (ownOfSix, otherOfSix) = ("fd00:77::1", "fd00:77::2")
    /// Of a network that is nobody's own (RFC 5737).
    private static let (ownInPublic, otherInPublic) = ("203.0.113.1", "203.0.113.2")

    private func network(_ folder: ScratchFolder) async throws -> PrivateNetwork {
        let network = try await PrivateNetwork(folder, host: "\(Self.own)/24", cameras: [Self.other])
        let more = [
            (network.hostWrapper, Self.ownInPublic, Self.ownOfSix),
            (network.studioWrapper, Self.otherInPublic, Self.otherOfSix),
        ]
        for (index, (wrapper, four, six)) in more.enumerated() {
            let setup = try RunningProgram(
                URL(filePath: "/bin/sh"),
                ["-ec", "ip addr add \(four)/24 dev eth0; ip addr add \(six)/64 dev eth0 nodad"],
                log: folder.url.appending(path: "more\(index).net"), wrapper: wrapper)
            #expect(try await setup.ended() == 0, "\(setup.output)")
        }
        return network
    }

    /// What curl on the other computer is answered: the status, 0 when nobody listens there.
    private func ask(
        _ network: PrivateNetwork, _ folder: ScratchFolder, _ host: String, _ path: String = "/",
        _ arguments: [String] = ["-k"]
    ) async throws -> Int {
        let curl = try RunningProgram(
            URL(filePath: "/usr/bin/curl"),
            ["-gs", "-m", "10", "-o", "/dev/null", "-w", "%{http_code}"] + arguments
                + ["https://\(host):9480\(path)"],
            log: folder.url.appending(path: "curl-\(UUID().uuidString).log"), wrapper: network.studioWrapper)
        _ = try await curl.ended()
        return Int(curl.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    @Test func `private addresses of both protocols are answered, and no others`() async throws {
        let folder = try ScratchFolder()
        let network = try await network(folder)
        let rig = try DaemonRig(cameras: [], tables: ["[web]", "listen = \"lan\""])
        try await rig.start(wrapper: network.hostWrapper)
        try await eventually("the page") {
            try await ask(network, folder, Self.own) == 200 ? () : nil
        }
        #expect(try await ask(network, folder, "[\(Self.ownOfSix)]") == 200)
        #expect(try await ask(network, folder, Self.ownInPublic) == 403)
        // By an address of ours, from one that is nobody's own; and as another computer's name would bring a browser here.
        let elsewhere = ["-k", "--interface", Self.otherInPublic]
        #expect(try await ask(network, folder, Self.ownInPublic, "/", elsewhere) == 403)
        #expect(try await ask(network, folder, Self.own, "/", ["-k", "-H", "Host: evil.example"]) == 421)
        #expect(try await ask(network, folder, Self.own, "/v1/shots") == 401)
        // What it says of itself: where it is, and a certificate that is for just that.
        let pair = try rig.client.call(\.web.pair, .init(role: .owner)).value
        #expect(pair.url.hasPrefix("https://\(Self.own):9480/#"))
        let certificate = rig.folder.path("state/web/certificate.pem")
        for host in [Self.own, "[\(Self.ownOfSix)]"] {
            #expect(try await ask(network, folder, host, "/", ["--cacert", certificate]) == 200, "\(host)")
        }
        #expect(rig.log.contains("the page is served"))
        let check = try rig.client.call(\.service.diagnosis).value.checks.first { $0.id == "page" }
        #expect(check?.sentence.contains("https://\(Self.own):9480/") == true)
        #expect(try await rig.stop() == 0)
    }

    @Test func `a page for this computer is not there for another`() async throws {
        let folder = try ScratchFolder()
        let network = try await network(folder)
        let rig = try DaemonRig(cameras: [], tables: ["[web]", "listen = \"127.0.0.1:9480\""])
        try await rig.start(wrapper: network.hostWrapper)
        try await eventually("the page") { rig.log.contains("the page is served") ? () : nil }
        for host in [Self.own, "[\(Self.ownOfSix)]", Self.ownInPublic] {
            #expect(try await ask(network, folder, host) == 0, "\(host)")
        }
        #expect(try await rig.stop() == 0)
    }
}
