import Dispatch
import Foundation
import FrameFastModel
import Glibc
import Synchronization
import TestRig
import Testing

@testable import Cameras

@Suite(.serialized, .programs(2)) struct DiscoveryTests {
    private static let guid = ServiceGUID.random()

    /// Time limits with a short wait for the user's approval.
    private static let shortLimits = NetworkProbe.TimeLimits(
        connection: .seconds(5), response: .seconds(10), acknowledgement: .seconds(5), rest: .seconds(15))
    /// Short time limits for a response, and a long time limit for the approval.
    private static let alert = NetworkProbe.TimeLimits(
        connection: .seconds(5), response: .seconds(2), acknowledgement: .seconds(60), rest: .seconds(60)
    )

    private func address(_ listener: ScriptedListener) throws -> NetworkAddress {
        try NetworkAddress("\(listener.host):\(listener.port)")
    }

    private let unused: ReservedPorts

    init() throws { unused = try ReservedPorts() }

    /// Returns an address at which no program listens during the test.
    private func closedPort() throws -> NetworkAddress { try NetworkAddress("127.0.0.1:\(unused.first)") }

    private func initFail(_ reason: UInt8) throws -> ScriptedListener {
        try ScriptedListener { connection in
            _ = Loopback.read(connection)
            _ = Loopback.write([12, 0, 0, 0, 5, 0, 0, 0, reason, 0, 0, 0], to: connection)
            Loopback.waitForEnd(connection)
        }
    }

    @Test func `finds cameras among closed ports, other servers and unresponsive hosts`() async throws {
        let cameras = [
            try SimulatedCamera(maker: "canon", host: "127.0.10.1", ["--serial", "C1"]),
            try SimulatedCamera(maker: "nikon", host: "127.0.20.2", ["--serial", "N2"]),
            try SimulatedCamera(maker: "generic", host: "127.30.0.3", ["--serial", "G3", "--model", "Gé·3"]),
        ]
        let web = try ScriptedListener("127.0.0.4") { connection in
            _ = Loopback.read(connection)
            _ = Loopback.write(
                Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8), to: connection)
        }
        let asking = try ScriptedListener("127.0.0.5") { Loopback.waitForEnd($0) }
        let unpaired = try initFail(5)
        let busy = try initFail(2)
        let closing = try ScriptedListener { _ = Loopback.read($0) }
        let trickling = try ScriptedListener { connection in
            // Sends one byte at a time until the client disconnects.
            _ = Loopback.read(connection)
            var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            for byte in [UInt8]([60, 0, 0, 0, 2, 0, 0, 0]) + [UInt8](repeating: 1, count: 52) {
                guard Loopback.write([byte], to: connection), poll(&entry, 1, 400) == 0 else { return }
            }
        }
        // The kernel completes one connection itself and never completes further connections.
        let hole = try ScriptedListener("127.0.0.6", serve: nil)
        let stuffing = try #require(Loopback.connect(hole.host, hole.port))
        defer { close(stuffing) }

        let places = try cameras.map { try NetworkAddress($0.port) }
        let misses: [(NetworkAddress, ProbeFailure)] = [
            (try closedPort(), .portClosed),
            (try address(web), .notPTPIP),
            (try address(asking), .refused(.silent)),
            (try address(unpaired), .refused(.initFail(reason: 5))),
            (try address(busy), .refused(.initFail(reason: 2))),
            (try address(closing), .refused(.hungUp)),
            (try address(trickling), .timeout),
            (try address(hole), .timeout),
            // The loopback network's broadcast address.
            (try NetworkAddress("127.255.255.255"), .networkUnreachable),
        ]
        let report = await NetworkProbe(guid: Self.guid, timeLimits: Self.shortLimits)
            .probe(misses.map(\.0) + places + places)

        #expect(report.found.map(\.address) == places)
        #expect(report.found.map(\.serial) == ["C1", "N2", "G3"])
        #expect(report.found.map(\.maker).prefix(2) == ["Canon Inc.", "Nikon Corporation"])
        #expect(report.found.last?.model == "Gé·3" && report.found.last?.name == "Gé·3")
        for (miss, wanted) in zip(report.misses, misses) {
            #expect(miss.address == wanted.0)
            #expect(miss.failure == wanted.1)
        }
        #expect(report.misses.count == misses.count && report.tried == misses.count + places.count)
        #expect(report.counts.first?.kind == .refused && report.counts.first?.count == 4)
        #expect(report.counts.reduce(0) { $0 + $1.count } == misses.count)
        #expect(report.pairing.map(\.address) == [try address(asking), try address(unpaired)])
        #expect(!report.isCancelled)
        for listener in [web, asking, unpaired, busy, closing, trickling] {
            #expect(listener.connectionCount == 1, "each host gets one connection")
        }
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["canon"]))
    func `leaves the camera free for a worker after repeated probes`(maker: String) async throws {
        let camera = try SimulatedCamera(maker: maker, ["--serial", "S1", "--existing", "1"])
        let probe = NetworkProbe(guid: Self.guid)
        for _ in 0..<5 {
            let report = await probe.probe([try NetworkAddress(camera.port)])
            #expect(report.found.map(\.serial) == ["S1"], "\(report)")
        }
        let worker = try WorkerProcess()
        #expect(try worker.open(camera).serial == "S1")
        #expect(try worker.list().count == 1)
    }

    @Test func `the probe sends the same greeting as libgphoto2`() async throws {
        let camera = try SimulatedCamera(["--serial", "S1"])
        let place = try NetworkAddress(camera.port)
        let relay = try RecordingRelay(to: "\(place.host)", place.port)
        let address = try self.address(relay.listener)
        let report = await NetworkProbe(guid: Self.guid).probe([address])
        #expect(report.found.map(\.serial) == ["S1"], "\(report)")

        let settings = "/.gphoto/settings"
        let worker = try WorkerProcess { home in
            try FileManager.default.createDirectory(
                atPath: home + "/.gphoto", withIntermediateDirectories: true)
            let old = "ptp2=capturetarget=card\nptp2_ip=guid=11:22\n"
            try Data(old.utf8).write(to: URL(filePath: home + settings))
            try Self.guid.writeDriverSettings(home: home)
        }
        _ = try worker.open(port: "\(address.portPath):\(address.port)")
        let greetings = relay.greetings
        try #require(greetings.count == 2)
        #expect(Array(greetings[0][8..<24]) == Self.guid.bytes)
        #expect(greetings[0] == greetings[1], "the greetings differ in GUID, host name or version")
        let kept = try String(contentsOfFile: worker.scratch.path + settings, encoding: .utf8)
        // The driver adds its own settings.
        #expect(kept.hasPrefix("ptp2_ip=guid=\(Self.guid)\nptp2=capturetarget=card\n"), "\(kept)")
        #expect(kept.split(separator: "\n").filter { $0.hasPrefix("ptp2_ip=") }.count == 1)
    }

    @Test func `a cancelled search ends immediately and closes its connections`() async throws {
        let camera = try SimulatedCamera(["--serial", "S1"])
        let hangUps = AsyncStream.makeStream(of: Bool.self)
        let silent = try ScriptedListener { connection in
            _ = Loopback.read(connection)
            hangUps.continuation.yield(false)
            Loopback.waitForEnd(connection)
            hangUps.continuation.yield(true)
        }
        let places = [try address(silent), try NetworkAddress(camera.port)]
        let search = Task { await NetworkProbe(guid: Self.guid, timeLimits: .search).probe(places) }
        var events = hangUps.stream.makeAsyncIterator()
        #expect(await events.next() == false)
        search.cancel()
        let report = await search.value
        #expect(report.isCancelled && report.misses.isEmpty)
        #expect(await events.next() == true)
        #expect(try WorkerProcess().open(camera).serial == "S1")
    }

    /// A relay that delays the camera's response to the greeting until the camera's owner accepts.
    private final class Owner: Sendable {
        private let answered = DispatchSemaphore(value: 0)
        let relay: RecordingRelay

        init(of camera: SimulatedCamera) throws {
            let place = try NetworkAddress(camera.port)
            let answered = answered
            relay = try RecordingRelay(to: "\(place.host)", place.port) { isFirst in
                if isFirst { answered.wait() }
            }
        }

        func accept() { answered.signal() }
    }

    @Test
    func `keeps the connection while a camera requests approval`() async throws {
        let camera = try SimulatedCamera(["--serial", "S1"])
        let owner = try Owner(of: camera)
        let address = try self.address(owner.relay.listener)
        let search = CameraSearch(guid: Self.guid, timeLimits: Self.alert)
        let report = await search.search([address, try closedPort()])
        #expect(report.waiting.map(\.address) == [address] && report.found.isEmpty && report.tried == 2)
        #expect(report.counts.map(\.kind) == [.portClosed])
        let left = try #require(report.waiting.first).until.timeIntervalSinceNow
        #expect(left > 30 && left <= 60, "remaining time: \(left)")

        // Neither another search nor a cancelled wait for the approval affects the approval request.
        #expect(await search.search([address]).waiting == report.waiting)
        let left2 = Task { await search.approval(of: address) }
        left2.cancel()
        guard case .waiting = await left2.value else {
            return #expect(Bool(false), "the approval request has ended")
        }
        #expect(owner.relay.listener.connectionCount == 1)

        async let approval = search.approval(of: address)
        owner.accept()
        guard case .decided(.success(let found)) = await approval else {
            return #expect(Bool(false), "no camera after the owner accepted")
        }
        #expect(found.serial == "S1")
        // The search continues with the connection that the owner accepted. The second connection is for
        // events.
        #expect(owner.relay.greetings.count == 1 && owner.relay.listener.connectionCount == 2)
        #expect(
            await search.search([address]).found.map(\.serial) == ["S1"],
            "the camera displays no second request")
    }

    @Test func `reports a refusal immediately and a missing response after the timeout`() async throws {
        let refuses = DispatchSemaphore(value: 0)
        let refusing = try ScriptedListener { connection in
            _ = Loopback.read(connection)
            refuses.wait()
            _ = Loopback.write([12, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0], to: connection)
            Loopback.waitForEnd(connection)
        }
        let address = try self.address(refusing)
        let search = CameraSearch(guid: Self.guid, timeLimits: Self.alert)
        #expect(await search.search([address]).waiting.map(\.address) == [address])
        async let approval = search.approval(of: address)
        refuses.signal()
        guard case .decided(.failure(let failure)) = await approval else {
            return #expect(Bool(false), "no failure after the owner refused")
        }
        #expect(failure == .refused(.initFail(reason: 1)))

        let silent = try ScriptedListener { Loopback.waitForEnd($0) }
        // The search reports the camera as waiting long before the approval times out.
        var short = Self.alert
        (short.response, short.acknowledgement) = (.milliseconds(200), .seconds(4))
        let impatient = CameraSearch(guid: Self.guid, timeLimits: short)
        let there = try self.address(silent)
        #expect(await impatient.search([there]).waiting.count == 1)
        guard case .decided(.failure(.refused(.silent))) = await impatient.approval(of: there) else {
            return #expect(Bool(false), "no failure after the timeout")
        }
        #expect(await impatient.approval(of: try closedPort()) == nil, "no approval request at this address")
    }

    @Test func `probes more addresses than can be probed in parallel`() async throws {
        try await probeMany(times: 1)
    }

    @Test(.nightly("counts the descriptors of the whole test process"))
    func `probing many addresses leaves no descriptor open`() async throws {
        func openFiles() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        let before = try openFiles()
        try await probeMany(times: 5)
        // Other tests in this process may open some descriptors at the same time. A leak would leave 750
        // open.
        #expect(try openFiles() < before + 100)
    }

    /// Probes 150 addresses at which no program listens.
    private func probeMany(times: Int) async throws {
        let closed = try closedPort()
        let places = (1...150).map {
            NetworkAddress(host: IPv4Address(bits: 0x7F01_0000 + UInt32($0)), port: closed.port)
        }
        let probe = NetworkProbe(guid: Self.guid)
        for _ in 0..<times {
            let report = await probe.probe(places)
            #expect(report.misses.map(\.address) == places)
            #expect(report.counts.map(\.kind) == [.portClosed])
        }
    }
}
