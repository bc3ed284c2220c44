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
    /// A broker for MQTT.
    public static let mosquitto = debian.appending(path: "usr/sbin/mosquitto")
    /// What writes down what it is told.
    public static let mosquittoReader = debian.appending(path: "usr/bin/mosquitto_sub")
    /// What tells it something.
    public static let mosquittoWriter = debian.appending(path: "usr/bin/mosquitto_pub")
    /// What writes its passwords.
    public static let mosquittoPasswords = debian.appending(path: "usr/bin/mosquitto_passwd")
    /// vsftpd; it has to be started by root.
    public static let vsftpd = debian.appending(path: "usr/sbin/vsftpd")
    /// OpenSSH's server; see ``sshdEnvironment(in:)``.
    public static let sshd = debian.appending(path: "usr/sbin/sshd")
    /// Checks rules and configurations of Prometheus. The server itself is not unpacked.
    public static let promtool = debian.appending(path: "usr/bin/promtool")

    /// The reference tool for ASC MHL manifests.
    public static let manifestTool = folder.appending(path: "mhl/bin/ascmhl-debug")
    /// The schemas of manifests and of chain files.
    public static let manifestSchemas = folder.appending(path: "mhl/xsd")

    /// Whether a program is there.
    public static func has(_ program: URL) -> Bool {
        FileManager.default.isExecutableFile(atPath: program.path)
    }

    /// A server that root starts wants the user `sshd`, which only an installed package has made: libnss-wrapper lends
    /// it one.
    public static func sshdEnvironment(in folder: URL) throws -> [String: String] {
        guard getuid() == 0 else { return [:] }
        mkdir("/run/sshd", 0o755)
        guard getpwnam("sshd") == nil else { return [:] }
        let users = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        let file = folder.appending(path: "passwd")
        try Data((users + "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n").utf8).write(to: file)
        return [
            "LD_PRELOAD": "libnss_wrapper.so", "NSS_WRAPPER_PASSWD": file.path,
            "NSS_WRAPPER_GROUP": "/etc/group",
        ]
    }
}
