import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests that parts of dropped and failed uploads are removed from the server.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(30)))
    struct DiscardTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        /// Servers that accept the bytes of photos but fail at the next step.
        static let stuck: [(NastyServer.Kind, ServerFaultRule)] = [
            (.webDAV, ServerFaultRule("MOVE", name: "[0-9a-f]{16}-", answer: 503)),
            (.ftp, ServerFaultRule("RNFR", name: "[0-9a-f]{16}-", answer: 450)),
            (.sftp, ServerFaultRule("rename", name: "[0-9a-f]{16}-", answer: 4)),
            (.s3, ServerFaultRule("POST", name: "IMG", header: "Content-Type: application/xml", answer: 503)),
            // rclone repeats the request for some seconds, so the transfer is still running when the upload
            // is dropped.
            (.rclone, ServerFaultRule("MOVE", name: "[0-9a-f]{16}-", answer: 503)),
        ]

        @Test(arguments: Tier.rows([0, 1, 2, 3, 4], gate: [0, 3]))
        func `removes the parts of a dropped upload from the server`(row: Int) async throws {
            let (kind, rule) = Self.stuck[row]
            let server = try await NastyServer(kind, [rule], in: scratch)
            let uploads = try await WaitingUploads(
                2, bytes: kind == .s3 ? 7 << 20 : 200_000, in: scratch)
            try await uploads.running(try server.destination()) { service in
                try await Self.waitForParts(at: server)
                _ = try await service.drop(UploadFilter())
                try await Self.expectNothing(at: server)
            }
        }

        /// The server refuses the step after the transfer for this photo, but not for the trial files.
        @Test(arguments: Tier.rows([NastyServer.Kind.webDAV, .ftp, .sftp, .s3], gate: 1))
        func `removes the parts of a failed upload from the server`(kind: NastyServer.Kind) async throws {
            let uploads = try await WaitingUploads(1, bytes: kind == .s3 ? 7 << 20 : 200_000, in: scratch)
            let part = "\(uploads.photos[0].sha256.prefix(16))-"
            let rule =
                switch kind {
                case .ftp: ServerFaultRule("RNFR", name: part, answer: 550)
                case .sftp: ServerFaultRule("rename", name: part, answer: 3)
                case .s3:
                    ServerFaultRule("POST", name: "IMG", header: "Content-Type: application/xml", answer: 403)
                default: ServerFaultRule("MOVE", name: part, answer: 403)
                }
            let server = try await NastyServer(kind, [rule], in: scratch)
            try await uploads.running(try server.destination()) { _ in
                try await eventually("the photo to fail", within: 60) {
                    uploads.outcome.failed.count == 1 ? () : nil
                }
                try await Self.expectNothing(at: server)
            }
            #expect(uploads.outcome.delivered.isEmpty)
        }

        @Test func `removes parts when the destination is removed from the configuration`()
            async throws
        {
            let (kind, rule) = Self.stuck[3]
            let server = try await NastyServer(kind, [rule], in: scratch)
            let uploads = try await WaitingUploads(2, bytes: 7 << 20, in: scratch)
            try await uploads.running(try server.destination()) { service in
                try await Self.waitForParts(at: server)
                try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
                try await Self.expectNothing(at: server)
            }
        }

        /// Nextcloud refuses every request for a name that ends in .part, even DELETE.
        @Test func `removes a part from a server that refuses names with the extension part`() async throws {
            let rule = ServerFaultRule(
                name: #"\.part$"#, answer: 400, message: "\".part\" is a forbidden file type.")
            let server = try await NastyServer(.webDAV, [rule], in: scratch)
            let photo = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
            let part = server.folder.appending(path: RemoteName.part(photo, .bare))
            try Data(repeating: 7, count: 5_000).write(to: part)
            try await (try server.destination()).discardLeftovers(of: photo)
            #expect(server.files.isEmpty, "\(server.requests)")
        }

        @Test(
            .nightly("in the gate, LeftoverQueueTests and LeftoverTests cover an unreachable server"),
            arguments: [0, 3])
        func `removes parts after a server returns from an outage`(row: Int) async throws {
            let (kind, rule) = Self.stuck[row]
            let server = try await NastyServer(kind, [rule], in: scratch)
            let uploads = try await WaitingUploads(
                2, bytes: kind == .s3 ? 7 << 20 : 200_000, in: scratch)
            try await uploads.running(try server.destination()) { service in
                try await Self.waitForParts(at: server)
                try await server.stop()
                _ = try await service.drop(UploadFilter())
                let leftovers = try await service.statistics().first?.leftovers.count
                #expect(leftovers == 2)
                try await server.start()
                try await Self.expectNothing(at: server)
                try await eventually("no leftovers in the statistics") {
                    try await service.statistics().first?.leftovers.count == 0 ? () : nil
                }
            }
        }

        @Test func `counts undeletable parts and retries their removal on resume`()
            async throws
        {
            let (kind, rule) = Self.stuck[0]
            let refusal = ServerFaultRule("DELETE", name: "[0-9a-f]{16}-", answer: 403)
            let server = try await NastyServer(kind, [rule, refusal], in: scratch)
            let uploads = try await WaitingUploads(2, in: scratch)
            try await uploads.running(try server.destination()) { service in
                try await Self.waitForParts(at: server)
                let atDrop = Self.refusedRemovals(at: server)
                _ = try await service.drop(UploadFilter())
                let once = try await Self.waitForMoreRefusals(than: atDrop, at: server)
                try await service.resume()
                _ = try await Self.waitForMoreRefusals(than: once, at: server)
                let leftovers = try await service.statistics().first?.leftovers
                #expect(leftovers?.count == 2)
                #expect(leftovers?.bytes == uploads.photos.reduce(0) { $0 + $1.bytes })
                try server.lift()
                try await service.resume()
                try await Self.expectNothing(at: server)
                try await eventually("no leftovers in the statistics") {
                    try await service.statistics().first?.leftovers.count == 0 ? () : nil
                }
            }
        }

        /// Servers that refuse the first removal of an existing file.
        static let refusing: [(NastyServer.Kind, ServerFaultRule)] = [
            (.webDAV, ServerFaultRule("DELETE", exists: true, first: 1, answer: 403)),
            (.ftp, ServerFaultRule("DELE", exists: true, first: 1, answer: 550)),
            (.sftp, ServerFaultRule("remove", exists: true, first: 1, answer: 3)),
            (.rclone, ServerFaultRule("DELETE", exists: true, first: 1, answer: 403)),
        ]

        @Test(arguments: Tier.rows([0, 1, 2, 3], gate: [0, 1]))
        func `reports a refused removal and deletes only its own part`(
            row: Int
        ) async throws {
            let (kind, rule) = Self.refusing[row]
            let server = try await NastyServer(kind, [rule], in: scratch)
            let photo = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
            let folder = server.folder
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The folder contains a file with the photo's name, the part of another upload, and the part of
            // this upload.
            var other = photo
            other.jobID = 999
            let (theirs, ours) = (["a.JPG", RemoteName.part(other, .bare)], RemoteName.part(photo, .bare))
            for name in theirs + [ours] {
                try Data(repeating: 7, count: 5_000).write(to: folder.appending(path: name))
            }
            let destination = try server.destination()
            let failure = await #expect(throws: UploadFailure.self) {
                try await destination.discardLeftovers(of: photo)
            }
            #expect(failure?.kind == .permanent(.forbidden), "\(failure?.sentence ?? "")")
            #expect(failure?.step == .remove)
            #expect(server.files.keys.sorted() == (theirs + [ours]).sorted())
            try await destination.discardLeftovers(of: photo)
            #expect(server.files.keys.sorted() == theirs.sorted())
            await destination.close()
        }

        @Test(arguments: Tier.rows([NastyServer.Kind.ftp, .webDAV, .sftp], gate: [.ftp]))
        func `creates no folder when discarding a part`(kind: NastyServer.Kind) async throws {
            let server = try await NastyServer(kind, [], in: scratch)
            let folder = server.folder
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let photo = try TestPhotos.one(bytes: 20_000, name: "Weddings/June/a.JPG", in: scratch)
            let destination = try server.destination()
            try await destination.discardLeftovers(of: photo)
            await destination.close()
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!left.contains("Weddings"), "\(left), \(server.requests)")
        }

        @Test func `reports a part in an inaccessible FTP folder as not removed`()
            async throws
        {
            let server = try await NastyServer(
                .ftp, [ServerFaultRule("CWD", name: "Tag", answer: 550)], in: scratch)
            let photo = try TestPhotos.one(bytes: 20_000, name: "Tag/a.JPG", in: scratch)
            let part = server.folder.appending(path: try #require(RemoteName.partPaths(photo).last))
            let folder = part.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(repeating: 7, count: 5_000).write(to: part)
            let destination = try server.destination()
            let failure = await #expect(throws: UploadFailure.self) {
                try await destination.discardLeftovers(of: photo)
            }
            #expect(failure?.kind == .permanent(.forbidden), "\(failure?.sentence ?? "")")
            #expect(failure?.sentence.contains("access to the folder Tag ") == true)
            #expect(server.files.count == 1)
            try server.lift()
            try await destination.discardLeftovers(of: photo)
            #expect(server.files.isEmpty)
            // A missing folder contains no part.
            try FileManager.default.removeItem(at: folder)
            try await destination.discardLeftovers(of: photo)
            await destination.close()
        }

        @Test func `discards without failure when the FTP folder is missing`()
            async throws
        {
            let server = try await NastyServer(.ftp, [ServerFaultRule("RNFR", answer: 350)], in: scratch)
            try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
            let photo = try TestPhotos.one(bytes: 20_000, name: "Gone/a.JPG", in: scratch)
            let destination = try server.destination()
            try await destination.discardLeftovers(of: photo)
            await destination.close()
            #expect(server.requests.contains { $0.verb == "RNFR" }, "\(server.requests)")
        }

        /// Waits until two photos have reached the step after the transfer.
        private static func waitForParts(at server: NastyServer) async throws {
            try await eventually("something at the server", within: 60) {
                server.multiparts == 2 || server.files.keys.count { !$0.contains("trial") } >= 2
                    ? () : nil
            }
        }

        /// Returns the number of refused removals for each part on the server.
        private static func refusedRemovals(at server: NastyServer) -> [String: Int] {
            let refused = server.requests.filter { $0.verb == "DELETE" && $0.answer == "403" }
            return Dictionary(
                uniqueKeysWithValues: server.files.keys.filter { !$0.contains("trial") }.map { part in
                    (part, refused.count { $0.name == part })
                })
        }

        /// - Returns: The numbers of refused removals, after each has increased.
        private static func waitForMoreRefusals(
            than before: [String: Int], at server: NastyServer
        ) async throws -> [String: Int] {
            try await eventually("another refused removal of each part", within: 60) {
                let now = refusedRemovals(at: server)
                return now.count == 2 && now.allSatisfy { $0.value > before[$0.key] ?? 0 } ? now : nil
            }
        }

        private static func expectNothing(at server: NastyServer) async throws {
            do {
                try await eventually("nothing at the server", within: 60) {
                    server.multiparts == 0 && server.files.isEmpty ? () : nil
                }
            } catch {
                Issue.record("\(server.multiparts) uploads in parts, \(server.files.keys.sorted())")
                throw error
            }
        }
    }
}
