public import Foundation

/// A headless Chromium that a test controls through Debian's `chromedriver` (W3C WebDriver).
public final class Browser {
    /// The size of a browser window, in CSS pixels.
    public struct Size: Hashable, Sendable {
        /// The width.
        public var width: Int
        /// The height.
        public var height: Int
        /// The number of device pixels for each CSS pixel.
        public var scale: Double
        /// Whether the browser emulates a mobile device.
        public var isMobile: Bool

        /// A window on a desktop computer.
        public static let desk = Size(width: 1_280, height: 800, scale: 1, isMobile: false)
        /// A tablet in portrait orientation.
        public static let tablet = Size(width: 820, height: 1_180, scale: 1, isMobile: false)
        /// A phone in portrait orientation.
        public static let phone = Size(width: 390, height: 844, scale: 2, isMobile: true)
        /// The smallest supported phone.
        public static let narrow = Size(width: 320, height: 640, scale: 2, isMobile: true)
    }

    /// A cookie.
    public struct Cookie: Decodable, Hashable, Sendable {
        /// The name.
        public var name: String
        /// Whether scripts cannot read the cookie.
        public var httpOnly: Bool
        /// Whether the browser sends the cookie only over TLS.
        public var secure: Bool
        /// The cookie's `SameSite` attribute, for example `Strict`.
        public var sameSite: String?
    }

    /// The browser of Debian's package `chromium`.
    private static let program = "/usr/bin/chromium"
    /// The driver of Debian's package `chromium-driver`.
    private static let driver = URL(filePath: "/usr/bin/chromedriver")

    /// Whether browser and driver are installed.
    public static let isInstalled =
        [program, driver.path].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    /// The longest time for the start of the browser, for a page and for a script, in milliseconds. On a busy
    /// computer, the browser alone needs half a minute. The driver's default limits are 60, 300 and 30
    /// seconds.
    private static let limitMs = 240_000

    private let process: RunningProgram
    private let client: WebDriverClient
    private let session: String
    private let launcher: Script

    /// Starts a browser with an empty profile, in English and in UTC.
    ///
    /// - Parameters:
    ///   - folder: The folder for the browser's profile and log.
    ///   - wrapper: The command in front of the browser, for example to enter a private network.
    ///   - arguments: Additional arguments of the browser.
    public init(
        _ folder: ScratchFolder, wrapper: [String] = [], _ arguments: [String] = []
    ) async throws {
        let name = UUID().uuidString.prefix(8)
        let (process, port) = try await Self.startDriver(folder, name: name)
        launcher = try Script("exec \(wrapper.joined(separator: " ")) \(Self.program) \"$@\"")
        client = WebDriverClient(port: port)
        self.process = process
        // The browser ends with the driver, because the driver's end closes the pipe. The tests run as root,
        // for which Chromium has no sandbox.
        let options = [
            "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--lang=en",
            "--user-data-dir=\(folder.path("profile-\(name)"))",
        ]
        struct Session: Decodable { var sessionId: String }
        let capabilities: [String: Any] = [
            "alwaysMatch": [
                "acceptInsecureCerts": true, "goog:loggingPrefs": ["browser": "ALL"],
                "timeouts": ["pageLoad": Self.limitMs, "script": Self.limitMs],
                "goog:chromeOptions": [
                    "binary": launcher.file.path, "args": options + arguments,
                    "browserStartupTimeout": Self.limitMs,
                ] as [String: Any],
            ] as [String: Any]
        ]
        do {
            session = try client.send(
                "POST", "/session", ["capabilities": capabilities], as: Session.self
            ).sessionId
        } catch {
            throw WaitTimeout(description: "cannot start Chromium: \(error); log: \(process.output)")
        }
        try setSize(.desk)
        try setMedia(["prefers-color-scheme": "light"])
    }

    private enum DriverStart {
        case listens(Int)
        case portIsUsed
    }

    /// Starts the driver at a free port.
    ///
    /// With port 0, the driver first opens a free IPv6 port, and then the same number for IPv4. If another
    /// program has the IPv4 port, the driver ends, and this function starts it again.
    private static func startDriver(
        _ folder: ScratchFolder, name: Substring
    ) async throws -> (process: RunningProgram, port: Int) {
        for attempt in 1...10 {
            let process = try RunningProgram(
                driver, ["--port=0"], log: folder.url.appending(path: "chromedriver-\(name)-\(attempt).log"),
                environment: ["TZ": "UTC", "LANG": "C.UTF-8", "HOME": folder.url.path])
            let start = try await eventually(
                "chromedriver to listen: \(process.output)"
            ) { () -> DriverStart? in
                if let line = process.output.firstMatch(of: /started successfully on port (\d+)/),
                    let port = Int(line.output.1)
                {
                    return .listens(port)
                }
                guard !process.isRunning else { return nil }
                guard process.output.contains("Address already in use") else {
                    throw WaitTimeout(description: "chromedriver ended: \(process.output)")
                }
                return .portIsUsed
            }
            if case .listens(let port) = start { return (process, port) }
        }
        throw WaitTimeout(description: "chromedriver found no port that is free for IPv4 and IPv6")
    }

