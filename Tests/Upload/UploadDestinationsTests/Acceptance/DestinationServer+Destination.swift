import ChildProcesses
import Foundation
import Glibc
import Logging
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension DestinationServer {
    /// Creates a destination with these connection options.
    func destination(_ options: Options = Options()) throws -> any UploadDestination {
        let connection = ConnectionSettings(
            caFile: options.tls || kind == .ftps || kind == .vsftpd ? authority : nil,
            connectSeconds: TestLimits.connectSeconds, stallSeconds: options.stallSeconds)
        let place = "\(options.host ?? (options.tls ? "localhost" : "127.0.0.1")):\(options.port ?? port)"
        let base = "\(options.tls ? "https" : "http")://\(place)"
        let login = HTTPCredentials.password(user: "ff", password: Secret(options.secret ?? "ff"))
        switch kind {
        case .directory:
            return DirectoryDestination(
                name: "nas", folder: folder.path, stateDirectory: scratch.path("state"))
        case .command:
            return CommandDestination(name: "script", settings: try script(), logger: Self.logger)
        case .seaweed, .moto, .s3OnDisk:
            var settings = try #require(s3Settings)
            settings.endpoint = base
            settings.connection = connection
            if let secret = options.secret { settings.secretKey = Secret(secret) }
            return S3Destination(settings)
        case .nginx, .wsgidav:
            return WebDAVDestination(
                WebDAVSettings(
                    url: "\(base)/photos%20%231/", credentials: login, connection: connection))
        case .put:
            return HTTPDestination(
                HTTPSettings(url: "\(base)/put/{name}", credentials: login, connection: connection))
        case .form:
            return HTTPDestination(
                HTTPSettings(
                    url: "\(base)/form",
                    method: .form(file: "photo", fields: [HTTPHeader("camera", "c-{CAMERA}")]),
                    credentials: login, connection: connection))
        case .ftp, .ftps, .vsftpd:
            let isBehindProxy = options.port != nil
            return FTPDestination(
                FTPSettings(
                    host: options.host ?? (isBehindProxy ? "127.0.0.1" : TestServers.serversOwnAddress),
                    port: options.port ?? port, encryption: kind == .ftp ? .none : .explicit,
                    path: kind == .vsftpd ? "/in/day 1" : "photos #1",
                    user: kind == .vsftpd && options.secret == nil ? "anonymous" : "ff",
                    password: Secret(options.secret ?? "ff"), connection: connection))
        case .sftp:
            var settings = try #require(sshServer).settings(stallSeconds: options.stallSeconds)
            settings.host = options.host ?? settings.host
            settings.port = options.port ?? settings.port
            settings.identityFile = options.secret ?? settings.identityFile
            return SFTPDestination(settings)
        case .rclone, .rcloneS3: return RcloneDestination(try rclone(options))
        }
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func script() throws -> CommandSettings {
        let file = scratch.path("script")
        let body = """
            #!/bin/sh
            mkdir -p "$OUT/$(dirname "./$FRAMEFAST_NAME")" && cp -- "$1" "$OUT/$2"

            """
        try body.write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return CommandSettings(
            program: file, arguments: ["{file}", "{name}"], timeoutSeconds: 60,
            environment: ["OUT": folder.path])
    }

    private func rclone(_ options: Options) throws -> RcloneSettings {
        let (host, port) = (options.host ?? (options.tls ? "localhost" : "127.0.0.1"), options.port ?? port)
        let section: String
        if let ssh = sshServer {
            // The entry in rclone's known hosts file must include the port.
            let known = try String(contentsOfFile: "\(ssh.folder.path)/known_hosts", encoding: .utf8)
            let knownHosts = scratch.path("known_hosts-\(UUID().uuidString.prefix(6))")
            try known.replacing("* ", with: "[\(host)]:\(port) ")
                .write(toFile: knownHosts, atomically: true, encoding: .utf8)
            section = """
                type = sftp
                host = \(host)
                port = \(port)
                user = \(NSUserName())
                key_file = \(options.secret ?? ssh.folder.path + "/user_key")
                known_hosts_file = \(knownHosts)
                shell_type = none
                """
        } else {
            section = """
                type = s3
                provider = Other
                access_key_id = \(S3Server.key)
                secret_access_key = \(options.secret ?? S3Server.secret)
                endpoint = \(options.tls ? "https" : "http")://\(host):\(port)
                """
        }
        let file = scratch.path("rclone-\(UUID().uuidString.prefix(6)).conf")
        try "[cloud]\n\(section)\n".write(toFile: file, atomically: true, encoding: .utf8)
        let prefix = s3Settings.map { "\($0.bucket)/\($0.prefix)" }
        return RcloneSettings(
            name: "cloud", remote: "cloud", folder: prefix ?? folder.path, configFile: file,
            stallSeconds: options.stallSeconds)
    }
}
