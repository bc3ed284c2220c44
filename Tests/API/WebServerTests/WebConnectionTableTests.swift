import Testing

@testable import WebServer

/// Tests of the limits of open connections, and of the order in which connections are dropped.
@Suite struct WebConnectionTableTests {
    /// The connections of a test. Each connection has a number, starting with 1.
    private struct Connections {
        private var table = WebConnectionTable<Int>()
        private var count = 0
        /// The numbers of the connections that were dropped, in order.
        private(set) var dropped: [Int] = []

        /// Opens a connection from a host of the network 10.0.0.0/16. Returns the number of the connection,
        /// or `nil` if the connection is refused.
        @discardableResult
        mutating func open(from host: Int, isPaired: Bool = false, isBusy: Bool = false) throws -> Int? {
            count += 1
            let address = try #require(IPAddress(octets: [10, 0, UInt8(host / 256), UInt8(host % 256)]))
            switch table.add(count, of: address) {
            case .admitted: break
            case .admittedInsteadOf(let other): dropped.append(other)
            case .refused: return nil
            }
            if isBusy { table.startRequest(count) }
            if isPaired { table.markPaired(count) }
            return count
        }

        /// Opens all connections of a browser before the first request. Returns the admitted connections.
        mutating func openBrowser(at host: Int) throws -> [Int] {
            var numbers: [Int] = []
            for _ in 0..<WebServerLimits.connectionsPerBrowser {
                if let number = try open(from: host) { numbers.append(number) }
            }
            return numbers
        }

        /// Opens all connections of a paired tablet and returns the admitted connections. The first
        /// connection has an event stream, and the others are idle after a request.
        mutating func openTablet(at host: Int) throws -> [Int] {
            let numbers = try openBrowser(at: host)
            for number in numbers {
                table.startRequest(number)
                table.markPaired(number)
            }
            for number in numbers.dropFirst() { table.finishRequest(number) }
            return numbers
        }

        mutating func finishRequest(_ number: Int) { table.finishRequest(number) }

        mutating func close(_ number: Int) { table.remove(number) }

        /// Returns whether none of the connections was dropped.
        func keepsAll(_ numbers: [Int]) -> Bool { Set(dropped).isDisjoint(with: numbers) }
    }

    // MARK: Browsers

    @Test(arguments: [(15, false), (40, false), (15, true), (21, true)])
    func `admits six connections of each tablet without dropping any`(count: Int, isShared: Bool) throws {
        var connections = Connections()
        for tablet in 1...count {
            let numbers = try connections.openTablet(at: isShared ? 1 : tablet)
            #expect(numbers.count == 6)
        }
        #expect(connections.dropped == [])
    }

    @Test func `forty tablets behind one address replace only idle connections`() throws {
        var connections = Connections()
        var streams: [Int] = []
        for _ in 0..<40 {
            let numbers = try connections.openTablet(at: 1)
            #expect(numbers.count == 6 && connections.keepsAll(numbers))
            streams += numbers.prefix(1)
        }
        #expect(connections.keepsAll(streams))
    }

    @Test func `new connections of a browser replace idle connections at the limit`() throws {
        var connections = Connections()
        var streams: [Int] = []
        for host in 1...40 { streams += try connections.openTablet(at: host).prefix(1) }
        for host in 101...116 { try connections.open(from: host, isPaired: true) }
        let numbers = try connections.openBrowser(at: 200)
        #expect(numbers.count == 6 && connections.dropped.count == 6)
        #expect(connections.keepsAll(numbers + streams))
    }

    // MARK: Floods

    @Test(arguments: [false, true])
    func `a flood from one address replaces only its own connections`(hasRequests: Bool) throws {
        var connections = Connections()
        var tablets: [Int] = []
        for host in 1...15 { tablets += try connections.openTablet(at: host) }
        for _ in 0..<1_000 { try connections.open(from: 100, isBusy: hasRequests) }
        tablets += try connections.openTablet(at: 16)
        #expect(tablets.count == 16 * 6)
        #expect(connections.keepsAll(tablets))
    }

    @Test func `a flood from one address replaces few idle connections of forty tablets`() throws {
        var connections = Connections()
        var (tablets, streams): ([Int], [Int]) = ([], [])
        for host in 1...40 {
            let numbers = try connections.openTablet(at: host)
            tablets += numbers
            streams += numbers.prefix(1)
        }
        for _ in 0..<1_000 { try connections.open(from: 100) }
        let lost = Set(connections.dropped).intersection(tablets)
        #expect(lost.count <= WebServerLimits.protectedConnectionsMax)
        #expect(lost.isDisjoint(with: streams))
    }

    @Test func `a flood from many addresses replaces only its own connections`() throws {
        var connections = Connections()
        var tablets: [Int] = []
        for host in 1...15 { tablets += try connections.openTablet(at: host) }
        for host in 1_000..<2_000 { try connections.open(from: host) }
        let browser = try connections.openBrowser(at: 16)
        // The first request of the browser arrives after 100 more connections.
        for host in 2_000..<2_100 { try connections.open(from: host) }
        #expect(browser.count == 6)
        #expect(connections.keepsAll(tablets + browser))
    }

    // MARK: Limits

    @Test func `eight addresses with requests in progress leave connections for others`() throws {
        var connections = Connections()
        for _ in 0..<64 {
            for host in 1...8 { try connections.open(from: host, isPaired: true, isBusy: true) }
        }
        for host in 9..<29 {
            let number = try connections.open(from: host, isPaired: true, isBusy: true)
            #expect(number != nil)
        }
        #expect(connections.dropped == [])
    }

    @Test func `an address at its limit replaces no connection of other addresses`() throws {
        var connections = Connections()
        try connections.open(from: 2)
        for _ in 0..<WebServerLimits.connectionsPerAddressMax {
            let number = try connections.open(from: 1, isPaired: true, isBusy: true)
            #expect(number != nil)
        }
        let refused = try connections.open(from: 1)
        #expect(refused == nil && connections.dropped == [])
        connections.close(2)
        let admitted = try connections.open(from: 1)
        #expect(admitted != nil && connections.dropped == [])
    }

    // MARK: Order

    @Test func `drops idle unpaired, idle paired, new, and busy unpaired connections in this order`() throws {
        var connections = Connections()
        try connections.open(from: 1, isPaired: true)
        try connections.open(from: 2, isBusy: true)
        try connections.open(from: 3)
        try connections.open(from: 4, isBusy: true)
        for host in 5...WebServerLimits.connectionsMax {
            try connections.open(from: host, isPaired: true, isBusy: true)
        }
        connections.finishRequest(2)
        for host in 301...304 {
            let number = try connections.open(from: host, isPaired: true, isBusy: true)
            #expect(number != nil)
        }
        #expect(connections.dropped == [2, 1, 3, 4])
        let refused = try connections.open(from: 305)
        #expect(refused == nil && connections.dropped.count == 4)
    }

    @Test func `drops the oldest connection of the address with the most idle connections`() throws {
        var connections = Connections()
        for host in 2...101 { try connections.open(from: host, isPaired: true) }
        for _ in 0..<10 { try connections.open(from: 1, isPaired: true) }
        for host in 102...247 { try connections.open(from: host, isPaired: true) }
        for host in 301...302 { try connections.open(from: host, isPaired: true) }
        #expect(connections.dropped == [101, 102])
    }
}
