import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of ratings that people give on the page.
@Suite(
    .serialized, .programs(6), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct RatingPageTests {
    @Test func `a client rates, comments and finishes with the keyboard only`() async throws {
        let page = try await PageRig()
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Wedding"))
        let shots = try await page.shoot("shoot 3", files: 3).map(\.shotID).sorted()
        let browser = try await Browser(page.folder)
        try await page.pair(browser, as: .client)
        try await browser.waitForTiles(3)

        // The newest photo is first. An arrow key moves the focus to the second photo.
        try browser.pressTab(until: "document.activeElement.matches('.tile')")
        try browser.press(.right)
        try browser.type("4p")
        try await browser.wait(
            for: "the rated tile",
            "document.activeElement.ariaLabel.startsWith('Photo 2, 4 stars, picked')")
        try browser.press(.enter)
        try await browser.wait(for: "the viewer", "document.querySelector('.viewer[open] .stage img')")
        #expect(try browser.violationsInBothSchemes() == [])
        try browser.type("c")
        try await browser.wait(
            for: "the comment's field", "document.activeElement.matches('.panel textarea')")
        // Letters are shortcuts of the page, except while a person types in a field.
        try browser.type("Warmer, please. x 1")
        try browser.pressTab(until: "document.activeElement.innerText === 'Save'")
        // An event redraws the comments. The field keeps its unsaved text without having the focus.
        let reads = """
            performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(`/v1/shots/${arguments[0]}`)).length
            """
        let before = try browser.script("return \(reads)", ["\(shots[1])"], as: Int.self)
        _ = try page.rig.client.call(\.shots.rate, shots[1], RatingRequest(stars: 4, pick: true))
        try await browser.wait(
            for: "the opinions to be read again", "\(reads) > arguments[1]", ["\(shots[1])", before])
        try browser.press(.enter)
        let opinion = try await eventually("the opinion in the ledger") { () -> OpinionReply? in
            let opinions = try page.rig.client.call(\.shots.get, shots[1]).value.opinions
            return opinions.first { $0.comment != nil }
        }
        #expect(opinion.author == "Ana" && opinion.role == .client)
        #expect(opinion.comment == "Warmer, please. x 1")
        #expect(opinion.stars == 4 && opinion.pick == true)
        try browser.press(.escape)
        // The focus returns to the photo.
        try await browser.wait(
            for: "the tile with the comment",
            """
            !document.querySelector('.viewer[open]')
              && document.activeElement.ariaLabel === 'Photo 2, 4 stars, picked, has a comment'
            """)

        try browser.pressTab(until: "document.activeElement.innerText === 'Done'", with: .shift)
        try browser.press(.enter)
        try await browser.wait(
            for: "the question",
            "document.activeElement.closest('dialog') && document.activeElement.innerText === 'Send'")
        try browser.recordBanner()
        try browser.press(.enter)
        try await browser.waitForBanner("is sent")
        #expect(try page.rig.client.call(\.web.devices).value.devices.map(\.isDone) == [true])
        let late = try browser.request("POST", "/v1/shots/\(shots[0])/rating", body: #"{"stars":5}"#)
        #expect(late.status == 409, "\(late.body)")
        try await page.stop()
    }

    @Test func `the comment form shows a failed save even after another rating`() async throws {
        let page = try await PageRig()
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Wedding"))
        let shots = try await page.shoot("shoot 1", files: 1).map(\.shotID)
        let browser = try await Browser(page.folder)
        try await page.pair(browser, as: .owner)
        try await browser.waitForTiles(1)
        // Each request that saves a rating waits until the test makes it fail.
        try browser.run(
            """
            const send = window.fetch;
            window.fetch = (path, options) => path.endsWith("/rating")
              ? new Promise((_, reject) => { window.failRating = reject; }) : send(path, options);
            """)
        try browser.pressTab(until: "document.activeElement.matches('.tile')")
        try browser.press(.enter)
        try await browser.wait(for: "the viewer", "document.querySelector('.viewer[open] .stage img')")
        try browser.type("4")
        try await browser.wait(for: "the request of the stars", "!!window.failRating")
        try browser.type("c")
        try await browser.wait(
            for: "the comment's field", "document.activeElement.matches('.panel textarea')")
        try browser.type("Warmer")
        try browser.pressTab(until: "document.activeElement.innerText === 'Save'")
        try browser.press(.enter)
        try browser.run("window.failRating(new Error())")
        let problem = "document.querySelector('.panel .problem').innerText"
        try await browser.wait(for: "the problem", "\(problem) !== ''")
        // The rating of another person redraws the comments. The problem is still shown.
        _ = try page.rig.client.call(\.shots.rate, shots[0], RatingRequest(stars: 5))
        try await browser.wait(
            for: "the other rating",
            "document.querySelector('.panel section ul').innerText.includes('★★★★★')")
        let text = try browser.script("return \(problem)", as: String.self)
        #expect(text == "The comment is not saved. Save it again.")
        try await page.stop()
    }

    @Test func `a client's five stars upload a photo without an owner's reject`() async throws {
        let folder = try ScratchFolder()
        let page = try await PageRig(
            folder,
            tables: [
                "[upload]", "minimum_rating = 5", "[[destination]]", "name = \"nas\"",
                "kind = \"directory\"", "path = \"\(folder.path("nas"))\"",
            ])
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Wedding", uploadMode: .rated))
        let shots = try await page.shoot("shoot 3", files: 3).map(\.shotID).sorted()
        try await page.rig.status("all photos to be held") { $0.uploads.held == 3 }
        _ = try page.rig.client.call(\.shots.rate, shots[1], RatingRequest(pick: false))
        let browser = try await Browser(folder)
        try await page.pair(browser, as: .client)
        try await browser.waitForTiles(3)
        // The client rates the rejected photo before the photo that is uploaded. An upload of the rejected
        // photo would therefore start first.
        for (index, key) in [(2, "4"), (1, "5"), (0, "5")] {
            try browser.run("location.hash = `#/shot/${arguments[0]}`", ["\(shots[index])"])
            try await browser.wait(
                for: "photo \(index + 1)",
                "document.querySelector('.viewer[open] h2').innerText === `Photo ${arguments[0]} of 3`",
                [index + 1])
            try browser.type(key)
            try await eventually("the client's stars in the ledger") { () -> Void? in
                let opinions = try page.rig.client.call(\.shots.get, shots[index]).value.opinions
                return opinions.contains { $0.role == .client && $0.stars == Int(key) } ? () : nil
            }
        }
        let done = try await page.rig.waitUntil("one delivered photo") { snapshot -> Bool in
            try snapshot.status.uploads.delivered == 1
        }
        #expect(try done.status.uploads.held == 2)
        let jobs = try done.jobs.filter { $0.state == .delivered }
        let records = try done.records.filter { $0.shotID == shots[0] }
        #expect(jobs.map(\.capture) == records.map(\.id))
        try await page.stop()
    }
}
