import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Pictures on the page: which there are, how they are looked at, and how the last one is followed.
@Suite(.serialized, .enabled(if: Browser.obstacle == nil, .init(rawValue: Browser.obstacle ?? "")))
struct WebViewerTests {
    private static let overlay = "return document.querySelector('.overlay').textContent"

    @Test func `a pair is one tile, what was held sideways is upright, and what is no picture says so`()
        async throws
    {
        let web = try await WebRig(maker: "canon")
        try web.camera.command("shoot-pair")
        try web.camera.command("orientation 6")
        try web.camera.command("shoot")
        try web.camera.command("orientation 1")
        for coding in ["progressive", "broken", "huge"] {
            try web.camera.command("coding \(coding)")
            try web.camera.command("shoot")
        }
        try await web.rig.saved(6)
        let page = try await web.browser(.owner)
        try await page.wait("five tiles", "return document.querySelectorAll('.tile').length === 5")
        try await page.wait(
            "what they show",
            "return [...document.querySelectorAll('.tile')].every((tile) => tile.querySelector('.none') || tile.querySelector('img')?.naturalWidth > 0)"
        )
        let shown = try await page.run(
            "return [...document.querySelectorAll('.tile')].map((tile) => { const image = tile.querySelector('img'); return image ? `${image.naturalWidth}x${image.naturalHeight}` : tile.querySelector('.none').textContent })"
        )
        // The newest first.
        #expect(shown as? [String] == ["No preview", "No preview", "480x320", "320x480", "480x320"])
        #expect(
            try await page.text("return document.querySelectorAll('.tile')[4].textContent").contains("RAW+J"))
        // Nobody else noticed.
        try web.camera.command("coding baseline")
        try await web.shoot()
        #expect(try web.rig.status().conditions.isEmpty)
        #expect(try web.rig.differences(from: web.camera.truth()) == [])
    }

    @Test func `a zoomed place stays from photo to photo, and what is clipped is marked`() async throws {
        let web = try await WebRig(maker: "canon")
        try await web.shoot(3)
        let page = try await web.browser(.owner)
        // A phone's: smaller than two pixels for each of the photo's.
        try await page.resize(390, 700)
        try await page.wait("the tiles", "return document.querySelectorAll('.tile').length === 3")
        try await page.run("document.querySelector('.tile').click()")
        for zoom in ["100 %", "200 %"] {
            try await page.run("document.querySelector('[data-key=zoom]').click()")
            try await page.wait(
                zoom, "return document.querySelector('[data-key=zoom]').textContent === '\(zoom)'")
        }
        try await page.wait(
            "every pixel", "return document.querySelector('.stage img').getBoundingClientRect().width === 960"
        )
        try await page.run("document.querySelector('.stage').scrollTo(430, 40)")
        let place = "const { scrollLeft, scrollTop } = document.querySelector('.stage')"
        try await page.wait("the place", "\(place); return scrollLeft === 430 && scrollTop === 40")
        let first = try await page.text("return document.querySelector('.stage img').alt")
        try await page.type("\u{E014}")
        try await page.wait(
            "the next photo", "return document.querySelector('.stage img').alt !== '\(first)'")
        try await page.wait("the same place", "\(place); return scrollLeft === 430 && scrollTop === 40")
        // A quarter of the first is as blue as can be, and nothing is black.
        try await page.type("\u{E012}j")
        try await page.wait("marks", "return !document.querySelector('canvas').hidden")
        let marks = """
            const canvas = document.querySelector('canvas'), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let bright = 0, dark = 0, none = 0;
            for (let at = 0; at < data.length; at += 4) { if (!data[at + 3]) none += 1; else if (data[at] > data[at + 2]) bright += 1; else dark += 1; }
            """
        try await page.wait("some of it", "\(marks) return bright > 10000 && none > bright && dark === 0")
        try await page.wait(
            "them on the picture",
            "const [one, other] = ['canvas', '.stage img'].map((name) => document.querySelector(name).getBoundingClientRect()); return ['left', 'top', 'width', 'height'].every((side) => Math.abs(one[side] - other[side]) < 1)"
        )
        try await page.type("h")
        try await page.wait(
            "their share in words",
            "return /^Clipped: [1-9][0-9]*[.][0-9] % bright, 0[.]0 % dark$/m.test(document.querySelector('.panel .row').textContent.replace('Show clipping', ''))"
        )
        try await page.type("j")
        try await page.wait("no marks", "return document.querySelector('canvas').hidden")
    }

    @Test func `a screen follows the last photo, and says when nothing comes and when nobody answers`()
        async throws
    {
        let web = try await WebRig()
        let session = try web.rig.client.call(\.sessions.start, .init(name: "Wedding")).value
        try await web.shoot(2)
        let page = try await web.browser(.screen, name: "Wall", session: session.id)
        try await page.wait("the viewer", "return document.querySelector('dialog.viewer').open")
        let shown = "return document.querySelector('.stage img').alt"
        try await page.wait("the last photo", "\(shown).startsWith('Photo IMG_0002')")
        try await web.shoot()
        try await page.wait("the new one", "\(shown).startsWith('Photo IMG_0003')")
        #expect(try await page.text(Self.overlay) == "")
        // Nobody rates on a wall.
        #expect(try await page.number("return document.querySelectorAll('.bar input').length") == 0)
        try await page.run("const now = Date.now; Date.now = () => now() + 150000")
        try await page.wait("its word", "\(Self.overlay) === 'No photo for 2 min'")
        try await web.rig.stop()
        try await page.wait("the outage", "\(Self.overlay) === 'Not connected'")
        try await web.rig.start()
        try await page.wait("it to be back", "\(Self.overlay) !== 'Not connected'")
    }

    private static let tenSeconds = "return new Promise((done) => setTimeout(done, 10_000))"

    @Test func `whatever happened to the network, the service or the tablet, each photo is there once`()
        async throws
    {
        let web = try await WebRig()
        try await web.shoot(2)
        let page = try await web.browser(.owner)
        func expect(_ count: Int, _ when: String) async throws {
            try await page.wait(
                "\(count) photos \(when)", within: 10,
                "return document.querySelectorAll('.tile').length === \(count)")
            let names = try await page.run(
                "return [...document.querySelectorAll('.tile')].map((tile) => tile.getAttribute('aria-label'))"
            )
            #expect(Set(names as? [String] ?? []).count == count, "\(when)")
        }
        try await expect(2, "at first")
        // The tablet slept.
        let sleep =
            "Object.defineProperty(document, 'hidden', { configurable: true, value: arguments[0] }); document.dispatchEvent(new Event('visibilitychange'))"
        try await page.run(sleep, true)
        try await web.shoot(2)
        #expect(try await page.number("return document.querySelectorAll('.tile').length") == 2)
        try await page.run(sleep, false)
        try await expect(4, "after it slept")
        // Its network was away: what it has of a stream is cut, and it cannot ask for another.
        func network(isAway: Bool) async throws {
            try await page.command("Network.enable")
            try await page.command(
                "Network.emulateNetworkConditions",
                ["offline": isAway, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
        }
        try await network(isAway: true)
        try await web.rig.stop()
        try await page.wait(
            "the banner", "return document.querySelector('#banners').textContent.includes('Offline')")
        // The service was away as well, and photos came before it was back.
        try web.camera.command("shoot 3")
        try await web.rig.start()
        try await web.rig.saved(7)
        // As long as somebody walks behind a wall: the page asks again and again, and is right soon after it can.
        for _ in 0..<(Sweep.isWhole ? 3 : 0) { try await page.run(Self.tenSeconds) }
        try await network(isAway: false)
        let back = ContinuousClock.now
        try await expect(7, "after the network was away")
        print("WebViewerTests: right again \(back.duration(to: .now)) after the network was back")
        try await web.shoot()
        try await expect(8, "at the end")
    }
}
