public import Foundation
import Glibc
import Repository

/// The real servers that `scripts/prepare-test-servers` installs next to the build.
public enum ServerPrograms {
    private static let folder = Repository.file(".build/test-servers")
    /// The folder of the Python environment's programs.
    public static let bin = folder.appending(path: "bin")
    /// The Python interpreter with the packages that the servers need.
    public static let python = bin.appending(path: "python")
    /// The folder that contains a folder of packages for each version of Python.
    static let libraries = folder.appending(path: "lib")
    /// The folder of small servers and tools that belong to the tests.
    public static let rig = Repository.file("Tests/Upload/UploadDestinationsTests/Servers/rig")
    /// The folder of unpacked Debian packages of servers. They are not installed.
    public static let debian = folder.appending(path: "debian")
    /// nginx with its WebDAV module.
    public static let nginx = debian.appending(path: "usr/sbin/nginx")
    /// vsftpd, which only root can start.
    public static let vsftpd = debian.appending(path: "usr/sbin/vsftpd")
    /// pure-ftpd, which only root can start.
    public static let pureFTPd = debian.appending(path: "usr/sbin/pure-ftpd")
    /// The program that creates users of pure-ftpd.
    public static let purePW = debian.appending(path: "usr/bin/pure-pw")
    /// OpenSSH's server. It needs ``sshdEnvironment(in:)``.
    public static let sshd = debian.appending(path: "usr/sbin/sshd")

    /// Returns whether a program is installed.
    public static func has(_ program: URL) -> Bool {
        FileManager.default.isExecutableFile(atPath: program.path)
    }

    /// Returns the environment for sshd.
    ///
    /// A server that is started by root needs the user `sshd`. Only the installed package creates this user,
    /// so libnss-wrapper provides it.
    public static func sshdEnvironment(in folder: URL) throws -> [String: String] {
        guard getuid() == 0 else { return [:] }
        mkdir("/run/sshd", 0o755)
        return try environment(lending: "sshd", home: "/run/sshd", in: folder)
    }

    /// Returns the environment variables that make libnss-wrapper provide a user.
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
