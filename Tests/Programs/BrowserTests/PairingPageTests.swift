import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of pairing, of the rights of a paired browser, and of requests that other pages send.
@Suite(
    .serialized, .programs(6), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct PairingPageTests {
    @Test func `pairs a browser by code, and refuses the code to another browser`() async throws {
        let page = try await PageRig()
        let code = try await page.openCode(.owner)
        let browser = try await Browser(page.folder)
        try browser.open(code.url)
        try await browser.waitForNameField()
        #expect(try browser.violationsInBothSchemes() == [])
        // The page has removed the code from the address, where other people could read it.
        let address = try browser.script("return location.href", as: String.self)
        #expect(!address.contains(code.code) && address.hasPrefix(page.url))
        try await page.enterCode(in: browser, code.url)
        try await browser.waitUntilLive()
        let cookies = try browser.cookies()
        #expect(cookies.map(\.name) == ["framefast"])
        #expect(cookies.allSatisfy { $0.httpOnly && $0.sameSite == "Strict" })
        let devices = try page.rig.client.call(\.web.devices).value.devices
        #expect(devices.map(\.name) == ["Ana"] && devices.map(\.role) == [.owner])

        try browser.deleteCookies()
        try await page.enterCode(in: browser, code.url)
        try await browser.wait(
            for: "the refusal",
            "document.querySelector('.problem').innerText.includes('wrong, used or expired')")
        #expect(try browser.cookies() == [])
        #expect(try page.rig.client.call(\.web.devices).value.devices.map(\.id) == devices.map(\.id))
        try await page.stop()
    }

    @Test func `a page that pairs again keeps no comments of its former device`() async throws {
        let page = try await PageRig()
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Wedding"))
        let shot = try #require(try await page.shoot(files: 1).first?.shotID)
        let browser = try await Browser(page.folder)
        try await page.pair(browser, as: .owner)
        let comment = #"{"comment":"Not for the client"}"#
        #expect(try browser.request("POST", "/v1/shots/\(shot)/rating", body: comment).status == 200)
        try await browser.waitForTiles(1)
        try browser.run("location.hash = arguments[0]", ["#/shot/\(shot)"])
        try await browser.wait(for: "the viewer", "document.querySelector('.viewer[open] .stage img')")
        try browser.type("i")
        let hasComment = "document.body.textContent.includes('Not for the client')"
        try await browser.wait(for: "the comment", hasComment)
        try browser.run("location.hash = '#/'")
        #expect(try browser.request("DELETE", "/v1/web/session").status == 204)
        try await browser.wait(
            for: "the form for a code", "document.activeElement.placeholder === 'K7QM-4R2P'")
        try browser.type(try await page.openCode(.client).code)
        try browser.press(.enter)
        try await browser.waitUntilLive()
        try await browser.waitForTiles(1)
        #expect(try browser.script("return \(hasComment)", as: Bool.self) == false)
        try await page.stop()
    }

    @Test func `a client receives no file paths, other sessions or replies for owners`() async throws {
        let page = try await PageRig(camera: ["--serial", "SN4711"])
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Earlier"))
        try await page.shoot(files: 1)
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Wedding"))
        let records = try await page.shoot(files: 2)
        let (other, own) = (try #require(records.first?.shotID), try #require(records.last?.shotID))
        let browser = try await Browser(page.folder)
        try await page.pair(browser, as: .client)
        try await browser.waitForTiles(1)
        try await browser.wait(for: "a picture", "document.querySelector('.grid img.ready')")

        let refused = [
            ("GET", "/v1/status"), ("GET", "/v1/cameras"), ("GET", "/v1/captures"), ("GET", "/v1/conditions"),
            ("GET", "/v1/destinations"), ("GET", "/v1/uploads"), ("GET", "/v1/sessions"),
            ("GET", "/v1/web/devices"), ("POST", "/v1/web/codes"), ("POST", "/v1/cameras/studio/trigger"),
            ("POST", "/v1/sessions/stop"), ("POST", "/v1/mode"), ("GET", "/v1/shots/\(own)/full"),
            ("GET", "/v1/shots/\(other)"), ("GET", "/v1/shots/\(other)/512"),
            ("POST", "/v1/shots/\(other)/rating"),
        ]
        for (method, path) in refused {
            let reply = try browser.request(method, path)
            #expect([403, 404].contains(reply.status), "\(method) \(path): \(reply.status) \(reply.body)")
        }
        let snapshot = """
            const reader = (await fetch("/v1/events")).body.getReader(), decoder = new TextDecoder();
            let text = "";
            for (let part; !/event: snapshot[^]*\\n\\n/.test(text) && !(part = await reader.read()).done;)
              text += decoder.decode(part.value, { stream: true });
            await reader.cancel();
            return text;
            """
        var texts = ["event": try browser.script(snapshot, as: String.self)]
        for path in ["/v1/web/me", "/v1/shots", "/v1/shots/\(own)", "/v1/shots/\(own)/histogram"] {
            let reply = try browser.request("GET", path)
            #expect(reply.status == 200, "\(path): \(reply.body)")
            texts[path] = reply.body
        }
        for (path, text) in texts {
            for secret in [page.rig.captures, page.folder.url.path, "SN4711", "Earlier", "sha256"] {
                #expect(!text.contains(secret), "\(path) contains \(secret): \(text)")
            }
        }
        #expect(texts["/v1/shots/\(own)"]?.contains("\"name\"") == true)

        // The start of another session ends the client's session.
        try browser.run(
            """
            window.events = "";
            (async () => {
              const reader = (await fetch("/v1/events")).body.getReader(), decoder = new TextDecoder();
              for (let part; !(part = await reader.read()).done;)
                window.events += decoder.decode(part.value, { stream: true });
            })().catch(() => {});
            """)
        try await browser.wait(for: "the stream", "window.events.includes('event: snapshot')")
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Later"))
        try await browser.wait(for: "the end of the session", #"/"ended_at":"/.test(window.events)"#)
        #expect(try browser.script("return window.events", as: String.self).contains("Later") == false)
        try await page.stop()
    }

    @Test func `another page can neither send a rating nor read a photo`() async throws {
        let page = try await PageRig()
        let records = try await page.shoot(files: 1)
        let shot = try #require(records.first?.shotID)
        let browser = try await Browser(page.folder, ["--host-resolver-rules=MAP rebound.test 127.0.0.1"])
        try await page.pair(browser, as: .owner)
        let body = #"{"stars":5,"comment":"from another page"}"#
        #expect(try browser.request("POST", "/v1/shots/\(shot)/rating", body: #"{"stars":1}"#).status == 200)

        // The browser adds the cookie of this page to requests of a page on another port of the same host.
        let other = try await OtherPage()
        try browser.open(other.url())
        let results = try browser.script(
            """
            const [base, shot, body] = arguments, url = `${base}/v1/shots/${shot}/rating`;
            const send = (mode, type) => fetch(url, { method: "POST", mode, credentials: "include", headers: { "Content-Type": type }, body })
              .then((reply) => reply.type, () => "refused");
            const picture = new Image();
            const isLoaded = new Promise((resolve) => { picture.onload = () => resolve("loaded"); picture.onerror = () => resolve("refused"); });
            picture.src = `${base}/v1/shots/${shot}/512`;
            return [
              await send("no-cors", "text/plain"), await send("cors", "text/plain"), await send("cors", "application/json"),
              await fetch(`${base}/v1/shots`, { credentials: "include" }).then(() => "read", () => "refused"), await isLoaded,
            ];
            """, [page.url, "\(shot)", body], as: [String].self)
        // The browser hides all replies. Two of the requests reached the service with the cookie, so the test
        // also reads the ledger.
        #expect(results == Array(repeating: "refused", count: 5))
        let opinions = try page.rig.client.call(\.shots.get, shot).value.opinions
        #expect(opinions.map(\.stars) == [1] && opinions.map(\.comment) == [nil])

        try browser.open(page.url.replacing("127.0.0.1", with: "rebound.test") + "/")
        try await browser.wait(
            for: "the refusal of the name", "document.body.innerText.includes('cannot serve this host name')")
        try await page.stop()
    }
}
