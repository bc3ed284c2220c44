import APIClient
import FrameFastAPI
import TestRig
import Testing

/// Tests of new photos, lost connections and untrusted texts on the page.
@Suite(
    .serialized, .programs(6), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct ArrivalPageTests {
    @Test func `shows a new RAW and JPEG as one tile without a reload`() async throws {
        let page = try await PageRig()
        let browser = try await Browser(page.folder)
        try await page.pair(browser, as: .owner)
        try await browser.wait(
            for: "the empty list", "document.querySelector('.lead').innerText.includes('No photos yet')")
        try browser.run("window.isSamePage = true")
        try await page.shoot("shoot-pair", files: 2)
        // The list may have another number of tiles until the page knows that both files belong to one shot.
        try await browser.wait(
            for: "one tile with both files and its picture",
            """
            document.querySelectorAll('.grid li').length === 1
              && document.querySelector('.grid li .form').innerText === 'RAW+JPEG'
              && document.querySelector('.grid li img.ready')
            """)
        #expect(try browser.script("return window.isSamePage === true", as: Bool.self))
        #expect(try browser.violationsInBothSchemes() == [])
        try await page.shoot("shoot-pair", files: 4)
        try await browser.waitForTiles(2)
        try await browser.wait(
            for: "the number of photos", "document.querySelector('#bar .number').innerText === '2 photos'")
        try await page.stop()
    }

    @Test func `reconnects after a restart of the service without a duplicate tile`() async throws {
        let page = try await PageRig()
        try await page.shoot("shoot 2", files: 2)
        let browser = try await Browser(page.folder)
        try await page.pair(browser, as: .owner)
        try await browser.waitForTiles(2)
        try browser.run("window.isSamePage = true")

        try await page.stop()
        try await browser.wait(
            for: "the notice", "document.querySelector('#banner').innerText.includes('Not connected for')")
        // The time in the notice changes each second. A button in the banner keeps the focus nevertheless.
        try browser.run("document.querySelector('.tile').focus()")
        try browser.type("4")
        try await browser.wait(for: "the failed rating", "document.querySelector('#banner button')")
        try browser.run(
            """
            document.querySelector('#banner button').focus();
            window.lastNotice = document.querySelector('#banner').innerText;
            """)
        try await browser.wait(
            for: "the next second", "document.querySelector('#banner').innerText !== window.lastNotice")
        let focus = try browser.script("return document.activeElement.innerText", as: String.self)
        #expect(focus == "Close")
        try browser.run("document.activeElement.click()")
        try page.camera.command("shoot")
        try await page.start()
        try await page.shoot(files: 4)
        try await browser.waitUntilLive()
        try await browser.waitForTiles(4)
        let ids = try browser.script(
            "return [...document.querySelectorAll('.grid li')].map((tile) => tile.dataset.id)",
            as: [String].self)
        let index = try page.rig.client.call(\.shots.list, ShotsQuery()).value
        #expect(Set(ids) == Set(index.ids.map { "\($0)" }) && ids.count == 4)
        #expect(try browser.script("return window.isSamePage === true", as: Bool.self))
        try await browser.wait(for: "no notice", "document.querySelector('#banner').hidden")
        try await page.stop()
    }

    @Test func `shows scripts in names and comments as text`() async throws {
        let script = Browser.foreignContent
        let page = try await PageRig(camera: ["--model", script])
        _ = try page.rig.client.call(\.sessions.start, .init(name: script))
        let records = try await page.shoot(files: 1)
        let shot = try #require(records.first?.shotID)
        let rating = RatingRequest(stars: 4, comment: script)
        _ = try page.rig.client.call(\.shots.rate, shot, rating)
        let browser = try await Browser(page.folder)
        try await page.enterCode(in: browser, page.openCode(.client).url, name: script)
        try await browser.waitUntilLive()
        let title = try browser.script("return document.querySelector('h1').innerText", as: String.self)
        #expect(title == script)
        let device = try #require(try page.rig.client.call(\.web.devices).value.devices.last)
        #expect(script.hasPrefix(device.name) && !device.name.isEmpty)
        _ = try browser.request("DELETE", "/v1/web/session")

        try await page.pair(browser, as: .owner)
        try await browser.waitForTiles(1)
        try browser.run("document.querySelector('.tile').click()")
        try await browser.wait(for: "the viewer", "document.querySelector('.viewer[open]')")
        try browser.type("i")
        try await browser.wait(
            for: "the comment as text", "document.querySelector('.panel .text').innerText === arguments[0]",
            [script])
        try browser.press(.escape)
        // The page sets `location.hash` after the viewer closes, and would overwrite an earlier change.
        try await browser.wait(
            for: "the list", "!document.querySelector('.viewer[open]') && location.hash === '#/'")
        try browser.run("location.hash = '#/status'")
        try await browser.wait(
            for: "the camera's model as text",
            "document.querySelector('.page .card .caption').innerText.includes('onerror')")
        #expect(try browser.hasForeignContent() == false)
        try await page.stop()
    }
}
