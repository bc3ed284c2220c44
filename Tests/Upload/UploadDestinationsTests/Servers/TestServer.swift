import Foundation
import Glibc
import Synchronization
import TestRig
import Testing

/// A server for one test. Its process is killed when this value is released.
final class TestServer: Sendable {
    /// The server's ports, which have consecutive numbers. They stay reserved while the server is down.
    let ports: ReservedPorts
    let folder: URL
    var port: Int { ports.first }
    private let program: URL
    private let arguments: [String]
    private let environment: [String: String]
    private let log: URL
    private let process = Mutex<RunningProgram?>(nil)

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameter ports: The server's ports, or `nil` for one port of 127.0.0.1.
    init(
        _ program: URL, in scratch: ScratchFolder, name: String, ports: ReservedPorts? = nil,
        environment: [String: String] = [:],
        arguments: (_ port: Int, _ folder: URL) throws -> [String]
    ) async throws {
        self.ports = try ports ?? ReservedPorts()
        self.program = program
        self.environment = environment
        folder = scratch.url.appending(path: name)
        log = scratch.url.appending(path: "\(name).log")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.arguments = try arguments(self.ports.first, folder)
        try await start()
    }

    /// Starts the server, or starts it again after it was killed.
    func start() async throws {
        let process = try RunningProgram(program, arguments, log: log, environment: environment)
        self.process.withLock { $0 = process }
        try await process.waitUntilListening(on: port, program.lastPathComponent)
    }

    /// The output of the server.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// The methods of the requests to http_server.py, in order. Requests of the trial are not included.
    var requests: [String] {
        output.split(separator: "\n").filter { !$0.contains(".framefast-trial") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// Kills the server immediately, like a power cut, and waits for its end.
    func kill() async throws {
        guard let process = process.withLock({ $0.take() }) else { return }
        process.signalAll(SIGKILL)
        try await process.waitUntilExit()
    }

    deinit { process.withLock { $0?.signalAll(SIGKILL) } }

    /// Starts a Python server from the folder `rig`.
    static func python(
        _ script: String, in scratch: ScratchFolder, name: String = "server",
        ports: ReservedPorts? = nil, _ more: [String] = []
    ) async throws -> TestServer {
        try await TestServer(TestServers.python, in: scratch, name: name, ports: ports) {
            [TestServers.rig.appending(path: script).path, String($0), $1.path] + more
        }
    }

    /// The fault that a proxy causes. See fault_proxy.py.
    enum Fault: String { case pass, reset, stall, flip, mute, noise, slow, status, delay }

    /// Starts a proxy in front of `port`. The proxy causes a fault after a number of bytes from the client.
    static func faulty(
        _ fault: Fault, after bytes: Int, times: Int = 1, before port: Int, in scratch: ScratchFolder,
        own: ReservedPorts? = nil, _ more: [String] = []
    ) async throws -> TestServer {
        let name = "proxy-\(UUID().uuidString.prefix(6))"
        return try await TestServer(TestServers.python, in: scratch, name: name, ports: own) { own, _ in
            [
                TestServers.rig.appending(path: "fault_proxy.py").path, String(own), String(port),
                fault.rawValue, String(bytes), String(times),
            ] + more
        }
    }
}

/// A temporary certificate authority with certificates for localhost.
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
