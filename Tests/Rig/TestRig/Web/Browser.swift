public import Foundation

/// Debian's Chromium behind chromedriver (W3C WebDriver): what a person's browser makes of a page.
public final class Browser {
    /// Why there can be none here; `nil` when there can.
    public static let obstacle: String? = {
        let isInstalled = [chromium, driver].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
        return isInstalled ? nil : "Chromium is not installed: apt-get install chromium chromium-driver"
    }()

    private static let chromium = "/usr/bin/chromium"
    private static let driver = "/usr/bin/chromedriver"
    /// Longest answer of the driver, in seconds.
    private static let patience = 60

    /// What the driver, or a script in the page, says is wrong.
    public struct Failure: Error, CustomStringConvertible {
        /// In its words.
        public var description: String
    }

    private let program: RunningProgram
    private let address: String
    private var id = ""

    /// Starts a browser with a window of a size.
    public init(_ folder: ScratchFolder, width: Int = 1_280, height: Int = 900) async throws {
        let port = try LoopbackPort.free()
        program = try RunningProgram(
            URL(filePath: Self.driver), ["--port=\(port)"],
            log: folder.url.appending(path: "driver-\(port).log"), environment: ["HOME": folder.url.path])
        address = "http://127.0.0.1:\(port)"
        try await eventually("chromedriver to answer", within: 30) {
            try? await call("GET", "/status") != nil ? () : nil
        }
        let answer = try await call(
            "POST", "/session",
            [
                "capabilities": [
                    "alwaysMatch": [
                        "browserName": "chrome", "acceptInsecureCerts": true,
                        "goog:chromeOptions": [
                            "binary": Self.chromium,
                            "args": [
                                "--headless=new", "--no-sandbox", "--disable-gpu",
                                "--disable-dev-shm-usage", "--window-size=\(width),\(height)",
                                "--hide-scrollbars", "--allow-file-access-from-files",
                                "--user-data-dir=\(folder.path("profile-\(port)"))",
                            ],
                        ],
                    ]
                ]
            ])
        guard let id = (answer as? [String: Any])?["sessionId"] as? String else {
            throw Failure(description: "no session: \(String(describing: answer))")
        }
        self.id = "/session/\(id)"
    }

    deinit {
        // A driver that is only killed leaves its browser behind.
        if !id.isEmpty {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/curl")
            process.arguments = ["-s", "-m", "10", "-X", "DELETE", address + id]
            process.standardOutput = FileHandle.nullDevice
            if (try? process.run()) != nil { process.waitUntilExit() }
        }
        program.signal(SIGTERM)
    }

    /// Opens an address.
    public func open(_ address: String) async throws {
        _ = try await call("POST", id + "/url", ["url": address])
    }

    /// Runs a script in the page; what it returns.
    @discardableResult
    public func run(_ script: String, _ arguments: Any...) async throws -> Any? {
        try await call("POST", id + "/execute/sync", ["script": script, "args": arguments])
    }

    /// What a script returns, as a text.
    public func text(_ script: String) async throws -> String { try await run(script) as? String ?? "" }

    /// What a script returns, as a number.
    public func number(_ script: String) async throws -> Double {
        (try await run(script) as? NSNumber)?.doubleValue ?? .nan
    }

    /// Waits until a script returns true.
    public func wait(_ what: String, within seconds: Double = Patience.seconds, _ script: String) async throws
    {
        try await eventually(what, within: seconds, every: 50) {
            (try await run(script) as? NSNumber)?.boolValue == true ? () : nil
        }
    }

    /// Types keys, as a person does.
    public func type(_ keys: String) async throws {
        let actions = keys.flatMap { key in
            [["type": "keyDown", "value": String(key)], ["type": "keyUp", "value": String(key)]]
        }
        _ = try await call(
            "POST", id + "/actions", ["actions": [["type": "key", "id": "keys", "actions": actions]]])
    }

    /// A command of Chromium's own (DevTools protocol).
    @discardableResult
    public func command(_ name: String, _ parameters: [String: Any] = [:]) async throws -> Any? {
        try await call("POST", id + "/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    /// The size of the window, and whether it is a phone's or tablet's.
    public func resize(_ width: Int, _ height: Int, isMobile: Bool = false) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": isMobile])
    }

    /// What the person wants of a page: a dark one, no motion, forced colours.
    public func prefer(_ features: [String: String]) async throws {
        try await command(
            "Emulation.setEmulatedMedia",
            ["features": features.map { ["name": $0.key, "value": $0.value] }])
    }

    /// Waits until what was changed is on the screen.
    public func drawn() async throws {
        _ = try await call(
            "POST", id + "/execute/async",
            [
                "script":
                    "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))",
                "args": [Any](),
            ])
    }

    /// What is seen, as a JPEG.
    ///
    /// - Parameter element: A selector; only this element is shown.
    public func picture(of element: String? = nil) async throws -> Data {
        var parameters: [String: Any] = ["format": "jpeg", "quality": 92]
        if let element {
            let box = try await run(
                "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1 }",
                element)
            (parameters["clip"], parameters["captureBeyondViewport"]) = (box, true)
        }
        let answer = try await command("Page.captureScreenshot", parameters)
        return ((answer as? [String: Any])?["data"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
    }

    /// Asks the driver. By curl: URLSession cannot read the driver's header fields.
    private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> Any? {
        let input = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        let (address, patience) = (address + path, Self.patience)
        let data = try await withTaskExecutorPreference(BlockingThreads.shared) {
            let process = Process()
            let (output, source) = (Pipe(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/curl")
            process.arguments =
                ["-s", "-m", "\(patience)", "-X", method, "-H", "Content-Type: application/json"]
                + (input == nil ? [] : ["--data-binary", "@-"]) + [address]
            process.standardOutput = output
            process.standardInput = source
            try process.run()
            if let input { try source.fileHandleForWriting.write(contentsOf: input) }
            try source.fileHandleForWriting.close()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return data
        }
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let value = answer?["value"]
        if let failure = value as? [String: Any], let message = failure["error"] as? String {
            throw Failure(description: "\(message): \(failure["message"] ?? "")")
        }
        return value is NSNull ? nil : value
    }
}
