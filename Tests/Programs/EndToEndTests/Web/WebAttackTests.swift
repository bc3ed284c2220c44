import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// What is tried against the page without a browser, over real sockets. For each refusal, who is let in as well.
@Suite(.serialized) struct WebAttackTests {
    @Test func `a page on the network is off unless it is asked for, and a code is no use without a page`()
        async throws
    {
        let rig = try DaemonRig(cameras: [])
        try await rig.start()
        #expect(throws: ClientError.self) { try rig.client.call(\.web.pair, .init(role: .owner)) }
    }

    @Test func `only what was asked of this computer is answered`() async throws {
        let web = try await WebRig()
        for host in ["evil.test", "evil.test:\(web.port)", "127.0.0.2", "", "127.0.0.1.evil.test"] {
            #expect(try web.ask("/", host: host).status != 200, "\(host)")
        }
        for host in ["127.0.0.1:\(web.port)", "localhost:\(web.port)", "127.0.0.1"] {
            #expect(try web.ask("/", host: host).status == 200, "\(host)")
        }
        let head = try web.ask("/").headers.lowercased()
        for wanted in [
            "content-security-policy: default-src 'none'", "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] { #expect(head.contains(wanted)) }
        #expect(!head.contains("access-control-allow"))
    }

    @Test func `another page makes nobody's browser do anything`() async throws {
        let web = try await WebRig(web: ["control = true"])
        try await web.shoot()
        let cookie = try #require(try web.pair(web.code(.owner).code))
        let rate = { (headers: [String]) in
            try web.ask(
                "/v1/shots/1/rating", "POST", cookie: cookie, headers: headers, body: "{\"stars\":3}"
            ).status
        }
        let json = "Content-Type: application/json"
        #expect(try rate(["Origin: https://evil.test", json]) == 403)
        #expect(try rate([json]) == 403)
        #expect(try rate(["Origin: null", json]) == 403)
        #expect(try rate(["Origin: \(web.address)", json, "Sec-Fetch-Site: cross-site"]) == 403)
        #expect(try rate(["Origin: \(web.address)", "Content-Type: text/plain"]) == 400)
        #expect(try web.rig.client.call(\.shots.list, .init()).value.stars == [0])
        #expect(try rate(web.ours) == 200)
        #expect(try rate(web.ours + ["Sec-Fetch-Site: same-origin"]) == 200)
        #expect(try web.rig.client.call(\.shots.list, .init()).value.stars == [3])
    }

    @Test func `codes are good once, for their time, and guessing them ends soon`() async throws {
        let web = try await WebRig()
        let code = try web.code(.owner, uses: 2).code
        #expect(try web.pair(code) != nil)
        // As people type it.
        #expect(try web.pair(code.lowercased().replacing("-", with: " ")) != nil)
        #expect(try web.pair(code) == nil)
        let other = try web.code(.owner).code
        var statuses: [Int] = []
        for guess in 0..<8 {
            let body = "{\"code\":\"0000000\(guess)\"}"
            statuses.append(try web.ask("/pair", "POST", headers: web.ours, body: body).status)
        }
        #expect(statuses.contains(503))
        // The one who guesses is kept out for a minute, with the right code as well.
        #expect(try web.pair(other) == nil)
    }

    @Test func `a client and a screen may only what they may`() async throws {
        let web = try await WebRig(web: ["control = true"])
        try await web.shoot()
        let session = try web.rig.client.call(\.sessions.start, .init(name: "Wedding")).value
        try await web.shoot()
        _ = try web.rig.client.call(\.sessions.stop)
        try await web.shoot()
        let client = try #require(try web.pair(web.code(.client, session: session.id).code))
        let screen = try #require(try web.pair(web.code(.screen, session: session.id).code))
        let owner = try #require(try web.pair(web.code(.owner).code))
        let all = try web.rig.client.call(\.shots.list, .init()).value
        let own = try web.rig.client.call(\.shots.list, .init(session: session.id)).value.id
        #expect(all.id.count == 3 && own.count == 1)
        for cookie in [client, screen] {
            let list = try JSONSerialization.jsonObject(with: web.ask("/v1/shots", cookie: cookie).body)
            let ids = (list as? [String: Any])?["id"] as? [Int64] ?? []
            #expect(ids == own.map(\.rawValue))
            // Not by asking for another session, nor by its number.
            let asked = try JSONSerialization.jsonObject(
                with: web.ask("/v1/shots?session=\(session.id.rawValue + 1)", cookie: cookie).body)
            #expect((asked as? [String: Any])?["id"] as? [Int64] == own.map(\.rawValue))
            for id in all.id where !own.contains(id) {
                for path in ["", "/512", "/screen", "/full"] {
                    #expect(try web.ask("/v1/shots/\(id)\(path)", cookie: cookie).status == 404)
                }
                let rated = try web.ask(
                    "/v1/shots/\(id)/rating", "POST", cookie: cookie, headers: web.ours, body: "{\"stars\":5}"
                )
                #expect([403, 404].contains(rated.status))
            }
            for path in [
                "/v1/status", "/v1/cameras", "/v1/captures", "/v1/conditions", "/v1/web/devices",
                "/v1/openapi.yaml",
                "/metrics", "/v1/destinations", "/v1/events/../status", "/%2e%2e/etc/passwd",
                "/assets/../index.html",
            ] {
                #expect(try web.ask(path, cookie: cookie).status >= 400, "\(path)")
            }
            for path in ["/v1/trigger", "/v1/sessions", "/v1/web/pair", "/v1/cameras/studio-a/trigger"] {
                #expect(
                    try web.ask(path, "POST", cookie: cookie, headers: web.ours, body: "{}").status >= 400,
                    "\(path)")
            }
        }
        let id = try #require(own.first)
        #expect(try web.ask("/v1/shots/\(id)/512", cookie: client).body.starts(with: [0xFF, 0xD8]))
        let rate = { (cookie: String) in
            try web.ask(
                "/v1/shots/\(id)/rating", "POST", cookie: cookie, headers: web.ours, body: "{\"stars\":5}"
            ).status
        }
        #expect(try rate(client) == 200)
        #expect(try rate(screen) == 403)
        #expect(try web.ask("/done", "POST", cookie: client, headers: web.ours, body: "{}").status == 200)
        #expect(try rate(client) == 403)
        #expect(try rate(owner) == 200)
        #expect(try web.ask("/v1/status", cookie: owner).status == 200)
        #expect(try web.ask("/v1/captures", cookie: owner).status == 403)
        #expect(try web.ask("/v1/status").status == 401)
        // What a client gets has no metadata, and no answer a path.
        let picture = try web.ask("/v1/shots/\(id)/full", cookie: client).body
        #expect(picture.range(of: Data("Exif".utf8)) == nil && picture.range(of: Data("EOS".utf8)) == nil)
        let detail = try String(decoding: web.ask("/v1/shots/\(id)", cookie: client).body, as: UTF8.self)
        #expect(!detail.contains(web.rig.captures) && !detail.contains("serial"))
    }

