import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests of repeated attempts after a failure, and of trials with temporary failures.
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

        /// OpenSSH reports a name in use with the status of a general failure. This status must not count as
        /// an outage.
        @Test(arguments: [NastyServer.Kind.webDAV, .sftp])
        func `uses the wanted names on a server that refuses to overwrite files`(
            kind: NastyServer.Kind
        ) async throws {
            let server = try await NastyServer(kind, [], in: scratch)
            let receipt = try await (try server.destination()).upload(try photo())
            #expect(receipt.remoteName == "a.JPG")
        }

        /// A web application firewall refuses a PUT without the header.
        @Test func `keeps all features of a server that refuses a PUT without Content-Type`() async throws {
            let rules = [
                // The first rule that matches applies. This rule accepts the request.
                ServerFaultRule("PUT", header: "^Content-Type: ", answer: 0).withOtherTags,
                ServerFaultRule("PUT", answer: 403),
            ]
            let server = try await NastyServer(.webDAV, rules, in: scratch)
            let memory = DestinationMemory()
            let photo = try photo()
            let receipt = try await (try server.destination(memory: memory)).upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            #expect(memory.offers(.hiddenNames) && memory.offers(.rename))
            #expect(memory.capabilities[.modificationTime]?.isOffered == true)
        }

        /// IIS reads names in another encoding without `OPTS UTF8 ON`. pyftpdlib refuses the command.
        @Test(arguments: [("a.JPG", false), ("Müller/a.JPG", true), ("写真.JPG", true)])
        func `turns on UTF-8 at an FTP server for names that are not ASCII`(
            name: String, isTurnedOn: Bool
        ) async throws {
            let server = try await NastyServer(.ftp, [], in: scratch)
            let photo = try photo(name)
            let destination = try server.destination()
            let receipt = try await destination.upload(photo)
            try await destination.discardLeftovers(of: photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            let requests = server.requests
            let turnedOn = requests.firstIndex { $0.verb == "OPTS" && $0.name == "UTF8 ON" }
            let named = requests.firstIndex { request in request.name.utf8.contains { $0 >= 0x80 } }
            #expect((turnedOn != nil) == isTurnedOn && (named != nil) == isTurnedOn)
            if let turnedOn, let named { #expect(turnedOn < named) }
        }

        @Test func `tests an S3 service that refuses a PUT without Content-Type`() async throws {
            let rules = [
                ServerFaultRule("PUT", header: "^Content-Type: ", answer: 0).withOtherTags,
                ServerFaultRule("PUT", answer: 403), ServerFaultRule(answer: 0).withOtherTags,
            ]
            let server = try await NastyServer(.s3, rules, in: scratch)
            let memory = DestinationMemory()
            let photo = try photo()
            let receipt = try await (try server.destination(memory: memory)).upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            #expect(memory.offers(.condition) && memory.offers(.checksumHeader) && memory.offers(.metadata))
            #expect(receipt.remoteName == "a.JPG")
        }

        /// Cloudflare R2 and Google Cloud Storage accept one write of a name per second.
        @Test(
            arguments: [(.http, 503, [1]), (.s3, 503, [1.5]), (.s3, 429, [1.5])]
                as [(NastyServer.Kind, Int, [Double])])
        func `keeps conditional PUT after a temporary failure`(
            kind: NastyServer.Kind, status: Int, pauses: [Double]
        ) async throws {
            let rule = ServerFaultRule("PUT", header: "^If-None-Match", first: 1, answer: status)
            let server = try await NastyServer(kind, [rule], in: scratch)
            let memory = DestinationMemory()
            let skipped = SkippedPauses()
            let destination = try server.destination(memory: memory, clock: skipped.clock)
            let receipt = try await destination.upload(try photo())
            #expect(memory.offers(.condition))
            #expect(receipt.remoteName == "a.JPG")
            #expect(skipped.seconds == pauses)
        }

        /// After a power loss of the server, the part has the right length but wrong bytes.
        @Test func `restarts a part on a server that can't return files`() async throws {
            let server = try await NastyServer(.ftp, [ServerFaultRule("RETR", answer: 550)], in: scratch)
            var again = try photo(isNameChosen: true)
            let part = RemoteName.part(again, .hidden)
            try place(Data(count: 200_000), at: part, of: server)
            again.resumePoint = "part \(part)"
            let receipt = try await (try server.destination()).upload(again)
            #expect(server.files[receipt.remoteName] == again.sha256, "[loss] wrong photo content")
        }

        /// The usual status for a missing folder is 2. Some servers reply with a general failure, or with the
        /// status of later versions of SFTP.
        @Test(arguments: [(4, false), (4, true), (10, false)])
        func `creates a missing SFTP folder after any status`(status: Int, isInPlace: Bool) async throws {
            let rules =
                [ServerFaultRule("open-write", answer: status).inMissingFolders]
                + (isInPlace ? [ServerFaultRule("rename", answer: 4)] : [])
            let server = try await NastyServer(.sftp, rules, in: scratch)
            let destination = try server.destination()
            // The trial creates the folder of the first photo.
            for name in ["2026/a.JPG", "2027/b.JPG"] {
                let photo = try photo(name)
                let receipt = try await destination.upload(photo)
                #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] wrong photo content")
            }
        }

        @Test func `repeats a broken in-place transfer on a server without file sizes`() async throws {
            let rules = [
                ServerFaultRule("rename", answer: 4), ServerFaultRule("lstat", "fstat", "stat", answer: 3),
            ]
            let server = try await NastyServer(.sftp, rules, in: scratch)
            var again = try photo(isNameChosen: true)
            try place(
                try Data(contentsOf: URL(filePath: again.localPath)).prefix(100_000), at: "a.JPG", of: server)
            again.resumePoint = "put a.JPG"
            let receipt = try await (try server.destination()).upload(again)
            #expect(server.files[receipt.remoteName] == again.sha256, "[loss] wrong photo content")
        }

        /// The access key may neither list the bucket nor read the object. The service does not support
        /// conditions.
        @Test(
            .nightly("in the gate, NastyServerTests has a key without the right to list"),
            arguments: [false, true])
        func `does not replace an unreadable S3 object that has the photo's template name`(
            isBusyFirst: Bool
        ) async throws {
            let busy: [ServerFaultRule] =
                isBusyFirst ? [ServerFaultRule("HEAD", name: "trial-.*-2", first: 1, answer: 503)] : []
            let rules =
                busy + [
                    ServerFaultRule("HEAD", exists: false, answer: 403),
                    ServerFaultRule("HEAD", name: "/a.JPG$", answer: 403),
                    ServerFaultRule("GET", name: "^ffb/?$", answer: 403, code: "AccessDenied"),
                    ServerFaultRule(header: "^If-None-Match", answer: 501),
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
                "[loss] wrong files at the destination")
        }

        /// Backblaze B2 limits the requests of an account per day. After the limit is reached, the key may no
        /// longer read or list objects, but may still write.
        @Test func `does not replace an S3 object that can't be read because of a limit`() async throws {
            let message = "Cannot list files, transaction cap exceeded."
            let rules = [
                ServerFaultRule("HEAD", name: "/a.JPG$", answer: 403),
                ServerFaultRule("GET", name: "^ffb/?$", answer: 403, message: message, code: "AccessDenied"),
                ServerFaultRule(header: "^If-None-Match", answer: 501),
            ]
            let server = try await NastyServer(.s3, rules, in: scratch)
            let theirs = try photo()
            try place(
                try Data(contentsOf: URL(filePath: theirs.localPath)), at: "ffb\u{2215}a.JPG", of: server)
            let destination = try server.destination()
            let failure = await destination.failure(try photo(isNameChosen: true))
            #expect(failure?.kind == .permanent(.full), "[loss] \(failure?.sentence ?? "delivered")")
            #expect(server.files["a.JPG"] == theirs.sha256, "[loss] their photo was replaced")
            try await destination.probe()
        }

        /// The file is locked, or a proxy limits the request rate. The server does not support conditions.
        @Test(arguments: [(423, false), (429, true)])
        func `does not replace a file that can't be checked right now`(
            status: Int, hasSizes: Bool
        ) async throws {
            let sizes: [ServerFaultRule] = hasSizes ? [] : [ServerFaultRule("HEAD", answer: 405)]
            let rules =
                sizes + [
                    ServerFaultRule("HEAD", "GET", name: "(^|/)a.JPG$", answer: status),
                    ServerFaultRule(header: "^If-None-Match", answer: 501),
                ]
            let server = try await NastyServer(.http, rules, in: scratch)
            let theirs = try photo()
            try place(try Data(contentsOf: URL(filePath: theirs.localPath)), at: "a.JPG", of: server)
            let failure = await (try server.destination()).failure(try photo(isNameChosen: true))
            let wanted: UploadFailure.Kind = status == 423 ? .transient : .outage(retryAfterSeconds: nil)
            #expect(failure?.kind == wanted, "[loss] \(failure?.sentence ?? "delivered")")
            #expect(server.files["a.JPG"] == theirs.sha256, "[loss] their photo was replaced")
        }

        @Test func `checks the size again after a temporary refusal`() async throws {
            // The first HEAD comes before the transfer.
            let rule = ServerFaultRule("HEAD", name: "(^|/)a.JPG$", first: 1, after: 1, answer: 429)
            let server = try await NastyServer(.http, [rule], in: scratch)
            let memory = DestinationMemory()
            let photo = try photo()
            let receipt = try await (try server.destination(memory: memory))
                .uploadUntilDone(photo, Memory())
            #expect(receipt.proof == .checksum, "\(receipt)")
            #expect(memory.offers(.size), "a temporary refusal shows no missing feature")
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
        }

        /// FTP servers also reply 450 for a file that a different program is using.
        @Test(.nightly("in the gate, NastyServerTests has a server that replies 450"))
        func `does not replace a busy FTP file that has the photo's template name`() async throws {
            let rules = [
                ServerFaultRule("SIZE", "MDTM", answer: 502),
                ServerFaultRule("RETR", name: "(^|/)a.JPG$", answer: 450),
            ]
            let server = try await NastyServer(.ftp, rules, in: scratch)
            let theirs = try photo()
            try place(try Data(contentsOf: URL(filePath: theirs.localPath)), at: "a.JPG", of: server)
            let failure = await (try server.destination()).failure(try photo(isNameChosen: true))
            #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(failure?.sentence ?? "delivered")")
            #expect(server.files["a.JPG"] == theirs.sha256, "[loss] their photo was changed")
        }

        /// The access key may write but not read.
        @Test(arguments: [400_000, 7 << 20], [false, true])
        func `recognizes a stored photo by its unique name in a write-only bucket`(
            bytes: Int, isNameChosen: Bool
        ) async throws {
            let rule = ServerFaultRule("HEAD", "GET", answer: 403)
            let server = try await NastyServer(.s3, [rule], in: scratch)
            let destination = try server.destination()
            var photo = try TestPhotos.one(bytes: bytes, name: "a.JPG", in: scratch)
            photo.isNameChosen = isNameChosen
            let first = try await destination.upload(photo)
            #expect(first.remoteName == RemoteName.unique(photo))
            // The ledger has no record of the first attempt.
            let second = try await destination.upload(photo)
            #expect(second.remoteName == first.remoteName && second.alreadyExisted)
            #expect(server.files == [first.remoteName: photo.sha256], "[loss] wrong files at the destination")
        }

        /// The ledger has no record of the first attempt.
        @Test(arguments: [400_000, 7 << 20])
        func `recognizes a stored photo if entity tags are not MD5s`(bytes: Int) async throws {
            let server = try await NastyServer(.s3, [ServerFaultRule(answer: 0).withOtherTags], in: scratch)
            let destination = try server.destination()
            let photo = try TestPhotos.one(bytes: bytes, name: "a.JPG", in: scratch)
            let first = try await destination.upload(photo)
            #expect(first.proof == .size, "\(first)")
            let second = try await destination.upload(photo)
            #expect(second.remoteName == first.remoteName && second.alreadyExisted, "\(second)")
            #expect(server.files == [first.remoteName: photo.sha256], "[loss] wrong files at the destination")
        }

        @Test func `tests the entity tags again after a temporary failure`() async throws {
            let rules = [
                ServerFaultRule("GET", name: "framefast-trial", first: 1, answer: 503),
                ServerFaultRule(answer: 0).withOtherTags,
            ]
            let server = try await NastyServer(.s3, rules, in: scratch)
            let photo = try photo()
            let receipt = try await (try server.destination()).uploadUntilDone(photo, Memory())
            #expect(receipt.proof == .size, "\(receipt)")
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
        }

        /// The server confirms every byte but stores only some of them. Only the size shows the loss.
        @Test(arguments: [NastyServer.Kind.sftp, .s3])
        func `does not count a photo as delivered if its copy is shorter`(kind: NastyServer.Kind) async throws
        {
            let rule =
                kind == .sftp
                ? ServerFaultRule("write", after: 1, answer: 0)
                : ServerFaultRule("HEAD", name: "/a(-[0-9a-f]{8})?[.]JPG$", answer: 0).reportingSize(100_000)
            let server = try await NastyServer(kind, [rule], in: scratch)
            let memory = DestinationMemory()
            for feature in [DestinationFeature.serverChecksum, .readBack] {
                await memory.learn(feature, isOffered: false, reason: "No.")
            }
            let photo = try TestPhotos.one(bytes: 7 << 20, name: "a.JPG", in: scratch)
            let failure = await (try server.destination(memory: memory)).failure(photo)
            #expect(failure?.kind == .transient, "[loss] \(failure?.sentence ?? "delivered")")
            #expect(
                server.files.keys.allSatisfy { !$0.hasSuffix("JPG") },
                "[loss] wrong files: \(server.files.keys)")
        }

        /// SFTPGo reports the size of an open file while the last writes are still running.
        @Test func `requests the size again if an SFTP server reports fewer bytes`() async throws {
            let rule = ServerFaultRule("fstat", answer: 0).reportingSize(100_000)
            let server = try await NastyServer(.sftp, [rule], in: scratch)
            let photo = try photo()
            let receipt = try await (try server.destination()).upload(photo)
            #expect(receipt.proof == .size)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
        }

        /// In the service, a pause, a stop or the runner's stall limit cancels the check.
        @Test func `keeps the resume point of a part when its check is cancelled`() async throws {
            let server = try await NastyServer(.webDAV, [], in: scratch)
            let destination = try server.destination()
            // Runs the trial.
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

        @Test func `keeps the size feature after 404 for a stored object`() async throws {
            let rule = ServerFaultRule("HEAD", name: "a", answer: 404)
            let server = try await NastyServer(.s3, [rule], in: scratch)
            let memory = DestinationMemory()
            // The server sends neither tags nor checksums, so only a HEAD shows that the object exists.
            _ = await (try server.destination(memory: memory)).failure(try photo())
            #expect(memory.capabilities[.size]?.isOffered != false, "a 404 shows no missing feature")
        }

        /// The bucket stores other bytes, reports their tag, and refuses to read or delete them.
        @Test func `uses the next name if a corrupted copy can't be deleted`() async throws {
            let rules = [
                ServerFaultRule("HEAD", "GET", "DELETE", answer: 403),
                ServerFaultRule("PUT", name: "a-[0-9a-f]{8}", first: 1, answer: 0).storingIncorrectly,
            ]
            let server = try await NastyServer(.s3, rules, in: scratch)
            let memory = Memory()
            let destination = try server.destination()
            let photo = try photo()
            let receipt = try await destination.uploadUntilDone(photo, memory)
            #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] wrong photo content")
            #expect(!receipt.alreadyExisted)
        }
    }
}
