import Foundation
import Glibc
import TestRig
import Testing

@testable import UploadDestinations

/// The real servers on loopback; `scripts/prepare --tests` and `scripts/prepare-test-servers` install them.
enum TestServers {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appending(path: ".build/test-servers")
    static let bin = folder.appending(path: "bin")
    static let rig = root.appending(path: "Tests/UploadDestinationsTests/Servers/rig")
    static let python = bin.appending(path: "python")
    /// Debian's servers, unpacked.
    static let debian = folder.appending(path: "debian")
    static let nginx = debian.appending(path: "usr/sbin/nginx")
    static let vsftpd = debian.appending(path: "usr/sbin/vsftpd")
    static let sshd = debian.appending(path: "usr/sbin/sshd")

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

    /// The first of so many ports in a row that nobody has now. Below the range that the system gives out by itself.
    static func freePorts(_ count: Int) throws -> Int {
        for _ in 0..<1000 {
            let first = Int.random(in: 20_000..<32_000)
            if !(first..<first + count).contains(where: { accepts($0) || accepts($0, at: serversOwnAddress) })
            {
                return first
            }
        }
        throw Impatience(description: "cannot find \(count) free ports in a row")
    }

    /// Where servers listen that have more than one port, so that a proxy can have the same ports on 127.0.0.1.
    static let serversOwnAddress = "127.0.0.2"

    /// Whether something listens on a port.
    static func accepts(_ port: Int, at host: String = "127.0.0.1") -> Bool {
        LoopbackPort.accepts(port, at: host)
    }
}

/// The suites with servers, one test after the other: all at once they would wait for each other's start.
@Suite(.serialized) enum LoopbackServerTests {}
