import Testing

@testable import Cameras

@Suite struct AnnouncementTests {
    private static let service: [UInt8] =
        [4] + Array("_ptp".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0]

    private static func record(_ name: [UInt8], _ kind: UInt8, _ data: [UInt8]) -> [UInt8] {
        name + [0, kind, 0x80, 1, 0, 0, 0, 120, 0, UInt8(data.count)] + data
    }

    /// Returns a response with a question and these records.
    private static func response(_ records: [[UInt8]], flags: UInt8 = 0x84) -> [UInt8] {
        [0, 0, flags, 0, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0] + service + [0, 12, 0, 1]
            + records.flatMap(\.self)
    }

    private static let instance: [UInt8] = [3] + Array("Z 9".utf8)
    private static let pointer = record([0xC0, 12], 12, instance + [0xC0, 12])
    private static let place = record(instance + [0xC0, 12], 33, [0, 0, 0, 0, 0x3D, 0x7D, 0xC0, 12])

    @Test func `multicast DNS query requests PTP services and a unicast response`() {
        #expect(
            MulticastDNS.query == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Self.service + [0, 12, 0x80, 1])
    }

    @Test(
        arguments: [
            (response([pointer, place]), [15_741]), (response([place, pointer]), [15_741]),
            (response([pointer]), [nil]), (response([place]), [15_741]), (response([]), []),
            (response([pointer, place], flags: 0x04), []), ([], []),
            (response([pointer, place]).dropLast(9), [nil]),
            // Another service.
            (response([record([4] + Array("_ipp".utf8) + [0xC0, 17], 12, instance + [0xC0, 17])]), []),
            // A port of 0 is invalid.
            (response([pointer, record(instance + [0xC0, 12], 33, [0, 0, 0, 0, 0, 0, 0])]), [nil]),
        ] as [([UInt8], [UInt16?])])
    func `reads ports from a multicast DNS response and ignores truncated records`(
        bytes: [UInt8], ports: [UInt16?]
    ) {
        #expect(MulticastDNS.ports(inResponse: bytes) == ports)
    }

    @Test func `rejects DNS name pointers that point forward or past the end`() {
        let start = UInt8(Self.response([]).count)
        for target in [start, start + 1, 0xFF] {
            let bytes = Self.response([Self.record([0xC0, target], 12, [0xC0, 12])])
            #expect(MulticastDNS.ports(inResponse: bytes) == [])
        }
    }

    private static func reply(
        _ location: String, status: String = "HTTP/1.1 200 OK", st: String = "upnp:rootdevice"
    ) -> [UInt8] {
        Array("\(status)\r\nEXT:\r\nLocation: \(location)\r\nST: \(st)\r\n\r\n".utf8)
    }

    @Test(
        arguments: [
            (
                reply("http://192.168.1.2:49152/d.xml"),
                .init(target: "upnp:rootdevice", port: 49152, path: "/d.xml")
            ),
            (reply("HTTP://192.168.1.2"), .init(target: "upnp:rootdevice", port: 80, path: "/")),
            // A location must be on the host that sent the response.
            (reply("http://192.168.1.3:49152/d.xml"), nil),
            (reply("http://camera.local/d.xml"), nil), (reply("https://192.168.1.2/d.xml"), nil),
            (reply("http://192.168.1.2:0/d.xml"), nil), (reply("http://192.168.1.2:99999/"), nil),
            (reply("http://192.168.1.2/a b"), nil), (reply("http://192.168.1.2/a\u{0}"), nil),
            (reply("http://192.168.1.2/" + String(repeating: "a", count: 256)), nil),
            (reply("http://192.168.1.2/", status: "HTTP/1.1 404 Not Found"), nil),
            (reply("http://192.168.1.2/", status: "NOTIFY * HTTP/1.1"), nil), ([], nil),
        ] as [([UInt8], ServiceSearch.Response?)])
    func `accepts an SSDP location only on the host that sent the response`(
        bytes: [UInt8], response: ServiceSearch.Response?
    ) throws {
        let sender = try #require(IPv4Address("192.168.1.2"))
        #expect(ServiceSearch.response(bytes, from: sender) == response)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\n\r\n<manufacturer>Canon</manufacturer>", "Canon"),
            ("HTTP/1.1 200 OK\r\n\r\n<manufacturer>Can", nil),
            ("HTTP/1.1 200 OK\r\n\r\n<manufacturer></manufacturer>", nil),
            ("<manufacturer>Canon</manufacturer>", nil), ("", nil),
            ("HTTP/1.0 200 OK\r\n\r\n<manufacturer>" + String(repeating: "n", count: 129) + "<", nil),
        ] as [(String, String?)])
    func `reads the manufacturer only from a complete device description`(text: String, maker: String?) {
        #expect(DeviceDescription.manufacturer(inResponse: Array(text.utf8)) == maker)
    }
}

