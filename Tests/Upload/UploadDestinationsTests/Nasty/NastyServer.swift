import Foundation
import FrameFastSystem
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// A server that refuses requests by rules. It counts requests and bytes.
final class NastyServer {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case webDAV, http, s3, ftp, sftp, rclone

        var testDescription: String { rawValue }
    }

    let kind: Kind
    private let scratch: ScratchFolder
    private let server: TestServer?
    private let ssh: SSHServer?

    init(_ kind: Kind, _ rules: [ServerFaultRule], in scratch: ScratchFolder) async throws {
        self.kind = kind
        self.scratch = scratch
        let json = String(decoding: try JSONEncoder().encode(rules), as: UTF8.self)
        switch kind {
        case .webDAV, .http, .rclone:
            server = try await .python("nasty_http.py", in: scratch, name: "nasty", ["dav", json])
            ssh = nil
        case .s3:
            server = try await .python("nasty_http.py", in: scratch, name: "nasty", ["s3", json])
            ssh = nil
        case .ftp:
            server = try await .python("nasty_ftp.py", in: scratch, name: "nasty", [json])
            ssh = nil
        case .sftp:
            let ssh = try await SSHServer()
            try json.write(
                to: ssh.folder.appending(path: "rules.json"), atomically: true, encoding: .utf8)
            let program = TestServers.rig.appending(path: "nasty_sftp.py").path
            try await ssh.start(
                subsystem: "\(TestServers.python.path) \(program) /usr/lib/openssh/sftp-server "
                    + ssh.folder.path, options: "MaxStartups 100")
            self.ssh = ssh
            server = nil
        }
    }

    private var top: URL { server?.folder ?? ssh?.folder ?? scratch.url }

    /// The folder that receives the photos.
    var folder: URL {
        switch kind {
        case .sftp: ssh?.home.appending(path: "photos") ?? top
        default: top.appending(path: "files")
        }
    }

    /// Creates a destination for the server.
    ///
    /// - Parameters:
    ///   - readsBack: Whether SFTP reads each photo back. Without encryption, HTTP and FTP always read photos
    ///     back.
    ///   - clock: The clock for the pauses of WebDAV, HTTP and S3.
    func destination(
        memory: DestinationMemory = DestinationMemory(), readsBack: Bool = false, clock: HostClock = .system
    ) throws -> any UploadDestination {
        let connection = ConnectionSettings(
            connectSeconds: TestLimits.connectSeconds, stallSeconds: TestLimits.stallSeconds)
        let address = "http://127.0.0.1:\(server?.port ?? 0)"
        switch kind {
        case .webDAV:
            return WebDAVDestination(
                WebDAVSettings(url: address, connection: connection), memory: memory, clock: clock)
        case .http:
            return HTTPDestination(
                HTTPSettings(url: "\(address)/{name}", connection: connection), memory: memory, clock: clock)
        case .s3:
            return S3Destination(
                S3Settings(
                    endpoint: address, bucket: "ffb", accessKey: "key", secretKey: Secret("secret"),
                    multipartFromBytes: 6 << 20, partBytes: 5 << 20, connection: connection), memory: memory,
                clock: clock)
        case .ftp:
            return FTPDestination(
                FTPSettings(
                    host: "127.0.0.1", port: server?.port, encryption: .none, user: "ff",
                    password: Secret("ff"), connection: connection), memory: memory)
        case .sftp:
            guard let ssh else { throw CancellationError() }
            var settings = ssh.settings()
            if readsBack { settings.verification = .readBack }
            return SFTPDestination(settings, memory: memory)
        case .rclone:
            let file = scratch.path("rclone-\(UUID().uuidString.prefix(6)).conf")
            try "[cloud]\ntype = webdav\nurl = \(address)\nvendor = other\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            return RcloneDestination(
                RcloneSettings(name: "cloud", remote: "cloud", configFile: file, stallSeconds: 20),
                memory: memory)
        }
    }

    /// Kills the server's process. Its files stay. Not supported for SFTP.
    func stop() async throws { try await server?.kill() }

    /// Starts the server again after ``stop()``.
    func start() async throws { try await server?.start() }

    /// The counted requests and bytes.
    private var counts: ServerFaultCounts { ServerFaultCounts(in: top) }

    /// The requests that the server has responded to, in order.
    var requests: [ServerFaultCounts.Request] { counts.requests }

    /// Removes all rules.
    func lift() throws { try counts.lift() }

    /// The number of received bytes in bodies, data connections and writes.
    var bytesReceived: Int { counts.bytesReceived }

    /// Returns the number of bytes from interrupted transfers that must be sent again.
    ///
    /// - Parameter continues: Whether the server can resume a file. With `true`, the bytes that the server
    ///   kept are not included.
    func bytesLost(continues: Bool) -> Int { counts.bytesBroken - (continues ? counts.bytesKept : 0) }

    /// The SHA-256 of each stored file by its name.
    var files: [String: String] {
        Dictionary(
            uniqueKeysWithValues: folder.filesBelow.map {
                let name =
                    kind == .s3 ? $0.replacing("ffb\u{2215}", with: "").replacing("\u{2215}", with: "/") : $0
                return (name, folder.appending(path: $0).sha256 ?? "unreadable")
            })
    }

    /// The number of multipart uploads that were created but not completed or aborted.
    var multiparts: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: top.appending(path: "multiparts").path))?
            .count ?? 0
    }
}
