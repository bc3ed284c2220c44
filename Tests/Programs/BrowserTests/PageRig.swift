import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// A service with its web page, and a simulated camera that takes real pictures.
final class PageRig {
    /// The network of a rig.
    struct Place {
        /// The value of `listen` in `[web]`, or `nil` for a free port of 127.0.0.1.
        var listen: String?
        /// The IP address of the camera.
        var cameraHost = "127.0.0.1"
        /// The command in front of the camera's program.
        var cameraWrapper: [String] = []
        /// The command in front of the service's program.
        var serviceWrapper: [String] = []
    }

    /// The folder for the files of the test.
    let folder: ScratchFolder
    let camera: Simulator
    let rig: DaemonRig
    private let ports: ReservedPorts
    private let place: Place

    /// Starts the camera and the service.
    ///
    /// - Parameters:
    ///   - web: Additional lines of `[web]`.
    ///   - tables: Additional tables of the configuration.
    ///   - capture: Additional lines of `[capture]`.
    ///   - pictures: The content of the photos, as an argument of the simulator's option `--pictures real`.
    ///   - words: Additional arguments of the camera.
    init(
        _ folder: ScratchFolder? = nil, at place: Place = Place(), web: [String] = [], tables: [String] = [],
        capture: [String] = [], pictures: String = "480x320", camera words: [String] = []
    ) async throws {
        let folder = try folder ?? ScratchFolder()
        (self.folder, self.place) = (folder, place)
        ports = try ReservedPorts()
        camera = try await Simulator(
            folder, host: place.cameraHost, wrapper: place.cameraWrapper,
            ["--pictures", "real,\(pictures)", "--size", "400KB"] + words)
        let listen = place.listen ?? "127.0.0.1:\(ports.first)"
        rig = try DaemonRig(
            cameras: [("studio", camera.address)], capture: capture,
            tables: ["[web]", "listen = \"\(listen)\""] + web + tables)
        try await start()
    }

    /// Starts the service and waits until its camera is ready.
    func start() async throws {
        try await rig.start(wrapper: place.serviceWrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
    }

    /// The TCP port of the page at 127.0.0.1.
    var port: Int { ports.first }
    /// The page's URL at 127.0.0.1, without a slash at its end.
    var url: String { "http://127.0.0.1:\(port)" }

    /// Takes photos and waits until they are saved.
    ///
    /// - Parameter files: The number of all saved files after these photos.
    @discardableResult
    func shoot(_ command: String = "shoot", files: Int) async throws -> [CaptureReply] {
        try camera.command(command)
        return try await rig.waitUntilSettled(files)
    }

    /// Requests a pairing code for a device.
    func openCode(_ role: WebRole, session: String? = nil, uses: Int? = nil) async throws -> WebCodeReply {
        // The service answers before it listens for browsers.
        var failure = ""
        return try await eventually("a code for the page: \(failure)") { () -> WebCodeReply? in
            do {
                let request = WebPairRequest(role: role, session: session, uses: uses)
                return try rig.client.call(\.web.pair, request).value
            } catch {
                failure = "\(error)"
                return nil
            }
        }
    }

    /// Opens the page in a browser, and pairs the browser.
    func pair(_ browser: Browser, as role: WebRole, session: String? = nil) async throws {
        try await enterCode(in: browser, openCode(role, session: session).url)
        try await browser.waitUntilLive()
    }

    /// Opens a URL with a code, enters a name and confirms.
    func enterCode(in browser: Browser, _ url: String, name: String = "Ana") async throws {
        try browser.open(url)
        try await browser.waitForNameField()
        try browser.run("document.activeElement.select()")
        try browser.type(name)
        try browser.press(.enter)
    }

    /// Stops the service after a comparison of the saved photos with the camera's photos.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [], sourceLocation: sourceLocation)
        let status = try await rig.stop(sourceLocation: sourceLocation)
        #expect(status == 0, sourceLocation: sourceLocation)
    }
}
