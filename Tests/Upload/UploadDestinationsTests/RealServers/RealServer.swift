import Foundation
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// A server program with settings from public bug reports.
struct RealServer: Sendable {
    /// A row of a table: a server with the expected result of uploads.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Text that the expected condition contains, or `nil` if the server accepts photos.
        var refusal: String?
        /// Whether clients can't remove files. If `true`, the trial files stay on the server.
        var keepsTrialFiles: Bool
        /// Whether the server reports no sizes and returns no files. Clients of such a server can't detect
        /// that a connection broke in the middle of a transfer.
        var isBlind: Bool
        /// Whether the connection breaks once, in the middle of a large photo.
        var breaks = false
        let start: @Sendable (ScratchFolder) async throws -> RealServer

        init(
            _ name: String, refusal: String? = nil, keepsTrialFiles: Bool = false, isBlind: Bool = false,
            start: @escaping @Sendable (ScratchFolder) async throws -> RealServer
        ) {
            testDescription = name
            self.refusal = refusal
            self.keepsTrialFiles = keepsTrialFiles
            self.isBlind = isBlind
            self.start = start
        }

        /// The same server with a connection that breaks once.
        var breaking: Row {
            var row = self
            row.testDescription += ", over a connection that breaks"
            row.breaks = true
            return row
        }
    }

    /// A proxy between client and server. The proxy counts the bytes from the client.
    struct Line {
        let proxy: TestServer
        fileprivate let counter: String

        /// The number of bytes from the client, including the protocol's bytes.
        var bytes: Int { (try? String(contentsOfFile: counter, encoding: .utf8)).flatMap { Int($0) } ?? 0 }
    }

    /// The running server programs. They end when this value is released.
    let programs: [any Sendable]
    /// The server's port on 127.0.0.1.
    let port: Int
    /// The FTP server, which has several ports, or `nil` for other kinds of servers.
    var ftp: TestServer?
    /// Returns the SHA-256 of each of the server's files by name.
    let files: @Sendable () async throws -> [String: String]
    /// Creates a destination that connects to the server through a port of 127.0.0.1.
    let destination: @Sendable (_ port: Int, _ memory: DestinationMemory) -> any UploadDestination

    /// Starts a proxy in front of the server.
    ///
    /// - Parameter breakAfter: The number of bytes after which one connection breaks, or `nil` for no break.
    func line(breakAfter: Int?, in scratch: ScratchFolder) async throws -> Line {
        let counter = scratch.path("bytes-from-the-client")
        let (fault, after): (TestServer.Fault, Int) = breakAfter.map { (.reset, $0) } ?? (.pass, 0)
        let more = ["count=\(counter)"]
        let proxy =
            if let ftp {
                try await ftp.ftpProxy(fault, after: after, in: scratch, more)
            } else {
                try await TestServer.faulty(fault, after: after, before: port, in: scratch, more)
            }
        return Line(proxy: proxy, counter: counter)
    }

    /// Returns connection settings with the time limits of the tests.
    ///
    /// - Parameter caFile: The trusted certificate authorities, or `nil` for those of the system.
    static func connection(caFile: String? = nil) -> ConnectionSettings {
        ConnectionSettings(
            caFile: caFile, connectSeconds: TestLimits.connectSeconds, stallSeconds: TestLimits.stallSeconds)
    }

    /// Returns the SHA-256 of each file in a folder, by relative path.
    static func files(below folder: URL) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: folder.filesBelow.map {
                ($0, folder.appending(path: $0).sha256 ?? "unreadable")
            })
    }
}
