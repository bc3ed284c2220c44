import Cameras
import Testing

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("192.168.1.5", "192.168.1.5:15740"),
        ("192.168.1.5:15741", "192.168.1.5:15741"),
        ("ptpip:192.168.1.5", "192.168.1.5:15740"),
        ("PTPIP:192.168.1.5:80", "192.168.1.5:80"),
        ("ptpip:127.3.2.1:9000:9000", "127.3.2.1:9000"),
        ("  10.0.0.9\n", "10.0.0.9:15740"),
    ])
    func `parses camera addresses from users and the configuration`(text: String, address: String) throws {
        let read = try NetworkAddress(text)
        #expect(read.description == address)
        #expect(try NetworkAddress(read.portPath) == read)
    }

    @Test(arguments: [
        ("", NetworkAddressError.unreadable("")),
        ("camera.local", .unreadable("camera.local")),
        ("192.168.1", .unreadable("192.168.1")),
        ("192.168.1.256", .unreadable("192.168.1.256")),
        ("192.168.01.5", .unreadable("192.168.01.5")),
        ("192.168.1.-5", .unreadable("192.168.1.-5")),
        ("192.168.1.٥", .unreadable("192.168.1.٥")),
        ("usb:001,004", .unreadable("usb:001,004")),
        ("ptpip:", .unreadable("ptpip:")),
        ("fe80::1", .notIPv4("fe80::1")),
        ("[fe80::1]:15740", .notIPv4("[fe80::1]:15740")),
        ("2001:db8::1:2", .notIPv4("2001:db8::1:2")),
        ("0.0.0.0", .notACamera("0.0.0.0")),
        ("224.0.0.1", .notACamera("224.0.0.1")),
        ("255.255.255.255", .notACamera("255.255.255.255")),
        ("10.0.0.1:", .badPort("10.0.0.1:")),
        ("10.0.0.1:0", .badPort("10.0.0.1:0")),
        ("10.0.0.1:70000", .badPort("10.0.0.1:70000")),
        ("10.0.0.1:+80", .badPort("10.0.0.1:+80")),
        ("10.0.0.1:80:81", .twoPorts("10.0.0.1:80:81")),
    ])
    func `rejects invalid camera addresses with a description`(text: String, error: NetworkAddressError) {
        #expect(throws: error) { try NetworkAddress(text) }
        #expect(error.description.hasPrefix("cannot "))
    }
}

@Suite struct HostNetworksTests {
    @Test(arguments: [
        ("192.168.1.77", "255.255.255.0", "192.168.1.0/24"),
        ("10.20.30.40", "255.0.0.0", "10.0.0.0/8"),
        ("172.16.5.9", "255.255.255.252", "172.16.5.8/30"),
        ("100.64.0.1", "255.255.255.255", "100.64.0.1/32"),
        ("1.2.3.4", "0.0.0.0", "0.0.0.0/0"),
        ("1.2.3.4", "255.0.255.0", "1.0.3.0/255.0.255.0"),
    ])
    func `network key contains the network address and prefix length`(
        address: String, mask: String, key: String
    ) throws {
        let address = try #require(IPv4Address(address))
        #expect(NetworkKey(address: address, mask: try #require(IPv4Address(mask))).rawValue == key)
    }

    @Test func `lists the loopback network of this computer`() throws {
        let loopback = try #require(IPv4Address("127.0.0.9"))
        #expect(HostNetworks.current().network(of: loopback)?.key.rawValue == "127.0.0.0/8")
    }

    private func network(
        _ interface: String, _ address: String, _ mask: String = "255.255.255.0"
    ) throws -> HostNetwork {
        HostNetwork(
            interface: interface, address: try #require(IPv4Address(address)),
            mask: try #require(IPv4Address(mask)))
    }

    @Test func `names the interfaces that are in the same network`() throws {
        let host = HostNetworks([
            try network("lo", "127.0.0.1", "255.0.0.0"), try network("wlan0", "192.168.1.105"),
            try network("docker0", "172.17.0.1", "255.255.0.0"), try network("eth0", "192.168.1.4"),
        ])
        let steps = host.stepsForSharedNetworks()
        #expect(
            steps == [
                "192.168.1.0/24 is the network of several interfaces (eth0, wlan0), and this computer uses "
                    + "only one of them. Turn off the interfaces that do not lead to the camera."
            ])
        let canon = try #require(IPv4Address("192.168.1.2"))
        let container = try #require(IPv4Address("172.17.0.9"))
        #expect(host.stepsForSharedNetworks(of: canon) == steps)
        #expect(host.stepsForSharedNetworks(of: container).isEmpty)
    }

    @Test func `several addresses of one interface need no step`() throws {
        let host = HostNetworks([
            try network("eth0", "192.168.1.4"), try network("eth0", "192.168.1.5"),
            try network("eth0:1", "192.168.1.6"), try network("wg0", "192.168.1.7", "255.255.255.255"),
        ])
        #expect(host.stepsForSharedNetworks().isEmpty)
    }
}

@Suite struct CandidateOrderTests {
    private func network(_ address: String, _ mask: String = "255.255.255.0") throws -> HostNetwork {
        HostNetwork(
            interface: "test0", address: try #require(IPv4Address(address)),
            mask: try #require(IPv4Address(mask)))
    }

    private func texts(_ order: CandidateOrder, _ networks: HostNetwork...) -> [String] {
        order.addresses(on: HostNetworks(networks)).map(\.description)
    }

    @Test func `tries preferred, remembered, announced and usual addresses in order without duplicates`()
        throws
    {
        let order = CandidateOrder(
            preferred: try NetworkAddress("10.9.9.9"),
            remembered: [
                .init(network: .init(rawValue: "10.0.0.0/24"), address: try NetworkAddress("10.0.0.7")),
                .init(
                    network: .init(rawValue: "192.168.1.0/24"), address: try NetworkAddress("192.168.1.20")),
                .init(network: .init(rawValue: "192.168.1.0/24"), address: try NetworkAddress("192.168.1.2")),
            ],
            announced: [try NetworkAddress("192.168.1.20"), try NetworkAddress("192.168.1.30:15741")],
            usual: [
                try NetworkAddress("192.168.1.2"), try NetworkAddress("192.168.1.1"),
                try NetworkAddress("192.168.122.1"),
            ])
        let tried = texts(order, try network("127.0.0.1", "255.0.0.0"), try network("192.168.1.4"))
        #expect(
            tried == [
                "10.9.9.9:15740", "192.168.1.20:15740", "192.168.1.2:15740", "192.168.1.30:15741",
                "192.168.1.1:15740",
            ])
    }

    @Test func `tries the host's own address only if preferred, and skips connected cameras`() throws {
        let own = try NetworkAddress("192.168.1.4")
        let others = try [1, 2].map { try NetworkAddress("192.168.1.\($0)") }
        var order = CandidateOrder(usual: [own] + others)
        let host = try network("192.168.1.4")
        #expect(!texts(order, host).contains(own.description))
        order.preferred = own
        #expect(texts(order, host).first == own.description)
        order.connected = [own, others[0]]
        #expect(texts(order, host) == [others[1].description])
    }

    @Test func `limits the number of candidate addresses`() throws {
        let announced = (1...200).map { NetworkAddress(host: IPv4Address(bits: 0x0A00_0000 + $0)) }
        let all = CandidateOrder(announced: announced).addresses(on: HostNetworks([]))
        #expect(all == Array(announced.prefix(CandidateOrder.countMax)))
    }
}
