import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Attempts after one that ended badly, and trials that meet passing trouble.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct AttemptTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        private func photo(_ name: String = "a.JPG", isNameChosen: Bool = false) throws -> UploadItem {
            var photo = try TestPhotos.one(bytes: 400_000, name: name, in: scratch)
            photo.isNameChosen = isNameChosen
            return photo
        }

        private func place(_ data: Data, at name: String, of server: NastyServer) throws {
            try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
            try data.write(to: server.folder.appending(path: name))
        }

        /// OpenSSH has no status for a name that is taken, and its general failure is no outage.
        @Test(arguments: [NastyServer.Kind.webDAV, .sftp])
        func `a server that refuses taken names gets photos under their own names`(
            kind: NastyServer.Kind
        ) async throws {
            let server = try await NastyServer(kind, [], in: scratch)
            let receipt = try await (try server.destination()).upload(try photo())
            #expect(receipt.remoteName == "a.JPG")
        }

        @Test(arguments: [NastyServer.Kind.http, .s3])
        func `trouble that passes is no refusal of conditions`(kind: NastyServer.Kind) async throws {
            let rule = NastyRule("PUT", header: "^If-None-Match", first: 1, answer: 503)
            let server = try await NastyServer(kind, [rule], in: scratch)
            let memory = DestinationMemory()
            let receipt = try await (try server.destination(memory: memory)).upload(try photo())
            #expect(memory.offers(.condition))
            #expect(receipt.remoteName == "a.JPG")
        }

        /// The bytes of the part were lost with the server's power, and their number was not.
        @Test func `a part at a server that reads nothing back is not continued`() async throws {
            let server = try await NastyServer(.ftp, [NastyRule("RETR", answer: 550)], in: scratch)
            var again = try photo(isNameChosen: true)
            let part = RemoteName.part(again, .hidden)
            try place(Data(count: 200_000), at: part, of: server)
            again.resumePoint = "part \(part)"
            let receipt = try await (try server.destination()).upload(again)
            #expect(server.files[receipt.remoteName] == again.sha256, "[loss] content of the photo")
        }

        @Test func `a broken transfer in place is sent again where no sizes are told`() async throws {
            let rules = [
                NastyRule("rename", answer: 4), NastyRule("lstat", "fstat", "stat", answer: 3),
            ]
            let server = try await NastyServer(.sftp, rules, in: scratch)
            var again = try photo(isNameChosen: true)
            try place(
                try Data(contentsOf: URL(filePath: again.localPath)).prefix(100_000), at: "a.JPG", of: server)
            again.resumePoint = "put a.JPG"
            let receipt = try await (try server.destination()).upload(again)
            #expect(server.files[receipt.remoteName] == again.sha256, "[loss] content of the photo")
        }

        /// A key that may not list the bucket, at a service that knows no conditions. The key may not read that object.
        @Test(
            .nightly("NastyServerTests has a key without the right to list in the gate"),
            arguments: [false, true])
        func `an object of another account under the name of a template is not replaced`(
            isBusyFirst: Bool
        ) async throws {
            let busy: [NastyRule] =
                isBusyFirst ? [NastyRule("HEAD", name: "trial-.*-2", first: 1, answer: 503)] : []
            let rules =
                busy + [
                    NastyRule("HEAD", exists: false, answer: 403),
                    NastyRule("HEAD", name: "/a.JPG$", answer: 403),
                    NastyRule("GET", name: "^ffb/?$", answer: 403, code: "AccessDenied"),
                    NastyRule(header: "^If-None-Match", answer: 501),
                ]
            let server = try await NastyServer(.s3, rules, in: scratch)
            let theirs = try photo()
            try place(
                try Data(contentsOf: URL(filePath: theirs.localPath)), at: "ffb\u{2215}a.JPG", of: server)
            let photo = try photo(isNameChosen: true)
            let receipt = try await (try server.destination()).uploadUntilDone(photo, Memory())
            #expect(receipt.remoteName == RemoteName.unique(photo))
            #expect(
                server.files == ["a.JPG": theirs.sha256, receipt.remoteName: photo.sha256],
                "[loss] files at the destination")
        }

        /// FTP has 450 for a file that another program uses, too.
        @Test(.nightly("NastyServerTests has a server that answers 450 in the gate"))
        func `a busy file under the name of a template is not replaced`() async throws {
            let rules = [
                NastyRule("SIZE", "MDTM", answer: 502), NastyRule("RETR", name: "(^|/)a.JPG$", answer: 450),
            ]
            let server = try await NastyServer(.ftp, rules, in: scratch)
            let theirs = try photo()
            try place(try Data(contentsOf: URL(filePath: theirs.localPath)), at: "a.JPG", of: server)
            let failure = await (try server.destination()).failure(try photo(isNameChosen: true))
            #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(failure?.sentence ?? "delivered")")
            #expect(server.files["a.JPG"] == theirs.sha256, "[loss] content of their photo")
        }

        /// With a key that may write and not read.
        @Test(arguments: [400_000, 7 << 20], [false, true])
        func `a photo whose answer was lost is not sent without end to a bucket that shows nothing`(
            bytes: Int, isNameChosen: Bool
        ) async throws {
            let rule = NastyRule("HEAD", "GET", answer: 403)
            let server = try await NastyServer(.s3, [rule], in: scratch)
            let destination = try server.destination()
            var photo = try TestPhotos.one(bytes: bytes, name: "a.JPG", in: scratch)
            photo.isNameChosen = isNameChosen
            let first = try await destination.upload(photo)
            #expect(first.remoteName == RemoteName.unique(photo))
            // The ledger knows nothing of the first attempt.
            let second = try await destination.upload(photo)
            #expect(second.remoteName == first.remoteName && second.wasThere)
            #expect(server.files == [first.remoteName: photo.sha256], "[loss] files at the destination")
        }

        /// A server that confirms every byte and keeps only some of them. Nothing but the size shows that.
        @Test(arguments: [NastyServer.Kind.sftp, .s3])
        func `a photo with a shorter size at the server is not delivered`(kind: NastyServer.Kind) async throws
        {
            let rule =
                kind == .sftp
                ? NastyRule("write", after: 1, answer: 0)
                : NastyRule("HEAD", name: "/a(-[0-9a-f]{8})?[.]JPG$", answer: 0).telling(100_000)
            let server = try await NastyServer(kind, [rule], in: scratch)
            let memory = DestinationMemory()
            for feature in [DestinationFeature.serverChecksum, .readBack] {
                await memory.learn(feature, isOffered: false, reason: "No.")
            }
            let photo = try TestPhotos.one(bytes: 7 << 20, name: "a.JPG", in: scratch)
            let failure = await (try server.destination(memory: memory)).failure(photo)
            #expect(failure?.kind == .transient, "[loss] \(failure?.sentence ?? "delivered")")
            #expect(server.files.keys.allSatisfy { !$0.hasSuffix("JPG") }, "[loss] \(server.files.keys)")
        }

        /// A pause, a stop of the service, or the worker's limit for silent uploads.
        @Test func `a part keeps its resume point when its check is stopped`() async throws {
            let server = try await NastyServer(.webDAV, [], in: scratch)
            let destination = try server.destination()
            // Finds out what the server does.
            _ = try await destination.upload(try photo())
            let (memory, photo, point) = (Memory(), try photo("b.JPG"), "sent part - as b.JPG")
            await memory.attempt(photo).saveResumePoint(point)
            let upload = Task {
                while !Task.isCancelled { await Task.yield() }
                return await destination.failure(memory.attempt(photo))
            }
            upload.cancel()
            #expect(await upload.value?.kind == .cancelled)
            #expect(memory.value == point)
        }

        @Test func `an object that is not shown is no delivery`() async throws {
            let rule = NastyRule("HEAD", name: "a", answer: 404)
            let server = try await NastyServer(.s3, [rule], in: scratch)
            let memory = DestinationMemory()
            // Without tags and sums only a look tells whether it is there.
            _ = await (try server.destination(memory: memory)).failure(try photo())
            #expect(memory.capabilities[.size]?.isOffered != false, "nothing is learned from a 404")
        }

        /// The bucket stores other bytes, tells their tag, and shows and removes nothing.
        @Test func `a wrong copy that can't be removed is no delivery`() async throws {
            let rules = [
                NastyRule("HEAD", "GET", "DELETE", answer: 403),
                NastyRule("PUT", name: "a-[0-9a-f]{8}", first: 1, answer: 0).storingOtherBytes,
            ]
            let server = try await NastyServer(.s3, rules, in: scratch)
            let memory = Memory()
            let destination = try server.destination()
            let photo = try photo()
            let receipt = try await destination.uploadUntilDone(photo, memory)
            #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] content of the photo")
            #expect(!receipt.wasThere)
        }
    }
}
