import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests with servers that accept photos but report no sizes and return no bytes.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct BlindServerTests {
        /// A server, and whether it can rename.
        struct Row: CustomTestStringConvertible, Sendable {
            var kind: NastyServer.Kind
            var renames: Bool
            var testDescription: String { "\(kind.rawValue) \(renames ? "with" : "without") renaming" }

            /// The requests that the server refuses.
            var rules: [ServerFaultRule] {
                switch kind {
                case .webDAV:
                    [ServerFaultRule("HEAD", "PROPFIND", answer: 405), ServerFaultRule("GET", answer: 403)]
                        + (renames ? [] : [ServerFaultRule("MOVE", "COPY", answer: 403)])
                case .ftp:
                    [ServerFaultRule("SIZE", "RETR", answer: 550)]
                        + (renames ? [] : [ServerFaultRule("RNFR", answer: 550)])
                case .sftp:
                    [ServerFaultRule("lstat", "fstat", "stat", "open-read", answer: 3)]
                        + (renames ? [] : [ServerFaultRule("rename", answer: 3)])
                default: [ServerFaultRule("HEAD", "GET", answer: 403)]
                }
            }
        }

        static let all: [Row] =
            [NastyServer.Kind.webDAV, .ftp, .sftp].flatMap { kind in
                [true, false].map { Row(kind: kind, renames: $0) }
            } + [Row(kind: .http, renames: false)]
        static let gate = [
            Row(kind: .webDAV, renames: true), Row(kind: .ftp, renames: false),
            Row(kind: .sftp, renames: true), Row(kind: .http, renames: false),
        ]

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        private func photo() throws -> UploadItem {
            var photo = try TestPhotos.one(bytes: 300_000, name: "a.JPG", in: scratch)
            photo.isNameChosen = false
            return photo
        }

        /// The second attempt follows a successful first attempt, as if the service had been killed before
        /// the ledger recorded the result.
        @Test(arguments: Tier.rows(all, gate: gate))
        func `reports an unverified delivery, and keeps one copy after a repeated upload`(
            row: Row
        ) async throws {
            let server = try await NastyServer(row.kind, row.rules, in: scratch)
            let destination = try server.destination()
            let photo = try photo()
            var first = photo
            first.isFirstTry = true
            for attempt in [first, photo] {
                let receipt = try await destination.upload(attempt)
                #expect(receipt.proof == .word, "\(receipt)")
                #expect(receipt.evidence == "not verified by the server")
                #expect(receipt.remoteName == RemoteName.unique(photo), "[loss] another copy")
                #expect(
                    server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the server")
            }
            await destination.close()
        }

        @Test(arguments: Tier.rows([NastyServer.Kind.webDAV, .ftp, .sftp], gate: 1))
        func `leaves one copy after the response to a rename is lost`(kind: NastyServer.Kind) async throws {
            let lost =
                switch kind {
                case .ftp: ServerFaultRule("RNTO", name: "a-[0-9a-f]{8}-", first: 1, answer: 0).dropping
                case .sftp: ServerFaultRule("rename", name: "[0-9a-f]{16}-", first: 1, answer: 0).dropping
                default: ServerFaultRule("MOVE", name: "[0-9a-f]{16}-", first: 1, answer: 502)
                }
            let rules = Row(kind: kind, renames: true).rules + [lost.afterExecuting]
            let server = try await NastyServer(kind, rules, in: scratch)
            let destination = try server.destination()
            let photo = try photo()
            let receipt = try await destination.uploadUntilDone(photo, Memory())
            #expect(receipt.remoteName == RemoteName.unique(photo), "[loss] another copy")
            #expect(server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the server")
            await destination.close()
        }

        @Test func `gives up after repeated 404 for a rename`()
            async throws
        {
            let photo = try photo()
            // This rule does not match the trial files.
            let rule = ServerFaultRule("MOVE", name: "\(photo.sha256.prefix(16))-", answer: 404)
            let rules = Row(kind: .webDAV, renames: true).rules + [rule]
            let server = try await NastyServer(.webDAV, rules, in: scratch)
            let destination = try server.destination()
            let failure = await #expect(throws: UploadFailure.self) {
                _ = try await destination.uploadUntilDone(photo, Memory())
            }
            #expect(failure?.kind == .permanent(.notFound))
            await destination.close()
        }

        @Test(arguments: Tier.rows(all.filter { !$0.renames }, gate: [Row(kind: .sftp, renames: false)]))
        func `sends a photo again after an interrupted in-place transfer`(row: Row) async throws {
            let server = try await NastyServer(row.kind, row.rules, in: scratch)
            let photo = try photo()
            let name = RemoteName.unique(photo)
            try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
            try Data(contentsOf: URL(filePath: photo.localPath)).prefix(1_000)
                .write(to: server.folder.appending(path: name))
            let destination = try server.destination()
            let receipt = try await destination.upload(photo)
            #expect(receipt.remoteName == name)
            #expect(server.files == [name: photo.sha256], "[loss] wrong files at the server")
            await destination.close()
        }

        /// Without a record of an earlier attempt, an existing file may belong to another upload of the same
        /// photo.
        @Test(
            .nightly("in the gate, another test of this suite covers a repeated upload"),
            arguments: all.filter(\.renames))
        func `a first attempt does not replace an existing file`(row: Row) async throws {
            let server = try await NastyServer(row.kind, row.rules, in: scratch)
            var photo = try photo()
            photo.isFirstTry = true
            let name = RemoteName.unique(photo)
            try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
            let there = Data("another file".utf8)
            let file = server.folder.appending(path: name)
            try there.write(to: file)
            let destination = try server.destination()
            _ = try? await destination.upload(photo)
            #expect(try Data(contentsOf: file) == there, "[loss] an existing file was changed")
            await destination.close()
        }
    }
}
