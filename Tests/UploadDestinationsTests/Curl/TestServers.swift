import Foundation
import Glibc
import TestRig
import Testing

@testable import UploadDestinations

/// The real servers on loopback; `scripts/prepare --tests` and `scripts/prepare-test-servers` install them.
enum TestServers {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let bin = root.appending(path: ".build/test-servers/bin")
    static let rig = root.appending(path: "Tests/UploadDestinationsTests/Curl/rig")
    static let python = bin.appending(path: "python")
    static let nginx = URL(filePath: "/usr/sbin/nginx")
    static let vsftpd = URL(filePath: "/usr/sbin/vsftpd")

    static let hasPython = FileManager.default.isExecutableFile(atPath: python.path)
    static let hasNginx = FileManager.default.isExecutableFile(atPath: nginx.path)
    /// vsftpd has to be started by root.
    static let hasVsftpd = FileManager.default.isExecutableFile(atPath: vsftpd.path) && getuid() == 0

    static let pythonReason: Comment = "needs the servers of scripts/prepare-test-servers"
    static let nginxReason: Comment =
        "needs nginx-light and libnginx-mod-http-dav-ext (scripts/prepare --tests)"
    static let vsftpdReason: Comment = "needs vsftpd (scripts/prepare --tests) and root"

    /// A port of 127.0.0.1 that nobody has now.
    static func freePort() throws -> Int { try LoopbackPort.free() }

    /// Whether something listens on a port.
    static func accepts(_ port: Int) -> Bool { LoopbackPort.accepts(port) }
}

/// The suites with servers, one test after the other: all at once they would wait for each other's start.
@Suite(.serialized) enum LoopbackServerTests {}

/// A server for one test: its process ends with it.
final class TestServer {
    let port: Int
    let folder: URL
    private let process: RunningProgram

    /// Starts a server and waits until it takes connections.
    init(
        _ program: URL, in scratch: ScratchFolder, name: String, environment: [String: String] = [:],
        arguments: (_ port: Int, _ folder: URL) throws -> [String]
    ) async throws {
        let port = try TestServers.freePort()
        self.port = port
        folder = scratch.url.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = try RunningProgram(
            program, try arguments(port, folder), log: scratch.url.appending(path: "\(name).log"),
            environment: environment)
        self.process = process
        try await eventually("\(name) to listen: \(process.output.suffix(1500))", within: 30) {
            TestServers.accepts(port) ? () : nil
        }
    }

    /// One of the rig's own, in Python.
    static func python(
        _ script: String, in scratch: ScratchFolder, name: String = "server", _ more: [String] = []
    ) async throws -> TestServer {
        try await TestServer(TestServers.python, in: scratch, name: name) { port, folder in
            [TestServers.rig.appending(path: script).path, String(port), folder.path] + more
        }
    }

    /// A port before `port` that strikes on the bytes from the client.
    static func faulty(
        _ fault: String, after bytes: Int, times: Int = 1, before port: Int, in scratch: ScratchFolder
    ) async throws -> TestServer {
        try await TestServer(TestServers.python, in: scratch, name: "proxy-\(UUID().uuidString.prefix(6))") {
            own, _ in
            [
                TestServers.rig.appending(path: "fault_proxy.py").path, String(own), String(port), fault,
                String(bytes), String(times),
            ]
        }
    }

    deinit { process.signal(SIGKILL) }
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
