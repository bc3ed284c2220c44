import APIClient
import Foundation
import FrameFastAPI
import Repository
import TestRig
import Testing

/// The page in a real browser.
@Suite(.serialized, .enabled(if: Browser.obstacle == nil, .init(rawValue: Browser.obstacle ?? "")))
struct WebPageTests {
    private static let tiles = "return [...document.querySelectorAll('.tile')].length"

    @Test func `a client sees its session as photos come, rates by keyboard, and another session not at all`()
        async throws
    {
        let web = try await WebRig()
        try await web.shoot(2)
        let wedding = try web.rig.client.call(\.sessions.start, .init(name: "Wedding")).value
        try await web.shoot(3)
        let page = try await web.browser(.client)
        try await page.wait("three tiles", "return document.querySelectorAll('.tile img').length === 3")
        try await page.wait(
            "their pictures",
            "return [...document.querySelectorAll('.tile img')].every((image) => image.complete && image.naturalWidth > 0)"
        )
        #expect(try await page.text("return document.querySelector('h1').textContent") == "Wedding")

        // The next one comes by itself.
        try await web.shoot()
        try await page.wait("the new one", "return document.querySelectorAll('.tile').length === 4")

        // A whole round by keyboard: to the first tile, four stars; the next, a pick; into it, a comment.
        try await page.run("document.querySelector('.tile').focus()")
        try await page.type("4")
        try await page.wait("four stars", "return document.querySelector('.tile').textContent.includes('★4')")
        try await page.type("\u{E014}p")
        try await page.wait("a pick", "return document.querySelectorAll('.tile')[1].dataset.pick === '1'")
        // What others say meanwhile takes nothing of it away.
        let second = ShotID(
            rawValue: Int64(
                try await page.number("return Number(document.querySelectorAll('.tile')[1].dataset.id)")))
        _ = try web.rig.client.call(\.shots.rate, second, .init(stars: .set(1)))
        try await page.wait(
            "the owner's star", "return document.querySelectorAll('.tile')[1].textContent.includes('★1')")
        try await page.type("\u{E007}")
        try await page.wait("the viewer", "return document.querySelector('dialog.viewer').open")
        try await page.type("c")
        try await page.wait("the comment's field", "return document.activeElement.tagName === 'TEXTAREA'")
        try await page.type("the veil")
        try await page.run(
            "[...document.querySelectorAll('.panel button')].find((button) => button.textContent === 'Comment').click()"
        )
        try await eventually("what was said to be known") {
            let shots = try web.rig.client.call(\.shots.list, .init(session: wedding.id)).value
            return shots.comments.contains(1) && shots.stars.contains(4) && shots.pick.contains(1) ? () : nil
        }
        // Nor does what is said after the page was loaded anew.
        try await page.run("location.reload()")
        try await page.wait("the tiles again", "return document.querySelectorAll('.tile').length === 4")
        try await page.run("document.querySelector('.tile[data-id=\"\(second)\"]').focus()")
        try await page.type("3")
        try await eventually("three stars beside the pick and the comment") {
            let ratings = try web.rig.client.call(\.shots.get, second).value.ratings
            let mia = ratings.first { $0.by == "Mia" }
            return mia?.stars == 3 && mia?.pick == true && mia?.comment == "the veil" ? () : nil
        }
        try await page.type("\u{E007}")
        try await page.wait("the viewer again", "return document.querySelector('dialog.viewer').open")
        try await page.type("c")
        try await page.wait(
            "the comment in its box", "return document.activeElement.value === 'the veil'")

        // Another session's photos are none of theirs.
        _ = try web.rig.client.call(\.sessions.stop)
        try await web.shoot(2)
        try await page.run("return new Promise((done) => setTimeout(done, 500))")
        #expect(try await page.number(Self.tiles) == 4)
    }

