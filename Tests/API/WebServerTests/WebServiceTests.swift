import APIServer
import FrameFastAPI
import NIOCore
import Testing
import WebPairing

@testable import WebServer

/// Requests over real connections. Each forbidden request gets its documented status.
@Suite struct WebServiceTests {
    @Test func `serves the page to every device, with security headers`() async throws {
        try await RunningPage.run { page in
            let reply = try await page.exchange(page.request("GET", "/"))
            #expect(reply.status == 200 && reply.text.hasSuffix("<html>"))
            #expect(reply.header("Content-Security-Policy") == PageHeaders.contentPolicy)
            #expect(reply.header("X-Content-Type-Options") == "nosniff")
            #expect(reply.header("Cache-Control") == "no-cache")
            #expect(page.site.url == "https://127.0.0.1:\(page.port)")
            #expect(page.site.fingerprint?.count == 95)
            let again = try await page.exchange(page.request("GET", "/", more: "If-None-Match: \"1\""))
            #expect(again.status == 304 && !again.text.contains("<html>"))
        }
    }

    @Test(arguments: ["evil.test", "127.0.0.2", "localhost.evil.test", "studio.evil.test:80"])
    func `answers 421 to a foreign host`(host: String) async throws {
        try await RunningPage.run { page in
            let reply = try await page.exchange(page.request("GET", "/", host: host))
            #expect(reply.status == 421)
        }
    }

    @Test func `answers 400 to a second Host header`() async throws {
        try await RunningPage.run { page in
            let reply = try await page.exchange(page.request("GET", "/", more: "Host: evil.test"))
            #expect(reply.status == 400)
        }
    }