    deinit {
        // Ends the browser before its profile is deleted. Otherwise, the browser would end later, with the
        // driver.
        try? perform("DELETE", "")
        launcher.remove()
    }

    /// Sends a command of the session, and returns its value.
    private func send<Value: Decodable>(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, as type: Value.Type
    ) throws -> Value {
        try client.send(method, "/session/\(session)\(path)", body, as: type)
    }

    /// Sends a command of the session, and ignores its value.
    func perform(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws {
        try client.perform(method, "/session/\(session)\(path)", body)
    }

    // MARK: Pages

    /// Opens a URL and waits until the page is loaded. Also loads the page if only the URL's fragment
    /// changes.
    public func open(_ url: String) throws {
        try perform("POST", "/url", ["url": "about:blank"])
        try perform("POST", "/url", ["url": url])
    }

    /// Opens a window and makes it the current window. The window has the same cookies.
    public func openWindow() throws {
        struct Window: Decodable { var handle: String }
        let window = try send("POST", "/window/new", ["type": "window"], as: Window.self)
        try perform("POST", "/window", ["handle": window.handle])
    }

    /// Makes a window the current window, by its position in the order of opening.
    public func useWindow(_ index: Int) throws {
        let handles = try send("GET", "/window/handles", as: [String].self)
        try perform("POST", "/window", ["handle": handles[index]])
    }

    /// Returns the cookies that the browser sends to the current page.
    public func cookies() throws -> [Cookie] { try send("GET", "/cookie", as: [Cookie].self) }

    /// Deletes the cookies of the current page.
    public func deleteCookies() throws { try perform("DELETE", "/cookie") }

    /// Returns the messages of pages that the browser logged since the last call.
    public func messages() throws -> [String] {
        struct Entry: Decodable { var message: String }
        return try send("POST", "/se/log", ["type": "browser"], as: [Entry].self).map(\.message)
    }

    /// Returns a picture of the window as a PNG.
    public func screenshot() throws -> Data {
        let text = try send("GET", "/screenshot", as: String.self)
        guard let data = Data(base64Encoded: text) else {
            throw WaitTimeout(description: "the screenshot is not valid base64")
        }
        return data
    }

    // MARK: Scripts

    /// Runs the body of a function in the page. The content policy of the page does not apply.
    ///
    /// - Parameter arguments: Values that JSON can represent. The script reads them as `arguments[0]` and so
    ///   on.
    /// - Returns: The value that the script returns. For a promise, the value with which the promise
    ///   resolves.
    public func script<Value: Decodable>(
        _ source: String, _ arguments: [Any] = [], as type: Value.Type = Value.self
    ) throws -> Value {
        try send("POST", "/execute/sync", ["script": source, "args": arguments], as: type)
    }

    /// Runs the body of a function in the page, and ignores its value.
    public func run(_ source: String, _ arguments: [Any] = []) throws {
        try perform("POST", "/execute/sync", ["script": source, "args": arguments])
    }

    /// Sends a command of the Chrome DevTools protocol to the current page, and ignores its result.
    public func command(_ name: String, _ parameters: [String: Any] = [:]) throws {
        try perform("POST", "/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    /// Sets the size of the current window.
    public func setSize(_ size: Size) throws {
        try command(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": size.width, "height": size.height, "deviceScaleFactor": size.scale,
                "mobile": size.isMobile,
            ])
    }

    /// Sets media features, for example `["prefers-color-scheme": "dark"]`. Other features have their
    /// defaults.
    public func setMedia(_ features: [String: String]) throws {
        let list = features.map { ["name": $0.key, "value": $0.value] }
        try command("Emulation.setEmulatedMedia", ["features": list])
    }

    /// Returns the resident memory of the largest process that draws pages, in bytes.
    public func rendererBytes() throws -> UInt64 {
        let renderers = RunningProgram.descendants(of: process.pid).filter { pid in
            (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8))?
                .contains("--type=renderer") == true
        }
        guard let bytes = renderers.compactMap({ try? RunningProgram.residentBytes(of: $0) }).max() else {
            throw WaitTimeout(description: "the browser has no process that draws pages")
        }
        return bytes
    }
}
