import Foundation
import Glibc
import TestRig
import Testing

@testable import UploadDestinations

/// The real servers on loopback. `scripts/prepare --tests` and `scripts/prepare-test-servers` install them.
enum TestServers {
    static let bin = ServerPrograms.bin
    static let rig = ServerPrograms.rig
    static let python = ServerPrograms.python
    /// The folder with the unpacked servers from Debian.
    static let debian = ServerPrograms.debian
    static let nginx = ServerPrograms.nginx
    static let vsftpd = ServerPrograms.vsftpd
    static let pureFTPd = ServerPrograms.pureFTPd
    static let sshd = ServerPrograms.sshd

    static let hasPython = ServerPrograms.has(python)
    static let hasNginx = ServerPrograms.has(nginx)
    /// Whether vsftpd can run. It requires root.
    static let hasVsftpd = ServerPrograms.has(vsftpd) && getuid() == 0

    /// Whether pure-ftpd can run. It requires root.
    static let hasPureFTPd = ServerPrograms.has(pureFTPd) && getuid() == 0

    static let pythonReason: Comment = "needs the servers of scripts/prepare-test-servers"
    static let nginxReason: Comment = "needs nginx (scripts/prepare-test-servers)"
    static let vsftpdReason: Comment = "needs vsftpd (scripts/prepare-test-servers) and root"
    static let pureFTPdReason: Comment = "needs pure-ftpd (scripts/prepare-test-servers) and root"

    /// The address of servers with several ports. A proxy can use the same ports on 127.0.0.1.
    static let serversOwnAddress = "127.0.0.2"
}

/// The suites that start servers. `scripts/test` runs a few of their tests at a time, in parallel with the
/// tests of complete programs.
@Suite enum LoopbackServerTests {}
