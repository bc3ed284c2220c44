import Foundation
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// A server program with settings from public bug reports.
struct RealServer: Sendable {
    /// A row of a table: a server, and the expected result of uploads to it.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// A part of the expected condition's text, or `nil` if the server accepts photos.
        var refusal: String?
        /// Whether clients may not remove files, so that the trial files stay.
        var keepsTrialFiles: Bool
        /// Whether the server reports neither sizes nor bytes. There, a connection that closes orderly in
        /// mid-transfer goes unnoticed.
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

        /// The same server over a connection that breaks once.
        var breaking: Row {
            var row = self
            row.testDescription += ", over a connection that breaks"
            row.breaks = true
            return row
        }
    }

    /// A proxy in front of the server that counts the bytes from the client.
    struct Line {
        let proxy: TestServer
        fileprivate let counter: String

        /// The number of bytes from the client so far, including the protocol's.
        var bytes: Int { (try? String(contentsOfFile: counter, encoding: .utf8)).flatMap { Int($0) } ?? 0 }
    }

    /// The programs, which run as long as this value exists.
    let programs: [any Sendable]
    /// The server's port at 127.0.0.1.
    let port: Int
    /// The FTP server, which has several ports, or `nil` for another kind of server.
    var ftp: TestServer?
    /// Reads the server's files. Returns the SHA-256 by name.
    let files: @Sendable () async throws -> [String: String]
    /// Creates a destination that reaches the server through a port of 127.0.0.1.
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

    /// Returns the time limits and trust of a connection.
    static func connection(caFile: String? = nil) -> ConnectionSettings {
        ConnectionSettings(
            caFile: caFile, connectSeconds: TestLimits.connectSeconds, stallSeconds: TestLimits.stallSeconds)
    }

    /// Returns the SHA-256 of each file below a folder, by name.
    static func files(below folder: URL) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: folder.filesBelow.map {
                ($0, folder.appending(path: $0).sha256 ?? "unreadable")
            })
    }
}