    @Test func `answers 403 to a change from another origin or site`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            func rate(origin: String? = nil, site: String? = "same-origin") async throws -> PageReply {
                try await page.exchange(
                    page.request(
                        "POST", "/v1/shots/1/rating", cookie: cookie, body: #"{"stars":5}"#, origin: origin,
                        site: site))
            }
            #expect(try await rate(origin: "https://evil.test").status == 403)
            #expect(try await rate(site: "cross-site").status == 403)
            #expect(try await rate(origin: "https://evil.test", site: nil).status == 403)
            #expect(try await rate(site: nil).status == 200)
            #expect(try await rate().status == 200)
        }
    }

    @Test(arguments: ["/v1/status", "/v1/shots/1", "/v1/events", "/v1/web/me", "/metrics", "/nothing"])
    func `answers 401 without the cookie of a paired device`(path: String) async throws {
        try await RunningPage.run { page in
            let open = try await page.exchange(page.request("GET", path))
            #expect(open.status == 401)
            let guess = "\(page.cookieName)=" + String(repeating: "0", count: DeviceToken.length)
            #expect(try await page.exchange(page.request("GET", path, cookie: guess)).status == 401)
        }
    }

    @Test func `answers 429 after too many wrong codes from an address`() async throws {
        try await RunningPage.run { page in
            _ = await page.access.openCode(for: PairingGrant(role: .owner), uses: 1)
            let wrong = page.request(
                "POST", "/v1/web/session", body: #"{"code":"AAAA-AAAA","name":"Eve"}"#)
            for _ in 0..<PairingCodes.triesMax { #expect(try await page.exchange(wrong).status == 403) }
            let limited = try await page.exchange(wrong)
            #expect(limited.status == 429)
            #expect(limited.header("Retry-After").flatMap { Int($0) } ?? 0 > 0)
            #expect(limited.header("Set-Cookie") == nil)
        }
    }

    @Test func `exchanges a code only once, for a cookie that is valid until logout`() async throws {
        try await RunningPage.run { page in
            let grant = PairingGrant(role: .client, session: RunningPage.session)
            let code = try #require(await page.access.openCode(for: grant, uses: 1)).code.text
            let pair = page.request(
                "POST", "/v1/web/session", body: #"{"code":"\#(code.lowercased())","name":"Anna\u202e"}"#)
            let reply = try await page.exchange(pair)
            #expect(reply.status == 201)
            let setting = try #require(reply.header("Set-Cookie"))
            #expect(setting.contains("HttpOnly") && setting.contains("SameSite=Strict"))
            #expect(reply.text.contains(#""name":"Anna""#) && reply.text.contains(#""role":"client""#))
            #expect(try await page.exchange(pair).status == 403)
            let cookie = String(setting.prefix { $0 != ";" })
            let me = page.request("GET", "/v1/web/me", cookie: cookie)
            let rights = try await page.exchange(me)
            #expect(rights.status == 200)
            #expect(
                rights.text.contains(#""session":"Wedding""#) && rights.text.contains(#""control":false"#))
            #expect(
                try await page.exchange(page.request("DELETE", "/v1/web/session", cookie: cookie)).status
                    == 204)
            #expect(try await page.exchange(me).status == 401)
        }
    }

    @Test func `client sees its session and may not use an owner's endpoints`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            func status(_ method: String, _ path: String, _ body: String? = nil) async throws -> Int {
                try await page.exchange(page.request(method, path, cookie: cookie, body: body)).status
            }
            #expect(try await status("GET", "/v1/shots/1") == 200)
            #expect(try await status("GET", "/v1/shots/2") == 404)
            for path in [
                "/v1/status", "/v1/conditions", "/v1/captures", "/v1/destinations", "/v1/web/devices",
            ] {
                #expect(try await status("GET", path) == 403)
            }
            #expect(try await status("POST", "/v1/sessions", #"{"name":"x"}"#) == 403)
            #expect(try await status("POST", "/v1/web/codes", #"{"role":"owner"}"#) == 403)
            #expect(try await status("DELETE", "/v1/web/devices/1") == 403)
        }
    }

    @Test func `handlers receive the role and the session of the device`() async throws {
        try await RunningPage.run { page in
            for role in WebRole.allCases {
                let (_, cookie) = try await page.pair(role)
                let reply = try await page.exchange(page.request("GET", "/v1/shots/1", cookie: cookie))
                #expect(reply.text.contains(#""camera_name":"\#(role.rawValue)""#))
            }
            let (_, owner) = try await page.pair(.owner)
            #expect(try await page.exchange(page.request("GET", "/v1/shots/2", cookie: owner)).status == 200)
            #expect(try await page.exchange(page.request("GET", "/v1/status", cookie: owner)).status == 200)
            #expect(
                try await page.exchange(page.request("POST", "/v1/sessions/stop", cookie: owner)).status
                    == 403)
        }
    }

    @Test func `answers 409 to a client's rating after its final ratings`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            let rate = page.request("POST", "/v1/shots/1/rating", cookie: cookie, body: #"{"stars":4}"#)
            #expect(try await page.exchange(rate).status == 200)
            let done = try await page.exchange(page.request("POST", "/v1/web/done", cookie: cookie))
            #expect(done.status == 200 && done.text.contains(#""done":true"#))
            #expect(try await page.exchange(rate).status == 409)
        }
    }

    @Test func `answers 403 to a rating from a screen`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.screen)
            let rate = page.request("POST", "/v1/shots/1/rating", cookie: cookie, body: #"{"stars":4}"#)
            #expect(try await page.exchange(rate).status == 403)
            #expect(
                try await page.exchange(page.request("POST", "/v1/web/done", cookie: cookie)).status == 403)
        }
    }

    @Test func `answers 429 after 60 ratings in a minute`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            let connection = try await PageConnection(port: page.port)
            let rate = page.request(
                "POST", "/v1/shots/1/rating", cookie: cookie, body: #"{"stars":4}"#, isKeptOpen: true)
            var statuses: [Int] = []
            for _ in 0..<61 {
                try await connection.send(rate)
                statuses.append(PageReply(await connection.read { $0.hasSuffix("}\n") }).status)
            }
            #expect(statuses == Array(repeating: 200, count: 60) + [429])
            try await connection.channel.close().get()
        }
    }

    @Test(arguments: [
        "/../../etc/passwd", "/assets/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
        "/v1/shots/..%2f..%2fetc%2fpasswd", "/v1/shots/%00",
    ])
    func `answers 404 to paths outside the page`(path: String) async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.owner)
            #expect(try await page.exchange(page.request("GET", path, cookie: cookie)).status == 404)
        }
    }

    @Test func `the reply to an internal error contains no file path or SQL`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            let path = "/v1/shots/\(RunningPage.unreadable)"
            let reply = try await page.exchange(page.request("GET", path, cookie: cookie))
            #expect(reply.status == 500)
            #expect(reply.text.contains("cannot answer the request"))
            #expect(reply.text.contains("Check the service's log."))
            #expect(!reply.text.contains("/srv") && !reply.text.contains("SELECT"))
        }
    }

    @Test func `answers 431 to headers that are too large`() async throws {
        try await RunningPage.run { page in
            let large = "X-Large: " + String(repeating: "x", count: 20_000)
            let reply = try await page.exchange(page.request("GET", "/", more: large))
            #expect(reply.status == 431)
            #expect(reply.header("Content-Security-Policy") != nil)
            #expect(try await page.exchange(page.request("GET", "/")).status == 200)
        }
    }

    @Test func `answers 413 to a body that is too large`() async throws {
        try await RunningPage.run { page in
            let (_, cookie) = try await page.pair(.client)
            let body = #"{"comment":"\#(String(repeating: "x", count: 20_000))"}"#
            let reply = try await page.exchange(
                page.request("POST", "/v1/shots/1/rating", cookie: cookie, body: body))
            #expect(reply.status == 413)
        }
    }

    @Test func `without TLS, the cookie has no prefix and Sec-Fetch-Site may be missing`() async throws {
        try await RunningPage.run(isEncrypted: false) { page in
            let (_, cookie) = try await page.pair(.client)
            #expect(cookie.hasPrefix("framefast="))
            let reply = try await page.exchange(
                page.request("POST", "/v1/shots/1/rating", cookie: cookie, body: #"{"stars":5}"#, site: nil))
            #expect(reply.status == 200)
            #expect(page.site == WebSite(url: "http://127.0.0.1:\(page.port)"))
        }
    }
}
