import Foundation
import Glibc
import Synchronization
import TestRig
import Testing

/// A server for one test: its process ends with it.
final class TestServer: Sendable {
    let port: Int
    let folder: URL
    private let program: URL
    private let host: String
    private let arguments: [String]
    private let environment: [String: String]
    private let log: URL
    private let process = Mutex<RunningProgram?>(nil)

    /// Starts a server and waits until it takes connections.
    init(
        _ program: URL, in scratch: ScratchFolder, name: String, at host: String = "127.0.0.1",
        port: Int? = nil, environment: [String: String] = [:],
        arguments: (_ port: Int, _ folder: URL) throws -> [String]
    ) async throws {
        let port = try port ?? TestServers.freePort()
        self.port = port
        self.program = program
        self.host = host
        self.environment = environment
        folder = scratch.url.appending(path: name)
        log = scratch.url.appending(path: "\(name).log")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.arguments = try arguments(port, folder)
        try await start()
    }

    /// Starts it, again when it was killed.
    func start() async throws {
        let process = try RunningProgram(program, arguments, log: log, environment: environment)
        self.process.withLock { $0 = process }
        try await eventually("\(log.lastPathComponent) to listen: \(process.output.suffix(1500))") {
            TestServers.accepts(port, at: host) ? () : nil
        }
    }

    /// What it printed.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Methods of the requests that http_server.py answered, in order, without those to try out what it does.
    var requests: [String] {
        output.split(separator: "\n").filter { !$0.contains(".framefast-trial") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// Kills it at once, as a power cut would, and waits for its end.
    func kill() async throws {
        guard let process = process.withLock({ $0.take() }) else { return }
        process.signalAll(SIGKILL)
        try await process.ended()
    }

    deinit { process.withLock { $0?.signalAll(SIGKILL) } }

    /// One of the rig's own, in Python.
    static func python(
        _ script: String, in scratch: ScratchFolder, name: String = "server", at host: String = "127.0.0.1",
        port: Int? = nil, _ more: [String] = []
    ) async throws -> TestServer {
        try await TestServer(TestServers.python, in: scratch, name: name, at: host, port: port) {
            [TestServers.rig.appending(path: script).path, String($0), $1.path] + more
        }
    }

    /// What a proxy does to a line; see fault_proxy.py.
    enum Fault: String { case reset, stall, flip, mute, late, noise, slow, status, delay }

    /// A port before `port` that strikes on the bytes from the client.
    static func faulty(
        _ fault: Fault, after bytes: Int, times: Int = 1, before port: Int, in scratch: ScratchFolder,
        own: Int? = nil, _ more: [String] = []
    ) async throws -> TestServer {
        let name = "proxy-\(UUID().uuidString.prefix(6))"
        return try await TestServer(TestServers.python, in: scratch, name: name, port: own) { own, _ in
            [
                TestServers.rig.appending(path: "fault_proxy.py").path, String(own), String(port),
                fault.rawValue, String(bytes), String(times),
            ] + more
        }
    }
}

/// A throwaway authority with certificates for localhost.
struct TestCertificates {
    let folder: URL
    var ca: String { folder.appending(path: "ca.pem").path }

    init(_ scratch: ScratchFolder) async throws {
        folder = scratch.url.appending(path: "tls")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let run = try await RunningProgram.run(
            TestServers.python, [TestServers.rig.appending(path: "certificates.py").path, folder.path],
            in: scratch)
        try #require(run.status == 0, "\(run.output)")
    }

    func path(_ name: String) -> String { folder.appending(path: "\(name).pem").path }
}
