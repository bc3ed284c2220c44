import APIClient
import Foundation
import FrameFastAPI
import Repository
import TestRig
import Testing

@testable import PictureWorker

/// Each view of the page as people see it, and what axe-core finds in it.
@Suite(.serialized, .enabled(if: Axe.obstacle == nil, .init(rawValue: Axe.obstacle ?? "")))
struct WebViewsTests {
    enum Screen: String, CaseIterable {
        case phone, tablet, desk

        var size: (Int, Int) {
            switch self {
            case .phone: (390, 844)
            case .tablet: (820, 1_180)
            case .desk: (1_440, 900)
            }
        }
    }

    @Test func `no view breaks a rule of accessibility, is wider than its screen, or looks different`()
        async throws
    {
        let axe = Axe(script: try #require(Axe.script))
        let web = try await WebRig(camera: ["--size", "200KB", "--seed", "7"], web: ["control = true"])
        _ = try web.rig.client.call(\.sessions.start, .init(name: "Smith & Co"))
        try await web.shoot(3)
        let pairing = try await Browser(web.folder)
        try await pairing.open(web.address + "/")
        try await pairing.wait("the form", "return document.querySelector('form.pair') !== null")
        try await look(at: pairing, "pairing", axe)
        let page = try await web.browser(.owner)
        try await page.wait(
            "pictures",
            "return document.querySelectorAll('.tile img').length === 3 && [...document.querySelectorAll('.tile img')].every((image) => image.naturalWidth > 0)"
        )
        // Whoever does not see them hears of each.
        let tree = try await page.command("Accessibility.getFullAXTree") as? [String: Any]
        let names = (tree?["nodes"] as? [[String: Any]] ?? []).compactMap { node -> String? in
            func value(_ key: String) -> String? { (node[key] as? [String: Any])?["value"] as? String }
            return value("role") == "listitem" ? value("name") : nil
        }
        #expect(names.sorted() == ["Photo IMG_0001", "Photo IMG_0002", "Photo IMG_0003"], "\(names)")
        try await page.run("document.querySelector('.tile').focus()")
        try await page.type("5")
        try await page.type("\u{E014}p")
        try await page.wait("a pick", "return document.querySelectorAll('.tile')[1].dataset.pick === '1'")
        try await page.run("document.activeElement.blur()")
        try await look(at: page, "photos", axe)
        try await page.run("document.querySelector('.tile').click()")
        try await page.type("h")
        try await page.wait("the details", "return document.querySelector('.panel textarea') !== null")
        // When it was taken is another time in each run.
        try await page.run("document.querySelector('.panel .caption').textContent = 'studio-a'")
        try await look(at: page, "viewer", axe)
        try await page.type("\u{E00C}")
        try await page.run("document.querySelectorAll('nav button')[1].click()")
        try await page.wait("the cards", "return document.querySelectorAll('.card').length > 2")
        // So is how much of this computer's disk is used.
        try await page.command(
            "Runtime.evaluate",
            ["expression": Self.usualDisk])
        try await look(at: page, "status", axe)
    }

    private static let usualDisk = """
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('.meter > span { width: 40% !important; --tone: var(--tone-success) !important; }');
        document.adoptedStyleSheets = [sheet];
        """

    private func look(at page: Browser, _ view: String, _ axe: Axe) async throws {
        try await axe.expectNothing(in: page, view)
        for (width, height) in [(320, 640), (3_840, 2_160)] {
            try await page.resize(width, height)
            let overhang = try await page.number("return document.documentElement.scrollWidth - innerWidth")
            #expect(overhang <= 0, "\(view), \(width) px wide")
        }
        for screen in Screen.allCases {
            try await page.resize(screen.size.0, screen.size.1, isMobile: screen == .phone)
            for scheme in ["light", "dark"] {
                try await page.prefer(["prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"])
                try await page.drawn()
                try await ScreenGolden(name: "\(view)-\(screen)-\(scheme)").compare(page.picture())
            }
        }
        try await page.resize(1_280, 900)
    }
}

/// Every component of the page in every state, without a service.
@Suite(.serialized, .enabled(if: Axe.obstacle == nil, .init(rawValue: Axe.obstacle ?? "")))
struct WebGalleryTests {
    private static let gallery = Repository.file("Tests/Programs/EndToEndTests/Web/Gallery/index.html")

    @Test func `no component in any state breaks a rule of accessibility, or looks different`() async throws {
        let folder = try ScratchFolder()
        let page = try await Browser(folder)
        try await page.open(Self.gallery.absoluteString)
        try await page.wait("the gallery", "return window.isDrawn === true")
        // There is one of each on a page: not three forms, five bars and headings of a gallery.
        let axe = Axe(
            script: try #require(Axe.script),
            without: ["duplicate-id-aria", "page-has-heading-one", "region", "landmark-unique"])
        try await axe.expectNothing(in: page, "gallery")
        for (width, schemes) in [(1_280, ["light", "dark"]), (390, ["light"])] {
            try await page.resize(width, 900)
            // All of the contact sheet is seen.
            let height = try await page.number("return document.documentElement.scrollHeight")
            try await page.resize(width, Int(height))
            try await page.run("dispatchEvent(new Event('scroll'))")
            for scheme in schemes {
                try await page.prefer(["prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"])
                try await page.drawn()
                let titles =
                    try await page.run(
                        "return [...document.querySelectorAll('main > section > h2:first-child')].map((title) => title.textContent)"
                    ) as? [String]
                for (index, title) in try #require(titles).enumerated() {
                    let name = title.lowercased().split { !$0.isLetter }.joined(separator: "-")
                    let element = "main > section:nth-of-type(\(index + 1))"
                    try await ScreenGolden(name: "gallery-\(name)-\(width)-\(scheme)")
                        .compare(page.picture(of: element))
                }
            }
        }
        // Another computer's letters: with serifs, and wider.
        try await page.resize(1_280, 900)
        try await page.prefer(["prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"])
        try await page.run(
            "const sheet = new CSSStyleSheet(); sheet.replaceSync('* { font-family: serif !important; }'); document.adoptedStyleSheets = [sheet]"
        )
        try await page.drawn()
        for (name, section) in [("badges", 1), ("buttons", 2), ("banners", 3)] {
            let screen = try await page.picture(of: "main > section:nth-of-type(\(section))")
            let share = try ScreenGolden(name: "gallery-\(name)-1280-light").difference(from: screen)
            #expect(share <= ScreenGolden.shareMax, "\(name) with serifs")
        }
    }

    /// A comparison that finds nothing would find nothing here as well.
    @Test func `what looks different is found`() throws {
        func golden(_ name: String) throws -> Picture { try ScreenGolden(name: name).kept() }
        let photos = try golden("photos-desk-light")
        #expect(ScreenGolden.difference(photos, try golden("photos-desk-dark")) > 0.5)
        #expect(ScreenGolden.difference(photos, try golden("status-desk-light")) > ScreenGolden.shareMax)
    }
}
