import Foundation
import Repository
import TestPictures
import TestRig
import WebPage

/// A server and a browser for the gallery, which shows the page's own modules and style sheet with sample
/// data, in each view and state.
final class PageGallery {
    /// The views, which are also the first words of the samples' names.
    static let views = ["photos", "viewer", "status", "pairing", "follow", "dialog"]
    /// The sizes of the window, by the words in the names of golden files.
    static let sizes: [String: Browser.Size] = [
        "phone": .phone, "tablet": .tablet, "desk": .desk, "narrow": .narrow,
    ]
    /// The folder of the gallery in the repository.
    static let folder = "Tests/Programs/BrowserTests/Gallery"
    /// The largest shot number in the samples.
    private static let shotsMax = 49

    let browser: Browser
    private let url: String
    private let site: ScratchFolder
    private let ports: ReservedPorts
    private let server: RunningProgram
    private let snapshot: String

    /// Starts the server and a browser.
    init(_ size: Browser.Size) async throws {
        let site = try ScratchFolder()
        (self.site, ports) = (site, try ReservedPorts())
        for asset in WebAssets.all where asset.path != "/" {
            let name = asset.path.split(separator: "/").last.map(String.init) ?? ""
            try Data(asset.bytes).write(to: site.url.appending(path: name))
        }
        let folder = Repository.file(Self.folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(
                at: folder.appending(path: name), to: site.url.appending(path: name))
        }
        snapshot = try String(contentsOf: folder.appending(path: "snapshot.js"), encoding: .utf8)
        let picture = Data(try TestPicture(.jpeg).bytes)
        for shot in 1...Self.shotsMax {
            let place = site.url.appending(path: "v1/shots/\(shot)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for form in ["512", "screen", "full"] { try picture.write(to: place.appending(path: form)) }
        }
        let camera = site.url.appending(path: "v1/cameras/left")
        try FileManager.default.createDirectory(at: camera, withIntermediateDirectories: true)
        try picture.write(to: camera.appending(path: "live.mjpeg"))
        server = try RunningProgram(
            URL(filePath: "/usr/bin/python3"),
            ["-m", "http.server", "--bind", "127.0.0.1", "--directory", site.url.path, "\(ports.first)"],
            log: site.url.appending(path: "server.log"))
        try await server.waitUntilListening(on: ports.first, "the gallery")
        url = "http://127.0.0.1:\(ports.first)/"
        browser = try await Browser(site)
        try browser.setSize(size)
    }

    /// Returns the names of all samples.
    func names() async throws -> [String] {
        try browser.open(url)
        return try await browser.waitForValue("the samples", "window.galleryNames", as: [String].self)
    }

    /// Returns the names of the samples of a view.
    func names(of view: String) async throws -> [String] {
        try await names().filter { $0 == view || $0.hasPrefix("\(view), ") }
    }

    /// Draws a sample.
    func open(_ name: String) async throws {
        let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
        try browser.open(url + "?" + query)
        try await browser.wait(
            for: "the sample '\(name)'", "document.documentElement.dataset.ready === arguments[0]", [name])
    }

    /// A description of the visible page.
    struct Description: Decodable {
        /// A line for each element, with its texts, states and place.
        var lines: [String]
        /// Touch targets that are too small, and elements outside the window.
        var faults: [String]
    }

    /// Describes the visible page.
    func describe() throws -> Description { try browser.script(snapshot, as: Description.self) }
}
