import Foundation
import Glibc
import TestRig
import Testing

@testable import UploadDestinations

/// The real servers on loopback; `scripts/prepare --tests` and `scripts/prepare-test-servers` install them.
enum TestServers {
    static let bin = ServerPrograms.bin
    static let rig = ServerPrograms.rig
    static let python = ServerPrograms.python
    /// Debian's servers, unpacked.
    static let debian = ServerPrograms.debian
    static let nginx = ServerPrograms.nginx
    static let vsftpd = ServerPrograms.vsftpd
    static let sshd = ServerPrograms.sshd

    static let hasPython = ServerPrograms.has(python)
    static let hasNginx = ServerPrograms.has(nginx)
    /// vsftpd has to be started by root.
    static let hasVsftpd = ServerPrograms.has(vsftpd) && getuid() == 0

    static let pythonReason: Comment = "needs the servers of scripts/prepare-test-servers"
    static let nginxReason: Comment = "needs nginx (scripts/prepare-test-servers)"
    static let vsftpdReason: Comment = "needs vsftpd (scripts/prepare-test-servers) and root"

    /// A port of 127.0.0.1 that nobody has now.
    static func freePort() throws -> Int { try LoopbackPort.free() }

    /// The first of so many ports in a row that nobody has now. Below the range that the system gives out by itself.
    static func freePorts(_ count: Int) throws -> Int {
        for _ in 0..<1000 {
            let first = Int.random(in: 20_000..<32_000)
            let ports = first..<first + count
            if LoopbackPort.take(ports),
                !ports.contains(where: { accepts($0) || accepts($0, at: serversOwnAddress) })
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

/// The suites with servers of their own: `scripts/test` runs them beside whole programs, a few tests at a time.
@Suite enum LoopbackServerTests {}
