public import Foundation
import Glibc
import Repository

/// The real servers that `scripts/prepare-test-servers` puts beside the build.
public enum ServerPrograms {
    private static let folder = Repository.file(".build/test-servers")
    /// Python's programs.
    public static let bin = folder.appending(path: "bin")
    /// Python with everything that the servers need.
    public static let python = bin.appending(path: "python")
    /// Small servers and tools of the tests' own.
    public static let rig = Repository.file("Tests/Upload/UploadDestinationsTests/Servers/rig")
    /// Debian's servers, unpacked and not installed.
    public static let debian = folder.appending(path: "debian")
    /// nginx with its module for WebDAV.
    public static let nginx = debian.appending(path: "usr/sbin/nginx")
    /// vsftpd; it has to be started by root.
    public static let vsftpd = debian.appending(path: "usr/sbin/vsftpd")
    /// pure-ftpd; it has to be started by root.
    public static let pureFTPd = debian.appending(path: "usr/sbin/pure-ftpd")
    /// The program that makes users of pure-ftpd.
    public static let purePW = debian.appending(path: "usr/bin/pure-pw")
    /// OpenSSH's server; see ``sshdEnvironment(in:)``.
    public static let sshd = debian.appending(path: "usr/sbin/sshd")

    /// Whether a program is there.
    public static func has(_ program: URL) -> Bool {
        FileManager.default.isExecutableFile(atPath: program.path)
    }

    /// A server that root starts wants the user `sshd`, which only an installed package has made: libnss-wrapper lends
    /// it one.
    public static func sshdEnvironment(in folder: URL) throws -> [String: String] {
        guard getuid() == 0 else { return [:] }
        mkdir("/run/sshd", 0o755)
        return try environment(lending: "sshd", home: "/run/sshd", in: folder)
    }

    /// The variables with which libnss-wrapper lends a program a user that only an installed package makes.
    ///
    /// - Returns: An empty dictionary if this computer has the user.
    public static func environment(
        lending user: String, home: String, in folder: URL
    ) throws -> [String: String] {
        guard getpwnam(user) == nil else { return [:] }
        let users = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        let file = folder.appending(path: "passwd")
        try Data((users + "\(user):x:65533:65534::\(home):/usr/sbin/nologin\n").utf8).write(to: file)
        return [
            "LD_PRELOAD": "libnss_wrapper.so", "NSS_WRAPPER_PASSWD": file.path,
            "NSS_WRAPPER_GROUP": "/etc/group",
        ]
    }
}
