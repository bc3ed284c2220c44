public import APIClient
import Crypto
import Foundation
public import FrameFastAPI
import Glibc

/// A `framefastd` with folders of its own, which a test may kill and start again.
public final class DaemonRig {
    /// Everything that it writes.
    public let folder: ScratchFolder
    /// Where photos go.
    public let captures: String
    /// The running daemon; `nil` while it is stopped.
    public private(set) var program: RunningProgram?
    /// Path of its socket.
    public let socket: String
    private let config: String
    private let environment: [String: String]
    private var capture: [String]
    private var cameras: [(name: String, address: String)]
    private var tables: [String]

    /// Prepares a daemon with these cameras, by name and address.
    ///
    /// - Parameters:
    ///   - captures: The capture directory; in the rig's own folder as a rule.
    ///   - capture: More lines for `[capture]`.
    ///   - tables: More tables, for example destinations.
    public init(
        cameras: [(name: String, address: String)], captures: String? = nil, capture: [String] = [],
        tables: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        folder = try ScratchFolder()
        self.captures = captures ?? folder.path("captures")
        self.environment = environment
        socket = folder.path("ff.sock")
        config = folder.path("framefast.toml")
        let keepsFree = capture.contains { $0.hasPrefix("min_free") } ? [] : ["min_free = \"1 MiB\""]
        self.capture = ["[capture]", "directory = \"\(self.captures)\""] + keepsFree + capture
        self.cameras = cameras
        self.tables = tables
        try writeConfiguration()
    }

    /// Puts other tables behind cameras and capture; they count from the next start on.
    public func configure(tables: [String]) throws {
        self.tables = tables
        try writeConfiguration()
    }

    /// Adds lines to `[capture]`; they count from the next start or reload on.
    public func configure(capture lines: [String]) throws {
        capture += lines
        try writeConfiguration()
    }

    /// Names other cameras; they count from the next start on.
    public func configure(cameras: [(name: String, address: String)]) throws {
        self.cameras = cameras
        try writeConfiguration()
    }

    private func writeConfiguration() throws {
        let named = cameras.flatMap {
            ["[[camera]]", "name = \"\($0.name)\"", "address = \"\($0.address)\""]
        }
        try ((capture + named + tables).joined(separator: "\n") + "\n")
            .write(toFile: config, atomically: true, encoding: .utf8)
    }

    /// Asks the daemon what is wrong with the configuration, without starting it.
    ///
    /// - Returns: its exit status and what it said.
    public func checkConfiguration() async throws -> (status: Int32, said: String) {
        let program = try RunningProgram(
            Programs.path("framefastd"),
            ["--config", config, "--state-dir", folder.path("state"), "--check-config"],
            log: folder.url.appending(path: "check.log"), environment: environment)
        let status = try await program.ended()
        return (status, program.output)
    }

    /// Starts it and waits until it answers.
    public func start(wrapper: [String] = []) async throws {
        try launch(wrapper: wrapper)
        let program = program
        try await eventually("framefastd to answer: \(program?.output.suffix(2000) ?? "")") {
            guard program?.isRunning == true else {
                throw Impatience(description: "framefastd ended: \(program?.output.suffix(2000) ?? "")")
            }
            return try? client.call(\.service.version)
        }
    }

    /// Starts it without waiting.
    public func launch(wrapper: [String] = []) throws {
        program = try RunningProgram(
            Programs.path("framefastd"),
            ["--config", config, "--state-dir", folder.path("state"), "--socket", socket],
            log: folder.url.appending(path: "daemon.log"), wrapper: wrapper, environment: environment)
    }

    /// Ends it by SIGTERM and waits. The service promises ten seconds, which only a measurement asserts.
    ///
    /// - Returns: its exit status.
    @discardableResult
    public func stop(within seconds: Double = 30) async throws -> Int32 {
        program?.signal(SIGTERM)
        defer { program = nil }
        let status = try await program?.ended(within: seconds) ?? 0
        guard !Self.crashes.contains(-status) else {
            let sentence = "Program crashed: framefastd ended by signal \(-status)"
            throw Impatience(description: "\(sentence); log:\n\(log.suffix(6000))")
        }
        return status
    }

    /// Signals of a program that crashed. No test sends one of them to the service.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Kills it by SIGKILL and waits.
    public func kill() async throws {
        program?.signal(SIGKILL)
        try await program?.ended()
        program = nil
    }

    /// Everything that the daemons of this rig have logged.
    public var log: String { (try? String(contentsOfFile: folder.path("daemon.log"), encoding: .utf8)) ?? "" }

    /// Errors that the test provokes, by a text in their line, for example `condition=disk-full`.
    public var expectedErrors: [String] = []

    /// What the log calls an error and nobody provoked: a run that loses nothing has none.
    public var errorsInLog: [String] {
        log.split(separator: "\n").filter { line in
            line.split(separator: " ").dropFirst().first == "error"
                && !expectedErrors.contains { line.contains($0) }
        }.map(String.init)
    }

    /// Calls on its socket.
    public var client: FrameFastClient {
        var client = FrameFastClient(socketPath: socket)
        client.timeoutSeconds = 10
        return client
    }

    /// What it says of itself.
    public func status() throws -> StatusReply { try client.call(\.service.status).value }

    /// The most telling parts of a status: a long report is cut where tests are read.
    static func summary(_ status: StatusReply) -> String {
        let cameras = status.cameras.map { "\($0.name) \($0.state.rawValue)" }
        let conditions = status.conditions.map { "\($0.code) \($0.subject ?? ""): \($0.sentence)" }
        return "\(status.captures.total) saved; \((cameras + conditions).joined(separator: "; "))"
    }

    /// Every photo that the daemon has a record of, oldest first.
    public func records() throws -> [CaptureReply] {
        var all: [CaptureReply] = []
        var query = CapturesQuery(limit: CapturesQuery.limitMax)
        repeat {
            let page = try client.call(\.captures.list, query).value
            all += page.captures
            query.cursor = page.nextCursor
        } while query.cursor != nil
        return all.sorted { $0.id < $1.id }
    }

    /// Every file under a final name, relative to the capture directory, with its SHA-256.
    public func files() throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: captures)
        where !name.hasPrefix(".framefast") {
            var isFolder: ObjCBool = false
            let path = captures + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            found[name] = try Self.sha256(ofFile: path)
        }
        return found
    }

    /// Paths of files that are still growing, or were left behind.
    public func parts() -> [String] {
        func names(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
        }
        let work = captures + "/.framefast"
        return names(work + "/incoming") + names(work + "/workers").flatMap(names)
    }

    /// SHA-256 of a file, lower-case hex.
    public static func sha256(ofFile path: String) throws -> String {
        let data = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        return SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}
