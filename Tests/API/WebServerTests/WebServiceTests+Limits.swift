import APIServer
import FrameFastAPI
import FrameFastSystem
import NIOCore
import Testing
import WebPairing

@testable import WebServer

/// Tests of lost access, pictures in the caches of browsers, and the limits of connections and pictures.
extension WebServiceTests {
    @Test func `a failed logout is reported, and the browser and its device lose access`() async throws {
        try await RunningPage.run { page in
            let (device, cookie) = try await page.pair(.client)
            await page.devices.setFailing(true)
            let logout = try await page.exchange(page.request("DELETE", "/v1/web/session", cookie: cookie))
            #expect(logout.status == 500 && logout.text.contains("framefast web revoke"))
            #expect(logout.header("Set-Cookie")?.contains("Max-Age=0") == true)
            #expect(
                try await page.exchange(page.request("GET", "/v1/web/me", cookie: cookie)).status == 401)
            await page.devices.setFailing(false)
            try await page.access.removeEndedDevices()
            #expect(await page.devices.removed == [device.id])
        }
    }

    @Test func `a browser keeps pictures for ten minutes, and deletes them after a logout`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            let picture = page.request("GET", "/v1/shots/1/512?v=00ff", cookie: cookie)
            let reply = try await page.exchange(picture)
            #expect(reply.status == 200 && reply.header("Clear-Site-Data") == nil)
            #expect(reply.header("Cache-Control") == "private, max-age=600")
            let old = try await page.exchange(page.request("GET", "/v1/shots/1/512", cookie: cookie))
            #expect(old.header("Cache-Control") == "private, no-cache")
            let logout = try await page.exchange(page.request("DELETE", "/v1/web/session", cookie: cookie))
            #expect(logout.status == 204 && logout.header("Clear-Site-Data") == #""cache""#)
            let refused = try await page.exchange(picture)
            #expect(refused.status == 401 && refused.header("Clear-Site-Data") == #""cache""#)
            #expect(refused.header("Cache-Control") == "no-store")
            let unknown = try await page.exchange(page.request("GET", "/v1/shots/1/512"))
            #expect(unknown.status == 401 && unknown.header("Clear-Site-Data") == nil)
        }
    }

    @Test func `a browser that pairs again deletes the pictures of its former device`() async throws {
        try await RunningPage.run { page in
            let (former, cookie) = try await page.pair(.client)
            let code = try #require(await page.access.openCode(for: .init(role: .owner), uses: 1)).code.text
            let reply = try await page.exchange(
                page.request(
                    "POST", "/v1/web/session", cookie: cookie, body: #"{"code":"\#(code)","name":"Ana"}"#))
            #expect(reply.status == 201 && reply.header("Clear-Site-Data") == #""cache""#)
            #expect(await page.devices.removed == [former.id])
        }
    }

    @Test func `limits the full-size photos of a device while other devices receive theirs`() async throws {
        try await RunningPage.run(isEncrypted: false) { page in
            let (_, cookie) = try await page.pair(.owner)
            let whole = page.request("GET", "/v1/shots/1/full", cookie: cookie, isKeptOpen: true)
            var connections: [PageConnection] = []
            for _ in 0..<WebServerLimits.fullSizeMax {
                let connection = try await PageConnection(port: page.port, isEncrypted: false)
                connections.append(connection)
                try await connection.send(whole)
                #expect(PageReply(await connection.read { $0.contains("\r\n\r\n") }).status == 200)
                try await connection.setReading(false)
            }
            func part(_ cookie: String) -> String {
                page.request("GET", "/v1/shots/1/full", cookie: cookie, more: "Range: bytes=0-2")
            }
            let refused = try await page.exchange(part(cookie))
            #expect(refused.status == 429)
            let thumbnail = page.request("GET", "/v1/shots/1/512", cookie: cookie)
            #expect(try await page.exchange(thumbnail).status == 200)
            let (_, other) = try await page.pair(.owner)
            #expect(try await page.exchange(part(other)).status == 206)
            for connection in connections { try await connection.channel.close().get() }
        }
    }

    @Test func `a finished request for a full-size photo does not count for the limit`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.owner)
            let connection = try await PageConnection(port: page.port)
            let part = page.request(
                "GET", "/v1/shots/1/full", cookie: cookie, more: "Range: bytes=0-2", isKeptOpen: true)
            for _ in 0...WebServerLimits.fullSizeMax {
                try await connection.send(part)
                #expect(PageReply(await connection.read { $0.hasSuffix("\r\n\r\nxxx") }).status == 206)
            }
            try await connection.channel.close().get()
        }
    }

    @Test func `a new connection of an address at its limit closes an idle connection`() async throws {
        DescriptorLimit.raise()
        try await RunningPage.run(isEncrypted: false) { page in
            let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
            var connections: [PageConnection] = []
            for _ in 0..<WebServerLimits.connectionsPerAddressMax {
                let connection = try await PageConnection(port: page.port, isEncrypted: false)
                connection.channel.closeFuture.whenComplete { _ in continuation.yield() }
                try await connection.send(page.request("GET", "/", isKeptOpen: true))
                #expect(PageReply(await connection.read { $0.hasSuffix("<html>") }).status == 200)
                connections.append(connection)
            }
            #expect(try await page.exchange(page.request("GET", "/")).status == 200)
            for await _ in closed { break }
            // The server has already closed one of the connections.
            for connection in connections { try? await connection.channel.close().get() }
        }
    }

    @Test func `unpaired connections from many addresses do not block a browser`() async throws {
        DescriptorLimit.raise()
        try await RunningPage.run(isEncrypted: false) { page in
            let (_, cookie) = try await page.pair(.client)
            let device = try await PageConnection(port: page.port, isEncrypted: false)
            let me = page.request("GET", "/v1/web/me", cookie: cookie, isKeptOpen: true)
            try await device.send(me)
            #expect(PageReply(await device.read { $0.hasSuffix("}\n") }).status == 200)
            var others: [PageConnection] = []
            for number in 0..<WebServerLimits.connectionsMax + 32 {
                let address = "127.1.\(number / 256).\(number % 256)"
                others.append(try await PageConnection(port: page.port, isEncrypted: false, from: address))
            }
            #expect(try await page.exchange(page.request("GET", "/")).status == 200)
            try await device.send(me)
            #expect(PageReply(await device.read { $0.hasSuffix("}\n") }).status == 200)
            // The server has already closed some of the connections.
            for connection in others + [device] { try? await connection.channel.close().get() }
        }
    }
}
