import APIServer
import Testing

@testable import WebServer

/// Tests of addresses, and of the hosts under which a browser may request the page.
@Suite struct AddressTests {
    @Test(
        arguments: [
            ("127.0.0.1", .loopback), ("127.9.9.9", .loopback), ("::1", .loopback),
            ("10.0.0.1", .privateNetwork), ("172.16.0.1", .privateNetwork), ("172.31.255.1", .privateNetwork),
            ("172.32.0.1", .global), ("172.15.0.1", .global), ("192.168.1.20", .privateNetwork),
            ("192.169.1.20", .global), ("169.254.3.4", .linkLocal), ("100.64.0.1", .global),
            ("8.8.8.8", .global), ("fd12::1", .privateNetwork), ("fc00::1", .privateNetwork),
            ("fe80::1", .linkLocal), ("fe80::1%eth0", .linkLocal), ("fec0::1", .global),
            ("2001:db8::1", .global), ("::", .global), ("::ffff:192.168.1.20", .privateNetwork),
            ("::ffff:8.8.8.8", .global),
        ] as [(String, IPAddress.Scope)])
    func `address has the scope of its range`(text: String, scope: IPAddress.Scope) {
        #expect(IPAddress(text)?.scope == scope)
    }

    @Test(arguments: [
        "", "studio", "1.2.3", "0x7f.0.0.1", "127.1", "192.168.1.20.evil.test", "256.1.1.1", "[::1]",
    ])
    func `refuses text that is not an IP address`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("192.168.1.20", "192.168.1.20"), ("fd12:0:0::1", "[fd12::1]"),
        ("::ffff:192.168.1.20", "192.168.1.20"),
    ])
    func `host of a URL has brackets around an IPv6 address`(text: String, host: String) {
        #expect(IPAddress(text)?.urlHost == host)
    }

    @Test(arguments: [
        ("studio", "studio"), ("Studio.example.com", "studio"), ("my_host", nil), ("", nil), ("büro", nil),
    ])
    func `uses the first label of a host name in lower case`(name: String, label: String?) {
        #expect(LocalNetwork.label(of: name) == label)
    }

    private static let network = LocalNetwork(
        hostName: "studio",
        addresses: [
            "127.0.0.1", "192.168.1.20", "192.168.1.20", "203.0.113.9", "fe80::1", "fd12::1", "169.254.7.7",
        ]
        .compactMap { IPAddress($0) })

    private static func options(_ place: WebOptions.Place, names: [String] = []) -> WebOptions {
        WebOptions(
            place: place, isEncrypted: true, names: names, certificate: .folder("/nowhere"), policy: .init())
    }

    @Test func `listens only on loopback, private and IPv4 link-local addresses`() {
        let options = Self.options(.networks(port: 9480, includesPublic: false))
        #expect(
            options.addresses(of: Self.network).map(\.description)
                == ["127.0.0.1", "192.168.1.20", "fd12::1", "169.254.7.7"])
        #expect(options.urlHost(of: options.addresses(of: Self.network)) == "192.168.1.20")
    }

    @Test func `listens on public addresses only if the configuration allows it`() {
        let options = Self.options(.networks(port: 9480, includesPublic: true))
        #expect(options.addresses(of: Self.network).map(\.description).contains("203.0.113.9"))
        let loopback = Self.options(.computer(.loopback, port: 9480))
        #expect(loopback.addresses(of: Self.network) == [.loopback])
        #expect(!loopback.usesTLS)
    }

    struct HostRow: Sendable, CustomTestStringConvertible {
        var host: String
        var local = "192.168.1.20"
        var isAllowed: Bool
        var testDescription: String { "\(host) at \(local)" }
    }

    @Test(arguments: [
        HostRow(host: "192.168.1.20:9480", isAllowed: true), HostRow(host: "192.168.1.20", isAllowed: true),
        HostRow(host: "192.168.1.21:9480", isAllowed: false), HostRow(host: "studio:9480", isAllowed: true),
        HostRow(host: "STUDIO.local:9480", isAllowed: true), HostRow(host: "photos.example", isAllowed: true),
        HostRow(host: "evil.test:9480", isAllowed: false),
        HostRow(host: "studio.evil.test", isAllowed: false),
        HostRow(host: "192.168.1.20.evil.test", isAllowed: false),
        HostRow(host: "localhost", isAllowed: false),
        HostRow(host: "localhost:9480", local: "127.0.0.1", isAllowed: true),
        HostRow(host: "127.0.0.1:9480", local: "127.0.0.1", isAllowed: true),
        HostRow(host: "127.0.0.1:9480", isAllowed: false),
        HostRow(host: "[fd12::1]:9480", local: "fd12::1", isAllowed: true),
        HostRow(host: "[192.168.1.20]", isAllowed: false), HostRow(host: "[studio]", isAllowed: false),
    ])
    func `accepts only hosts that name this server`(row: HostRow) throws {
        let rule = HostRule(network: Self.network, configured: ["Photos.example"])
        let peer = WebPeer(
            remote: try #require(IPAddress("192.168.1.50")), local: try #require(IPAddress(row.local)),
            isEncrypted: true)
        let authority = try #require(RequestAuthority(row.host))
        #expect(rule.allows(authority, from: peer) == row.isAllowed)
    }

    @Test(arguments: ["", ":9480", "studio:", "studio:x", "studio:99999", "studio:1:2", "[::1", "[::1]x"])
    func `refuses a malformed authority`(text: String) {
        #expect(RequestAuthority(text) == nil)
    }

    @Test(arguments: [
        ("192.168.1.50", true), ("127.0.0.1", true), ("fe80::2", true), ("8.8.8.8", false),
        ("2001:db8::1", false),
    ])
    func `serves no device with a global address`(remote: String, isAllowed: Bool) throws {
        let peer = WebPeer(
            remote: try #require(IPAddress(remote)), local: .loopback, isEncrypted: true)
        #expect(peer.isAllowed == isAllowed)
    }
}
