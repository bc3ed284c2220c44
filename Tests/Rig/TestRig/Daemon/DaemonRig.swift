public import APIClient
import Crypto
import Foundation
public import FrameFastAPI
import Glibc
public import Testing

/// A `framefastd` with its own folders, which a test may kill and restart.
public final class DaemonRig {
    /// The folder for all files of the daemon.
    public let folder: ScratchFolder
    /// The path of the capture directory.
    public let captures: String
    /// The running daemon, or `nil` while it is stopped.
    public private(set) var program: RunningProgram?
    /// The path of the API socket.
    public let socket: String
    private let config: String
    private let environment: [String: String]
    private var capture: [String]
    private var cameras: [(name: String, address: String)]
    private var tables: [String]
    private let unaudited = UnauditedServices.ofTestCase

    /// Prepares a daemon with these cameras, by name and address.
    ///
    /// - Parameters:
    ///   - captures: The capture directory, or `nil` for a directory in the rig's own folder.
    ///   - capture: Additional lines for `[capture]`.
    ///   - tables: Additional tables, for example destinations.
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

    deinit {
        if program != nil { unaudited?.add() }
    }

    /// Replaces the tables that follow `[capture]` and `[[camera]]`. The change takes effect at the next
    /// start or reload.
    public func configure(tables: [String]) throws {
        self.tables = tables
        try writeConfiguration()
    }

    /// Adds lines to `[capture]`. The change takes effect at the next start or reload.
    public func configure(capture lines: [String]) throws {
        capture += lines
        try writeConfiguration()
    }

    /// Replaces the cameras. The change takes effect at the next start or reload.
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

    /// Runs the daemon with `--check-config`, which validates the configuration without starting.
    ///
    /// - Returns: The exit status and the output.
    public func checkConfiguration() async throws -> (status: Int32, said: String) {
        let program = try RunningProgram(
            Programs.path("framefastd"),
            ["--config", config, "--state-dir", folder.path("state"), "--check-config"],
            log: folder.url.appending(path: "check.log"), environment: environment)
        let status = try await program.waitUntilExit()
        return (status, program.output)
    }

    /// Starts the daemon and waits until it responds.
    public func start(wrapper: [String] = []) async throws {
        try launch(wrapper: wrapper)
        let program = program
        try await eventually("framefastd to answer: \(program?.output.suffix(2000) ?? "")") {
            guard program?.isRunning == true else {
                throw WaitTimeout(description: "framefastd ended: \(program?.output.suffix(2000) ?? "")")
            }
            return try? client.call(\.service.version)
        }
    }

    /// Starts the daemon without waiting.
    public func launch(wrapper: [String] = []) throws {
        program = try RunningProgram(
            Programs.path("framefastd"),
            ["--config", config, "--state-dir", folder.path("state"), "--socket", socket],
            log: folder.url.appending(path: "daemon.log"), wrapper: wrapper, environment: environment)
    }

    /// Stops the daemon by SIGTERM, waits, and audits its photos. The service must stop within ten seconds,
    /// but only measurements check this limit.
    ///
    /// - Returns: The exit status.
    @discardableResult
    public func stop(
        within seconds: Double = 30, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Int32 {
        guard let program else { return 0 }
        program.signal(SIGTERM)
        defer { self.program = nil }
        let status = try await program.waitUntilExit(within: seconds)
        guard !Self.crashes.contains(-status) else {
            let sentence = "Program crashed: framefastd ended by signal \(-status)"
            throw WaitTimeout(description: "\(sentence); log:\n\(log.suffix(6000))")
        }
        await audit(sourceLocation)
        return status
    }

    /// The signals of a crash. Tests never send these signals to the service.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Kills the daemon by SIGKILL, waits, and audits its photos.
    public func kill(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        guard let program else { return }
        program.signal(SIGKILL)
        defer { self.program = nil }
        try await program.waitUntilExit()
        await audit(sourceLocation)
    }

    /// The findings of the audit that the test causes, with the reasons. ``stop(within:sourceLocation:)`` and
    /// ``kill(sourceLocation:)`` accept findings of these kinds.
    public var expectedFindings: [AuditFindingKind: String] = [:]

    /// The log of all daemons of this rig.
    public var log: String { (try? String(contentsOfFile: folder.path("daemon.log"), encoding: .utf8)) ?? "" }

    /// Texts that identify the log lines of errors that the test causes, for example `condition=disk-full`.
    public var expectedErrors: [String] = []

    /// The error lines in the log that match none of ``expectedErrors``.
    public var errorsInLog: [String] {
        log.split(separator: "\n").filter { line in
            line.split(separator: " ").dropFirst().first == "error"
                && !expectedErrors.contains { line.contains($0) }
        }.map(String.init)
    }

    /// A client of the API socket.
    public var client: FrameFastClient {
        var client = FrameFastClient(socketPath: socket)
        client.timeoutSeconds = 10
        return client
    }

    /// Returns the service's status.
    public func status() throws -> StatusReply { try client.call(\.service.status).value }

    /// Returns the most important parts of a status. Test output truncates longer reports.
    static func summary(_ status: StatusReply) -> String {
        let cameras = status.cameras.map { "\($0.name) \($0.$state)" }
        let conditions = status.conditions.map { "\($0.code) \($0.subject ?? ""): \($0.sentence)" }
        return "\(status.captures.total) saved; \((cameras + conditions).joined(separator: "; "))"
    }

    /// Returns the records of all photos, oldest first.
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

    /// Returns the SHA-256 of each file under a final name, by its path in the capture directory.
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

    /// Returns the paths of part files that are growing or left behind.
    public func parts() -> [String] {
        func names(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
        }
        let work = captures + "/.framefast"
        return names(work + "/incoming") + names(work + "/workers").flatMap(names)
    }

    /// Returns the SHA-256 of a file in lower-case hexadecimal.
    public static func sha256(ofFile path: String) throws -> String {
        let data = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        return SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}
