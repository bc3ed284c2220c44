import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests of partial files that an interrupted attempt left on a server. Each server refuses some of the
    /// commands that resume, replace or remove such a file, or executes them wrongly.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct BrokenPartTests {
        private static let partBytes = 100_000

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        /// Stores the first bytes of a photo under a name, like an interrupted transfer.
        ///
        /// - Returns: The photo, prepared for its next attempt.
        private func breakOff(
            _ name: (UploadItem) -> String, at server: NastyServer, bytes: Int = 400_000,
            partBytes: Int = Self.partBytes, resumePoint: (String) -> String
        ) throws -> UploadItem {
            var photo = try TestPhotos.one(bytes: bytes, name: "a.JPG", in: scratch)
            let beginning = try Data(contentsOf: URL(filePath: photo.localPath)).prefix(partBytes)
            try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
            try beginning.write(to: server.folder.appending(path: name(photo)))
            photo.resumePoint = resumePoint(name(photo))
            photo.isFirstTry = false
            return photo
        }

        /// With `--autorename`, pure-ftpd replaces a file on APPE if the same connection has uploaded before.
        @Test func `sends the whole photo to an FTP server that replaces on APPE`() async throws {
            let rules = [
                ServerFaultRule("APPE", answer: 0).storingIncorrectly, ServerFaultRule("REST", answer: 502),
            ]
            let server = try await NastyServer(.ftp, rules, in: scratch)
            let photo = try breakOff({ RemoteName.part($0) }, at: server) { "part \($0)" }
            let memory = DestinationMemory()
            let receipt = try await (try server.destination(memory: memory)).upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            #expect(!memory.offers(.append) && !memory.offers(.resume))
        }

        /// A drop box may accept STOR but not APPE.
        @Test func `resumes a part with REST when the FTP server refuses APPE`() async throws {
            let server = try await NastyServer(.ftp, [ServerFaultRule("APPE", answer: 502)], in: scratch)
            let photo = try breakOff({ RemoteName.part($0) }, at: server) { "part \($0)" }
            let memory = DestinationMemory()
            let receipt = try await (try server.destination(memory: memory)).upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            #expect(!memory.offers(.append) && memory.offers(.resume))
            let rest = Int(photo.bytes) - Self.partBytes
            #expect((rest...rest + 1000).contains(server.bytesReceived), "\(server.bytesReceived) bytes")
        }

        /// The server accepts only the first APPE, which tests the feature, and ignores the offset of REST.
        @Test(.nightly("in the gate, another test of this suite has an FTP server that replaces on APPE"))
        func `stops resuming after an FTP server without sizes ignores the offset twice`() async throws {
            let rules = [
                ServerFaultRule("SIZE", "MDTM", answer: 502), ServerFaultRule("APPE", after: 1, answer: 502),
                ServerFaultRule("REST", answer: 350),
            ]
            let server = try await NastyServer(.ftp, rules, in: scratch)
            let memory = DestinationMemory()
            let destination = try server.destination(memory: memory)
            var sums: [String: String] = [:]
            for isLast in [false, true] {
                let photo = try breakOff({ RemoteName.part($0) }, at: server) { "part \($0)" }
                #expect(await destination.failure(photo)?.kind == .transient)
                #expect(!memory.offers(.append))
                #expect(memory.offers(.resume) == !isLast, "one changed photo is no proof")
                sums[try await destination.upload(photo).remoteName] = photo.sha256
            }
            #expect(server.files == sums, "[loss] wrong files at the destination")
        }

        @Test func `removes an FTP part that cannot be resumed or replaced`() async throws {
            let rules = [
                ServerFaultRule("RETR", answer: 550), ServerFaultRule("STOR", exists: true, answer: 553),
            ]
            let server = try await NastyServer(.ftp, rules, in: scratch)
            let photo = try breakOff({ RemoteName.part($0) }, at: server) { "part \($0)" }
            let receipt = try await (try server.destination()).upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
        }

        @Test func `removes a WebDAV part that cannot be replaced`() async throws {
            let server = try await NastyServer(
                .webDAV, [ServerFaultRule("PUT", exists: true, answer: 403)], in: scratch)
            let photo = try breakOff({ RemoteName.part($0) }, at: server) { _ in "" }
            let receipt = try await (try server.destination()).upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
        }

        @Test(.nightly("in the gate, another test of this suite has a WebDAV part that can't be replaced"))
        func `replaces a WebDAV part when every DELETE returns 401`() async throws {
            let server = try await NastyServer(.webDAV, [ServerFaultRule("DELETE", answer: 401)], in: scratch)
            let photo = try breakOff({ RemoteName.part($0) }, at: server) { _ in "" }
            let receipt = try await (try server.destination()).upload(photo)
            #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] wrong photo content")
        }

        /// pure-ftpd with `--autorename`, for a user without permission to remove or read files.
        @Test func `uses the next name when an FTP server renames uploads automatically`()
            async throws
        {
            let rules = [
                ServerFaultRule("RNFR", "DELE", "RETR", answer: 550),
                ServerFaultRule("STOR", exists: true, answer: 0).storingIncorrectly,
            ]
            let server = try await NastyServer(.ftp, rules, in: scratch)
            var photo = try breakOff({ RemoteName.unique($0) }, at: server) { "part \($0)" }
            photo.isNameChosen = false
            let receipt = try await (try server.destination()).upload(photo)
            #expect(receipt.remoteName == RemoteName.candidate(RemoteName.unique(photo), 1))
            #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] wrong photo content")
        }

        /// OpenSSH for Windows refuses to open a file for reading while the file is open for writing.
        @Test(arguments: ["", SFTPUpload.startsOver])
        func `resumes a part on an SFTP server that locks open files`(resumePoint: String) async throws {
            let rule = ServerFaultRule("open-read", "open-write", answer: 4).whileBeingWritten
            let server = try await NastyServer(.sftp, [rule], in: scratch)
            // An upload resumes one window before the end of its part.
            let (partBytes, window) = (4_000_000, Int(SFTPUpload.windowBytes))
            let photo = try breakOff(
                { RemoteName.part($0) }, at: server, bytes: 6_000_000, partBytes: partBytes
            ) { _ in resumePoint }
            let receipt = try await (try server.destination()).upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            let rest = Int(photo.bytes) - (resumePoint.isEmpty ? partBytes - window : 0)
            #expect((rest...rest + 1000).contains(server.bytesReceived), "\(server.bytesReceived) bytes")
        }

        @Test func `uses the next name when an SFTP drop box keeps the part`() async throws {
            let rules = [
                ServerFaultRule("rename", "remove", "open-read", answer: 3)
            ]
            let server = try await NastyServer(.sftp, rules, in: scratch)
            let photo = try breakOff({ $0.remoteName }, at: server) { "put \($0)" }
            let receipt = try await (try server.destination()).upload(photo)
            #expect(receipt.remoteName == "a-2.JPG")
            #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] wrong photo content")
        }
    }
}
