import APIServer
import FrameFastAPI
import Logging
import NIOCore
import NIOPosix
import SurfaceTestSupport
import Testing
import WebPairing

@testable import WebServer

/// Tests of the event streams of devices.
@Suite struct WebStreamTests {
    /// Opens a stream and returns its connection and the text up to the snapshot.
    private static func open(
        _ page: RunningPage, cookie: String
    ) async throws -> (connection: PageConnection, start: String) {
        let connection = try await PageConnection(port: page.port, isEncrypted: page.isEncrypted)
        try await connection.send(page.request("GET", "/v1/events", cookie: cookie, isKeptOpen: true))
        let start = await connection.read { $0.contains("event: snapshot") && $0.contains("}\n\n") }
        return (connection, start)
    }

    private static func shot(_ id: ShotID, session: SessionID) -> EventReply.Body {
        .shot(ShotChangeReply(id: id, session: session, stars: 3))
    }

    @Test func `client receives only the shots of its session`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            let (connection, start) = try await Self.open(page, cookie: cookie)
            #expect(start.contains(#""name":"Wedding""#) && start.contains(#""photo_age":1"#))
            #expect(!start.contains("cameras") && !start.contains("directory"))
            page.hub.publish(.conditions([Samples.condition]))
            page.hub.publish(.camera(Samples.camera))
            page.hub.publish(Self.shot(8, session: 2))
            page.hub.publish(Self.shot(9, session: RunningPage.session))
            let text = await connection.read { $0.contains(#""id":9"#) }
            #expect(text.contains("event: shot"))
            for word in ["condition", "camera", #""id":8"#] { #expect(!text.contains(word)) }
            try await connection.channel.close().get()
        }
    }

    @Test func `owner receives every event`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.owner)
            let (connection, start) = try await Self.open(page, cookie: cookie)
            #expect(start.contains("cameras"))
            page.hub.publish(.conditions([Samples.condition]))
            let text = await connection.read { $0.contains("disk-low") }
            #expect(text.contains("event: conditions"))
            try await connection.channel.close().get()
        }
    }

    @Test func `revoked device loses its streams`() async throws {
        try await RunningPage.run { page in
            let (device, cookie) = try await page.pair(.client)
            let (first, _) = try await Self.open(page, cookie: cookie)
            let (second, _) = try await Self.open(page, cookie: cookie)
            _ = try await page.access.revoke(device.id)
            for connection in [first, second] {
                // Reads until the server ends the reply and closes the connection.
                let rest = await connection.read()
                #expect(rest.contains("0\r\n\r\n"))
            }
            let reply = try await page.exchange(page.request("GET", "/v1/events", cookie: cookie))
            #expect(reply.status == 401)
        }
    }

    @Test func `closes a connection that is assigned to a revoked device`() async throws {
        try await RunningPage.run { page in
            let connections = WebConnections()
            connections.close(7)
            let late = try await PageConnection(port: page.port).channel
            connections.assign(late, to: 7)
            // `WebConnections` closes each connection after the same delay. The delay of the late connection
            // starts first, so it is over before the next two connections are closed.
            for device: WebDeviceID in [8, 9] {
                let next = try await PageConnection(port: page.port).channel
                connections.assign(next, to: device)
                #expect(next.isActive)
                connections.close(device)
                try await next.closeFuture.get()
            }
            #expect(!late.isActive)
        }
    }

    @Test func `fourth stream of a device ends only the oldest`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            var streams: [PageConnection] = []
            for _ in 0...WebServerLimits.streamsPerDeviceMax {
                streams.append(try await Self.open(page, cookie: cookie).connection)
            }
            let end = await streams[0].read { $0.contains("0\r\n\r\n") }
            #expect(streams.count == 4 && end.contains("0\r\n\r\n"))
            page.hub.publish(Self.shot(9, session: RunningPage.session))
            for stream in streams.dropFirst() {
                let event = await stream.read { $0.contains(#""id":9"#) }
                #expect(event.contains("event: shot"))
            }
            for stream in streams { try await stream.channel.close().get() }
        }
    }

    /// A stream of a lost device is never dropped in favor of another connection, so the kernel must end it.
    @Test func `the kernel closes a connection whose device acknowledges no data`() async throws {
        try await RunningPage.run { page in
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: page.port).get()
            let server = WebChannel(certificate: nil, limiter: WebConnectionLimiter()) { _, _, _ in
                preconditionFailure("no request was sent")
            }
            let logger = Logger(label: "test")
            let value = try await channel.eventLoop.flatSubmit {
                server.setup(channel: channel, logger: logger)
            }.get()
            #expect(value.peer != nil)
            let limit = try await channel.getOption(.tcpOption(WebChannel.lossOption)).get()
            #expect(limit == WebServerLimits.lostAfterMs)
            try await channel.close().get()
            await server.handle(value: value, logger: logger)
        }
    }

    @Test func `slow reader receives resync, and other devices receive every event`() async throws {
        try await RunningPage.run { page in
            let (slow, _) = try await Self.open(page, cookie: try await page.pair(.owner).cookie)
            let (fast, _) = try await Self.open(page, cookie: try await page.pair(.client).cookie)
            try await slow.setReading(false)
            // The events exceed the combined size of the socket buffers and the backlog.
            let long = String(repeating: "x", count: 10_000)
            for _ in 0..<5000 { page.hub.publish(.cameraRemoved(CameraID(rawValue: long))) }
            page.hub.publish(Self.shot(9, session: RunningPage.session))
            let event = await fast.read { $0.contains(#""id":9"#) }
            #expect(event.contains("event: shot"))
            try await slow.setReading(true)
            #expect(await slow.contains(["event: resync", "event: snapshot"]))
            for connection in [slow, fast] { try await connection.channel.close().get() }
        }
    }

    @Test func `the page and the Unix socket have separate limits of streams`() {
        let hub = EventHub()
        let web = (0..<EventHub.webReadersMax).compactMap { _ in hub.lease(in: .web) }
        #expect(web.count == EventHub.webReadersMax && hub.lease(in: .web) == nil)
        var socket = (0..<EventHub.readersMax).compactMap { _ in hub.lease() }
        #expect(socket.count == EventHub.readersMax && hub.lease() == nil)
        socket.removeLast()
        #expect(hub.lease(in: .web) == nil)
        #expect(hub.lease() != nil)
    }

    static let shapes: [(EventReply.Body, Bool)] = [
        (shot(1, session: 1), true), (shot(1, session: 2), false), (.resync, true),
        (.session(Samples.session), true), (.conditions([]), false), (.camera(Samples.camera), false),
        (.snapshot(Samples.status), false), (.capture(Samples.capture(1)), false),
    ]

    @Test(arguments: shapes)
    func `converts only events that a client of the session may receive`(
        body: EventReply.Body, exists: Bool
    ) {
        #expect((ClientEventReply.Body(body, session: 1) != nil) == exists)
    }
}
