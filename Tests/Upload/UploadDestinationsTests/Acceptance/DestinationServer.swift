import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// A real server of one kind, with its destination. The tests use the same photos and faults for all kinds.
final class DestinationServer {
    /// The kinds. Servers with different behavior are separate kinds.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case directory, command
        /// S3: SeaweedFS, strict moto, and rclone with a folder.
        case seaweed, moto, s3OnDisk
        /// WebDAV: nginx and wsgidav.
        case nginx, wsgidav
        /// HTTP: nginx accepts PUTs, and the rig's server accepts forms.
        case put, form
        /// FTP: pyftpdlib without and with TLS, and vsftpd with TLS.
        case ftp, ftps, vsftpd
        case sftp
        /// rclone with an SFTP remote, and with an S3 remote.
        case rclone, rcloneS3

        var testDescription: String { rawValue }

        /// The kinds whose servers can run on this computer. vsftpd requires root.
        static let all = allCases.filter { $0 != .vsftpd || getuid() == 0 }
        static let onNetwork = all.filter { $0 != .directory && $0 != .command }
        /// The kinds for which several stations can share a location and see each other's photos.
        static let shared = all.filter { ![.command, .form, .moto].contains($0) }
        static let overHTTP: [Kind] = [.seaweed, .moto, .s3OnDisk, .nginx, .wsgidav, .put, .form, .rcloneS3]
        /// The S3 server of a kind, or `nil` for kinds without an S3 server.
        var s3: S3Server.Kind? {
            switch self {
            case .seaweed: .seaweed
            case .moto: .moto
            case .s3OnDisk, .rcloneS3: .rclone
            default: nil
            }
        }
        var isSSH: Bool { self == .sftp || self == .rclone }
        var isFTP: Bool { self == .ftp || self == .ftps || self == .vsftpd }
    }

    /// The connection options of a destination.
    struct Options {
        var host: String?
        var port: Int?
        var tls = false
        var secret: String?
        var stallSeconds = 8
    }

    let kind: Kind
    let scratch: ScratchFolder
    private var server: TestServer?
    private var ssh: SSHServer?
    private var s3: S3Server?
    private var certificates: TestCertificates?
    /// The small disk of the server, or `nil` if the server uses the usual disk.
    private(set) var disk: SmallDisk?

    /// Starts the kind's server.
    ///
    /// - Parameters:
    ///   - certificate: The name of the server's certificate, if the server itself uses TLS.
    ///   - diskOptions: The mount(8) options of a small disk for the server, or `nil` to use the usual disk.
    init(
        _ kind: Kind, in scratch: ScratchFolder, certificate: String = "good", diskOptions: String? = nil
    ) async throws {
        self.kind = kind
        self.scratch = scratch
        certificates = kind.isFTP ? try await TestCertificates(scratch) : nil
        let pem = certificates?.path(certificate) ?? ""
        let prepare: (URL) throws -> Void = { [unowned self] folder in
            if let diskOptions { disk = try SmallDisk(folder.path, options: diskOptions) }
        }
        switch kind {
        case .seaweed, .moto, .s3OnDisk, .rcloneS3:
            s3 = try await S3Server.start(try #require(kind.s3), in: scratch, folder: prepare)
            server = s3?.server
        case .nginx, .put: server = try await .webDAV(.nginx, in: scratch, folder: prepare)
        case .wsgidav: server = try await .webDAV(.wsgidav, in: scratch, folder: prepare)
        case .form: server = try await .python("http_server.py", in: scratch)
        case .ftp, .ftps:
            try prepare(scratch.url.appending(path: "ftp"))
            let tls = kind == .ftps ? ["tls=explicit", "certificate=\(pem)"] : []
            server = try await .ftpBehindProxy(in: scratch, tls)
        case .vsftpd: server = try await .vsftpd(in: scratch, certificate: pem, folder: prepare)
        case .sftp, .rclone:
            let ssh = try await SSHServer()
            try prepare(ssh.home.appending(path: "photos"))
            try await ssh.start(options: "MaxStartups 100")
            self.ssh = ssh
        case .directory, .command: break
        }
    }

    /// The PEM file of the authority that signed the server's certificates.
    var authority: String? { certificates?.ca }
    var s3Settings: S3Settings? { s3?.settings }
    var sshServer: SSHServer? { ssh }

    /// The server's own port.
    var port: Int { server?.port ?? ssh.map { Int($0.port) } ?? 0 }

    func kill() async throws {
        ssh?.stop()
        try await server?.kill()
    }

    func restart() async throws {
        try await ssh?.start(options: "MaxStartups 100")
        try await server?.start()
        if kind == .seaweed { try await s3?.writable(scratch) }
    }

    /// Starts a proxy that causes a fault, in front of the server.
    ///
    /// - Parameter certificate: The certificate for TLS with clients, or `nil` for a proxy without TLS.
    func faulty(
        _ fault: TestServer.Fault, after bytes: Int, times: Int = 1, certificate: String? = nil
    ) async throws -> TestServer {
        if kind.isFTP, let server {
            return try await server.ftpProxy(fault, after: bytes, times: times, in: scratch)
        }
        var more: [String] = []
        if let certificate {
            certificates = try await TestCertificates(scratch)
            more = ["certificate=\(certificates?.path(certificate) ?? "")"]
        }
        return try await .faulty(fault, after: bytes, times: times, before: port, in: scratch, more)
    }

    // MARK: Stored files

    /// The folder with the stored photos. The folder exists only for kinds that store photos in a folder.
    var folder: URL {
        let top = server?.folder.path ?? ssh?.home.path ?? scratch.url.path
        return switch kind {
        case .directory: URL(filePath: "\(top)/nas")
        case .command: URL(filePath: "\(top)/got")
        case .nginx, .wsgidav, .ftp, .ftps: URL(filePath: "\(top)/photos #1")
        case .put: URL(filePath: "\(top)/put")
        case .vsftpd: URL(filePath: "\(top)/in/day 1")
        case .sftp, .rclone: URL(filePath: "\(top)/photos")
        case .s3OnDisk, .rcloneS3: URL(filePath: "\(top)/ffb")
        case .seaweed, .moto, .form: URL(filePath: top)
        }
    }

    /// Returns the SHA-256 of each stored file by name, including hidden parts.
    func files() async throws -> [String: String] {
        if kind == .seaweed || kind == .moto {
            guard let s3 else { return [:] }
            let objects = try await s3.objects()
            return Dictionary(
                uniqueKeysWithValues: objects.map {
                    (String($0.key.dropFirst(s3.settings.prefix.count)), $0.value)
                })
        }
        let prefix = kind == .s3OnDisk || kind == .rcloneS3 ? s3?.settings.prefix ?? "" : ""
        let top = URL(filePath: "\(folder.path)/\(prefix)")
        // Omits the files of the server and of the test.
        let photos = top.filesBelow.filter {
            ![".framefast/destination", "filler"].contains($0) && !$0.contains(".rclone_temp_put_")
        }
        return Dictionary(
            uniqueKeysWithValues: photos.map {
                ($0, URL(filePath: "\(top.path)/\($0)").sha256 ?? "unreadable")
            })
    }

    /// Expects that the server has exactly these photos, each complete and stored once, and no other files.
    func expectExactly(
        _ delivered: [(item: UploadItem, receipt: UploadReceipt)], besides: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var files = try await files().filter { besides[$0.key] != $0.value }
        // For form uploads, the rig's server chooses the names.
        func place(_ one: (item: UploadItem, receipt: UploadReceipt)) -> String? {
            kind == .form
                ? files.first { $0.value == one.item.sha256 }?.key : one.receipt.remoteName
        }
        var wrong: [String] = []
        for one in delivered {
            let name = place(one)
            if name.flatMap({ files.removeValue(forKey: $0) }) != one.item.sha256 {
                wrong.append(one.receipt.remoteName)
            }
        }
        #expect(wrong == [], "[loss] cut, changed or missing", sourceLocation: sourceLocation)
        #expect(files.keys.sorted() == [], "[loss] something else is there", sourceLocation: sourceLocation)
    }
}

/// Expects a failure of this kind with a next step.
func expectFailure(
    _ failure: UploadFailure?, _ kind: UploadFailure.Kind, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        failure?.kind == kind, "\(what): \(failure?.sentence ?? "no failure")", sourceLocation: sourceLocation
    )
    #expect(failure?.failedAttempt.nextStep != nil, "\(what)", sourceLocation: sourceLocation)
}