@Suite struct FoundAddressesTests {
    private func address(_ number: Int) -> NetworkAddress {
        NetworkAddress(host: IPv4Address(bits: 0xC0A8_0100 + UInt32(number)))
    }

    @Test func `finds a camera after another device has responded many times`() {
        var found = FoundAddresses()
        for _ in 0..<AnnouncementBrowse.addressesMax { found.insert(address(1)) }
        found.insert(address(2))
        #expect(found.addresses == [address(1), address(2)])
    }

    @Test func `ignores new addresses after the maximum number`() {
        var found = FoundAddresses()
        for number in 0...AnnouncementBrowse.addressesMax { found.insert(address(number)) }
        #expect(found.addresses == (0..<AnnouncementBrowse.addressesMax).map(address))
    }
}

@Suite struct NetworkSweepTests {
    private func network(_ address: String, _ mask: String) throws -> HostNetwork {
        HostNetwork(
            interface: "test0", address: try #require(IPv4Address(address)),
            mask: try #require(IPv4Address(mask)))
    }

    @Test(arguments: [
        ("192.168.1.4", "255.255.255.0", 253), ("192.168.4.1", "255.255.252.0", 1_021),
        ("192.168.4.1", "255.255.248.0", 0), ("10.0.0.1", "255.255.0.0", 0),
        ("10.0.0.2", "255.255.255.252", 1),
        ("10.0.0.1", "255.255.255.254", 0), ("10.0.0.1", "255.255.255.255", 0), ("127.0.0.1", "255.0.0.0", 0),
        ("10.0.0.1", "0.0.0.0", 0),
    ])
    func `sweeps networks of up to 1022 hosts, except the computer's own address`(
        address: String, mask: String, count: Int
    ) throws {
        let own = try network(address, mask)
        let sweep = NetworkSweep(of: HostNetworks([own]))
        #expect(sweep.addresses.count == count)
        #expect(sweep.addresses.allSatisfy { own.contains($0) && $0 != own.address })
        let isTooLarge = !own.address.isLoopback && own.hostCount > NetworkSweep.hostsMax
        #expect(sweep.refused == (isTooLarge ? [own.key] : []))
    }

    @Test func `sweep batches cover every address exactly once`() throws {
        let sweep = NetworkSweep(
            of: HostNetworks([
                try network("192.168.4.1", "255.255.252.0"), try network("10.0.0.1", "255.255.0.0"),
                try network("172.16.0.9", "255.255.255.240"),
            ]))
        var all: [IPv4Address] = []
        var batch = sweep.batch(after: nil)
        while true {
            #expect(batch.addresses.count <= NetworkSweep.batchMax)
            all += batch.addresses
            #expect(batch.done == all.count)
            if batch.isLast { break }
            batch = sweep.batch(after: batch.addresses.last)
        }
        #expect(all == sweep.addresses && all.count == 1_021 + 13)
    }
}