    @Test
    func
        `a client's five stars send a photo that is held for want of them, and the owner's rejection holds it`()
        async throws
    {
        let target = try ScratchFolder()
        let web = try await WebRig(tables: [
            "[upload]", "mode = \"rated\"", "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
            "path = \"\(target.path("nas"))\"",
        ])
        let session = try web.rig.client.call(\.sessions.start, .init(name: "Wedding", uploadMode: .rated))
            .value
        try await web.shoot(2)
        try await web.rig.status("both to be held") { $0.uploads.held == 2 }
        let client = try #require(try web.pair(web.code(.client, session: session.id).code))
        let ids = try web.rig.client.call(\.shots.list, .init()).value.id
        for id in ids {
            if id == ids.last {
                _ = try web.rig.client.call(\.shots.rate, id, .init(pick: .set(false)))
            }
            let status = try web.ask(
                "/v1/shots/\(id)/rating", "POST", cookie: client, headers: web.ours, body: "{\"stars\":5}"
            ).status
            #expect(status == 200)
        }
        try await web.rig.status("one to be delivered") { $0.uploads.delivered == 1 && $0.uploads.held == 1 }
        // It is so after a restart, and the owner may think again.
        try await web.rig.stop()
        try await web.rig.start()
        try await web.rig.status("it to be held still") { $0.uploads.held == 1 }
        #expect(try web.rig.status().uploads.delivered == 1)
        _ = try web.rig.client.call(\.shots.rate, try #require(ids.last), .init(pick: .set(nil)))
        try await web.rig.status("both to be delivered") { $0.uploads.delivered == 2 }
    }

    @Test func `huge heads, slow readers and hundreds of connections keep nobody out for long`() async throws
    {
        let web = try await WebRig()
        try await web.shoot()
        let cookie = try #require(try web.pair(web.code(.owner).code))
        let huge = String(repeating: "a", count: 40_000)
        #expect(try web.ask("/", headers: ["X-Long: \(huge)"]).status != 200)
        let long = try web.ask(
            "/v1/shots/1/rating", "POST", cookie: cookie, headers: web.ours,
            body: "{\"comment\":\"\(String(repeating: "b", count: 20_000))\"}")
        #expect(long.status >= 400)
        // More than one address may hold: they are closed, and the socket of the service does not notice.
        var open: [Int32] = []
        defer { open.forEach { close($0) } }
        for _ in 0..<200 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            address.sin_port = UInt16(web.port).bigEndian
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isConnected { open.append(descriptor) } else { close(descriptor) }
        }
        #expect(try web.rig.status().state == .running)
        try await web.shoot()
        open.forEach { close($0) }
        open = []
        try await eventually("the page to answer") {
            try web.ask("/v1/shots", cookie: cookie).status == 200 ? () : nil
        }
    }

    @Test func `what people type is a text and nothing else`() async throws {
        let web = try await WebRig()
        try await web.shoot()
        let name = "<img src=x onerror=alert(1)>\\u202Eevil"
        let cookie = try #require(try web.pair(web.code(.owner).code, name: name))
        let comment = "<script>alert(1)</script>\\u001b[31m"
        let answer = try web.ask(
            "/v1/shots/1/rating", "POST", cookie: cookie, headers: web.ours,
            body: "{\"comment\":\"\(comment)\"}")
        #expect(answer.status == 200)
        let shot = try web.rig.client.call(\.shots.get, 1).value
        #expect(shot.ratings.map(\.comment) == ["<script>alert(1)</script>[31m"])
        #expect(shot.ratings.map(\.by) == ["<img src=x onerror=alert(1)>evil"])
        #expect(answer.headers.contains("application/json"))
    }
}
