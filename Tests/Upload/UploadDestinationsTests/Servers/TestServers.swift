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
    static let pureFTPd = ServerPrograms.pureFTPd
    static let sshd = ServerPrograms.sshd

    static let hasPython = ServerPrograms.has(python)
    static let hasNginx = ServerPrograms.has(nginx)
    /// vsftpd has to be started by root.
    static let hasVsftpd = ServerPrograms.has(vsftpd) && getuid() == 0

    /// pure-ftpd has to be started by root.
    static let hasPureFTPd = ServerPrograms.has(pureFTPd) && getuid() == 0

    static let pythonReason: Comment = "needs the servers of scripts/prepare-test-servers"
    static let nginxReason: Comment = "needs nginx (scripts/prepare-test-servers)"
    static let vsftpdReason: Comment = "needs vsftpd (scripts/prepare-test-servers) and root"
    static let pureFTPdReason: Comment = "needs pure-ftpd (scripts/prepare-test-servers) and root"

    /// Where servers listen that have more than one port, so that a proxy can have the same ports on 127.0.0.1.
    static let serversOwnAddress = "127.0.0.2"
}

/// The suites with servers of their own: `scripts/test` runs them beside whole programs, a few tests at a time.
@Suite enum LoopbackServerTests {}
