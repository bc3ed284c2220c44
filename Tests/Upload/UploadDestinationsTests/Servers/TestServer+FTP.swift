import Foundation
import Glibc
import TestRig

@testable import UploadDestinations

extension TestServer {
    /// The largest number of data connections of an FTP server. Their ports follow the control port.
    static let passivePorts = 6

    /// Reserves ports for a server at a separate address, and the same ports of 127.0.0.1 for a proxy.
    private static func ftpPorts() throws -> ReservedPorts {
        try ReservedPorts(passivePorts + 1, at: [TestServers.serversOwnAddress, "127.0.0.1"])
    }

    /// Starts pyftpdlib at a separate address. A proxy can then use the same ports on 127.0.0.1.
    ///
    /// - Parameter more: Additional arguments of ftp_server.py for faults and TLS.
    static func ftpBehindProxy(in scratch: ScratchFolder, _ more: [String] = []) async throws -> TestServer {
        let ports = try ftpPorts()
        let passive = "\(ports.first + 1)-\(ports.first + passivePorts)"
        return try await python(
            "ftp_server.py", in: scratch, name: "ftp", ports: ports,
            ["host=\(TestServers.serversOwnAddress)", "passive=\(passive)"] + more)
    }

    /// Starts vsftpd for the user "anonymous", which acts as the system user `daemon`. Photos go to `/in`.
    /// With a certificate, data connections must resume the TLS session of the control connection.
    ///
    /// - Parameter options: Additional lines of the configuration. They override default lines with the same
    ///   key.
    static func vsftpd(
        in scratch: ScratchFolder, certificate: String?, options: [String] = [],
        folder prepare: (URL) throws -> Void = { _ in }
    ) async throws -> TestServer {
        let configuration = scratch.url.appending(path: "vsftpd.conf")
        return try await TestServer(
            TestServers.vsftpd, in: scratch, name: "vsftpd", ports: try ftpPorts()
        ) { port, folder in
            let inside = folder.appending(path: "in")
            let empty = scratch.url.appending(path: "empty")
            for path in [inside, empty] {
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            }
            try prepare(inside)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: inside.path)
            for path in [scratch.url.path, folder.path] {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
            let tls = certificate == nil ? "NO" : "YES"
            var lines = [
                "listen=YES", "listen_address=\(TestServers.serversOwnAddress)", "listen_port=\(port)",
                "pasv_min_port=\(port + 1)", "pasv_max_port=\(port + passivePorts)", "background=NO",
                "anonymous_enable=YES", "local_enable=NO", "write_enable=YES", "anon_upload_enable=YES",
                "anon_mkdir_write_enable=YES", "anon_other_write_enable=YES", "anon_umask=022",
                "seccomp_sandbox=NO", "anon_world_readable_only=NO", "anon_root=\(folder.path)",
                "no_anon_password=YES", "ftp_username=daemon", "xferlog_enable=NO",
                "secure_chroot_dir=\(empty.path)", "ssl_enable=\(tls)", "allow_anon_ssl=YES",
                "force_anon_data_ssl=\(tls)", "require_ssl_reuse=YES", "ssl_ciphers=HIGH",
            ]
            if let certificate { lines.append("rsa_cert_file=\(certificate)") }
            lines += options
            let text = lines.joined(separator: "\n") + "\n"
            try text.write(to: configuration, atomically: true, encoding: .utf8)
            return [configuration.path]
        }
    }

    /// Starts pure-ftpd for anonymous clients, or for the user ff with the password ff. Photos go to `/in`.
    static func pureFTPd(
        in scratch: ScratchFolder, isAnonymous: Bool, _ options: [String]
    ) async throws -> TestServer {
        let home = scratch.url.appending(path: "pure-ftpd")
        let inside = home.appending(path: "in")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: inside.path)
        for path in [scratch.url.path, home.path] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        var (login, environment) = (["--anonymousonly"], ["FTP_ANON_DIR": home.path])
        if isAnonymous {
            environment.merge(
                try ServerPrograms.environment(lending: "ftp", home: home.path, in: scratch.url)
            ) { $1 }
        } else {
            let users = scratch.path("users")
            // The program requests the password twice. User and group 65534 have no permissions.
            let made = try await RunningProgram.run(
                URL(filePath: "/bin/sh"),
                [
                    "-c",
                    #"printf 'ff\nff\n' | "$0" useradd ff -f "$1" -F "$1.pdb" -m -u "$3" -g "$3" -d "$2""#,
                    ServerPrograms.purePW.path, users, home.path, "65534",
                ], in: scratch)
            guard made.status == 0 else {
                throw WaitTimeout(description: "cannot make a user: \(made.output)")
            }
            login = ["--noanonymous", "--login", "puredb:\(users).pdb"]
        }
        return try await TestServer(
            TestServers.pureFTPd, in: scratch, name: "pure-ftpd", ports: try ftpPorts(),
            environment: environment
        ) { port, _ in
            [
                "--bind", "\(TestServers.serversOwnAddress),\(port)",
                "--passiveportrange", "\(port + 1):\(port + passivePorts)",
                "--pidfile", scratch.path("pure-ftpd.pid"), "--dontresolve", "--syslogfacility", "none",
                "--chrooteveryone",
            ] + login + options
        }
    }

    /// Starts a proxy on 127.0.0.1 with the same ports as the server.
    func ftpProxy(
        _ fault: Fault, after bytes: Int, times: Int = 1, in scratch: ScratchFolder, _ more: [String] = []
    ) async throws -> TestServer {
        try await .faulty(
            fault, after: bytes, times: times, before: port, in: scratch, own: ports,
            ["host=\(TestServers.serversOwnAddress)", "also=\(port + 1)-\(port + Self.passivePorts)"] + more)
    }
}
