import Foundation
import SurfaceTestSupport
import TestRig
import Testing

/// Tests that compare each view and state of the page with golden files, which contain the texts, states and
/// positions of elements. `scripts/docs` updates the files.
@Suite(
    .serialized, .programs(4), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct PageGalleryTests {
    private static let folder = "Tests/Programs/BrowserTests/Goldens"
    private static let sizes = ["phone", "desk", "tablet", "narrow"]

    @Test(arguments: Tier.rows(sizes, gate: 1))
    func `each state of the page matches its golden file`(size: String) async throws {
        let window = try #require(PageGallery.sizes[size])
        let gallery = try await PageGallery(window)
        let names = try await gallery.names()
        #expect(names.count > 40)
        var lines: [String] = []
        for name in names {
            #expect(PageGallery.views.contains { name == $0 || name.hasPrefix("\($0), ") }, "\(name)")
            try await gallery.open(name)
            let page = try gallery.describe()
            #expect(page.faults == [], "\(name)")
            lines += ["=== \(name)"] + page.lines
        }
        let text = lines.joined(separator: "\n") + "\n"
        let golden = try DocumentFile("\(Self.folder)/\(size).txt").text(writing: text)
        let differences = LayoutLines.differences(
            golden.split(separator: "\n").map(String.init), lines)
        #expect(
            differences == [],
            "\(size).txt differs: review the difference, then write the file with scripts/docs")
    }
}