    @Test func `the owner sees what the service does, and what it may do is done`() async throws {
        let web = try await WebRig(web: ["control = true"])
        let page = try await web.browser(.owner)
        try await page.wait("the views", "return document.querySelectorAll('nav button').length === 2")
        try await page.run("document.querySelectorAll('nav button')[1].click()")
        try await page.wait("the camera", "return document.body.textContent.includes('studio-a')")
        try await page.wait("its exposure", "return document.body.textContent.includes('ISO')")
        try await page.run(
            "[...document.querySelectorAll('button')].find((button) => button.textContent === 'Release').click()"
        )
        try await web.rig.saved(1)
        try await page.run(
            "[...document.querySelectorAll('button')].find((button) => button.textContent === 'Live view').click()"
        )
        try await page.wait(
            "a frame",
            "const image = document.querySelector('.card img'); return image && image.naturalWidth > 0")
        // A session, and when its photos are uploaded.
        try await page.run(
            "document.querySelector('.card form input').value = 'Smith & Co'; [...document.querySelectorAll('button')].find((button) => button.textContent === 'Start').click()"
        )
        try await page.wait("the mode", "return document.querySelector('.card select') !== null")
        try await page.run(
            "const mode = document.querySelector('.card select'); mode.value = 'offline'; mode.dispatchEvent(new Event('change'))"
        )
        try await eventually("the mode to be the session's") {
            let session = try web.rig.status().session
            return session?.name == "Smith & Co" && session?.uploadMode == .offline ? () : nil
        }
        // The service stops: the page says so, and is right again by itself.
        try await web.rig.stop()
        try await page.wait(
            "the banner", "return document.querySelector('#banners').textContent.includes('Offline')")
        try await web.rig.start()
        try await page.wait(
            "it to be back", "return !document.querySelector('#banners').textContent.includes('Offline')")
    }

    @Test func `the owner sees the other computers of the fleet, and no client does`() async throws {
        let folder = try ScratchFolder()
        let broker = try await Broker(folder)
        func fleet(_ name: String) -> [String] {
            ["[fleet]", "broker = \"mqtt://127.0.0.1:\(broker.port)\"", "name = \"\(name)\""]
        }
        let web = try await WebRig(tables: fleet("host-a"))
        let other = try DaemonRig(cameras: [], tables: fleet("host-b"))
        try await other.start()
        let page = try await web.browser(.owner)
        try await page.wait("the views", "return document.querySelectorAll('nav button').length === 2")
        try await page.run("document.querySelectorAll('nav button')[1].click()")
        func card(_ word: String) -> String {
            """
            return [...document.querySelectorAll('.card')].some((card) =>
                card.querySelector('h2').textContent === 'host-b' && card.querySelector('.badge').textContent === '\(word)')
            """
        }
        try await page.wait("the other computer", card("Online"))
        #expect(
            try await page.run("return document.body.textContent.includes('0 of 0 ready')") as? Bool == true)
        try await other.kill()
        try await page.wait("its end", card("Offline"))
        let session = try web.rig.client.call(\.sessions.start, .init(name: "Wedding")).value
        let client = try #require(try web.pair(try web.code(.client, session: session.id).code))
        #expect(try web.ask("/v1/fleet", cookie: client).status == 404)
    }

    @Test func `a device that is shut out is out at once`() async throws {
        let web = try await WebRig()
        let page = try await web.browser(.owner)
        let device = try #require(web.rig.client.call(\.web.devices).value.devices.first)
        #expect(device.name == "Mia" && device.role == .owner)
        let left = try web.rig.client.call(\.web.revoke, WebDeviceID(device.id)).value.devices
        #expect(left.isEmpty)
        try await page.wait("the form", within: 5, "return document.querySelector('form.pair') !== null")
    }

    @Test func `thousands of shots are a few nodes, and the last is reached`() async throws {
        let web = try await WebRig(camera: ["--size", "20KB", "--existing", "0"])
        try await web.shoot(300)
        let page = try await web.browser(.owner)
        try await page.wait("tiles", "return document.querySelectorAll('.tile').length > 0")
        #expect(try await page.number(Self.tiles) < 120)
        try await page.run("document.querySelector('.tile').focus()")
        // End.
        try await page.type("\u{E010}")
        try await page.wait(
            "the first photo",
            "return document.activeElement.getAttribute('aria-label')?.includes('IMG_0001')")
        #expect(try await page.number(Self.tiles) < 120)
        #expect(try await page.text("return document.activeElement.getAttribute('aria-posinset')") == "300")
    }
}
