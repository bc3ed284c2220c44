import Foundation
import Repository
import SurfaceTestSupport
import TestRig
import Testing

/// Tests that compare pictures of each view and state, in light and dark colors, with golden files.
/// `scripts/docs` updates the files, and writes the screenshots for people to `.build/page`.
///
/// A golden file contains the pictures of one view, window size and color scheme, one below the other, with a
/// pixel for each cell.
@Suite(
    .serialized, .programs(4), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct PagePictureTests {
    private static let folder = "Tests/Programs/BrowserTests/Goldens"
    private static let schemes = ["light", "dark"]
    /// The maximum size of all golden pictures, in bytes.
    private static let bytesMax = 400_000

    @Test(
        .nightly("PageGalleryTests has texts and places, PictureGridTests has the comparison"),
        arguments: ["phone", "tablet", "desk"])
    func `each state of the page looks like its golden picture`(size: String) async throws {
        let window = try #require(PageGallery.sizes[size])
        let gallery = try await PageGallery(window)
        for view in PageGallery.views {
            let names = try await gallery.names(of: view)
            var pictures: [String: [PictureGrid]] = [:]
            for name in names {
                try await Self.open(name, size, in: gallery)
                for scheme in Self.schemes {
                    try gallery.setScheme(scheme)
                    pictures[scheme, default: []].append(try gallery.picture(window))
                }
            }
            for (scheme, found) in pictures {
                let stack = try #require(PictureGrid.stack(found))
                let file = DocumentFile("\(Self.folder)/\(view).\(size).\(scheme).png")
                let png = try file.data(writing: gallery.png(of: stack))
                let golden = try gallery.picture(ofFile: png).split(into: found.count)
                #expect(golden.count == found.count, "\(file.path): write it with scripts/docs")
                for (name, pair) in zip(names, zip(found, golden)) {
                    let difference = pair.0.difference(from: pair.1)
                    #expect(
                        difference == nil,
                        "\(name) differs in \(file.path): review the picture, then run scripts/docs")
                }
            }
        }
        let bytes = try Self.goldenBytes()
        #expect(bytes <= Self.bytesMax)
    }

    /// Returns the size of all golden pictures, in bytes.
    private static func goldenBytes() throws -> Int {
        let folder = Repository.file(Self.folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".png") }
            .map { try Data(contentsOf: folder.appending(path: $0)).count }.reduce(0, +)
    }

    /// Draws a sample without glyphs. In a run of `scripts/docs`, saves its screenshots first.
    private static func open(_ name: String, _ size: String, in gallery: PageGallery) async throws {
        try gallery.setScheme("light")
        try await gallery.open(name)
        for scheme in schemes where DocumentFile.isWriting {
            try gallery.setScheme(scheme)
            let folder = Repository.file(".build/page/\(size)-\(scheme)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try gallery.browser.screenshot().write(to: folder.appending(path: "\(name).png"))
        }
        try gallery.hideGlyphs()
    }
}
