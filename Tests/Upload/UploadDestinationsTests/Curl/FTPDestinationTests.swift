import Foundation
import FrameFastModel
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite(.programs(2), .enabled(if: TestServers.hasPython, TestServers.pythonReason))
    struct FTPDestinationTests {
        let scratch: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
        }

        private func settings(_ port: Int, _ encryption: FTPSettings.Encryption = .none, ca: String? = nil)
            -> FTPSettings
        {
            FTPSettings(
                host: "localhost", port: port, encryption: encryption, path: "photos #1", user: "ff",
                password: Secret("ff"),
                connection: ConnectionSettings(
                    caFile: ca, connectSeconds: TestLimits.connectSeconds,
                    stallSeconds: TestLimits.stallSeconds))
        }

        private func top(_ server: TestServer) -> URL { URL(filePath: server.folder.path + "/photos #1") }

        @Test(arguments: Tier.rows(FTPSettings.Encryption.allCases, gate: [.explicit]))
        func `uploads photos with unusual names into created folders`(
            encryption: FTPSettings.Encryption
        ) async throws {
            let certificates = try await TestCertificates(scratch)
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch,
                encryption == .none ? [] : ["tls=\(encryption)", "certificate=\(certificates.path("good"))"])
            let photos = try TestPhotos(36, in: scratch)
            let destination = FTPDestination(settings(server.port, encryption, ca: certificates.ca))
            let receipts = try await destination.uploadAll(photos.items)
            // Plain FTP has no protection in transit. Copies are therefore read back.
            #expect(
                receipts.allSatisfy {
                    $0.proof == (encryption == .none ? .checksum : .size) && !$0.alreadyExisted
                })
            expectExactly(photos.items, in: top(server))
        }

        @Test(.nightly("sends a thousand photos; in the gate, another test of this suite cuts a transfer"))
        func `detects files that servers truncate over TLS 1.3`()
            async throws
        {
            let certificates = try await TestCertificates(scratch)
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch, ["tls=explicit", "certificate=\(certificates.path("good"))"])
            var settings = settings(server.port, .explicit, ca: certificates.ca)
            settings.allowsTLS13 = true
            let destination = FTPDestination(settings)
            // Some servers truncate only larger files, so the photos are not small.
            let photos = try TestPhotos(1_000, bytes: 130_000, in: scratch)
            let cuts = Mutex(0)
            let receipts = try await destination.uploadAll(photos.items, attempts: 40) { failure in
                #expect(Optional(failure).isTriedAgain, "\(failure.sentence)")
                cuts.withLock { $0 += 1 }
            }
            let cut = cuts.withLock { $0 }
            print("FTPS over TLS 1.3: \(cut) of \(1_000 + cut) transfers cut and noticed")
            #expect(receipts.map(\.remoteName) == photos.items.map(\.remoteName))
            expectExactly(photos.items, in: top(server))
        }

        @Test func `does not overwrite files and recognizes the same photo`() async throws {
            let server = try await TestServer.python("ftp_server.py", in: scratch)
            let (photo, other) = try (
                TestPhotos.one(bytes: 5000, in: scratch), TestPhotos.one(bytes: 5000, in: scratch)
            )
            let destination = FTPDestination(settings(server.port))
            #expect(try await destination.upload(photo).alreadyExisted == false)
            #expect(try await destination.upload(photo).alreadyExisted)
            #expect(try await destination.upload(other).remoteName == "photo #1-1.JPG")
            #expect(
                top(server).filesBelow == ["photo #1.JPG", "photo #1-1.JPG"],
                "[loss] wrong files at the destination")
            try await destination.probe()
            try await destination.test()
            #expect(top(server).filesBelow.count == 2, "[loss] wrong files at the destination")
            await destination.close()
        }

        @Test(arguments: Tier.rows([10, 50, 90], gate: [50]))
        func `resumes an interrupted transfer at its last byte`(percent: Int) async throws {
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch, ["drop_after=\(80_000 * percent)"])
            let photo = try TestPhotos.one(bytes: 8_000_000, in: scratch)
            let destination = FTPDestination(settings(server.port))
            let memory = Memory()
            let failure = await destination.failure(memory.attempt(photo))
            #expect(failure.isTriedAgain, "\(failure?.sentence ?? "")")
            #expect(
                !top(server).filesBelow.contains(photo.remoteName), "[loss] wrong files at the destination")
            let (sent, report) = AsyncStream.makeStream(of: UInt64.self)
            _ = try await destination.upload(memory.attempt(photo)) { report.yield($0) }
            report.finish()
            var first: UInt64?
            for await bytes in sent where first == nil { first = bytes }
            #expect(try #require(first) >= UInt64(80_000 * percent), "the transfer restarted")
            expectExactly([photo], in: top(server))
            #expect(memory.value == nil)
        }

        @Test(.nightly("in the gate, SFTPFaultTests covers lost bytes of a part"))
        func `sends a photo again after a server lost bytes of its part`()
            async throws
        {
            let certificates = try await TestCertificates(scratch)
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch,
                ["tls=explicit", "certificate=\(certificates.path("good"))"])
            let photo = try TestPhotos.one(bytes: 6_000_000, in: scratch)
            let destination = FTPDestination(settings(server.port, .explicit, ca: certificates.ca))
            let memory = Memory()
            // After a power cut, a file can have the right length but zeros in place of its bytes.
            let part = RemoteName.part(photo)
            try FileManager.default.createDirectory(at: top(server), withIntermediateDirectories: true)
            try Data(count: 5_000_000).write(to: top(server).appending(path: part))
            await memory.attempt(photo).saveResumePoint("part \(part)")
            let failure = await destination.failure(memory.attempt(photo))
            #expect(failure?.kind == .transient, "\(failure?.sentence ?? "delivered")")
            _ = try await destination.upload(memory.attempt(photo))
            expectExactly([photo], in: top(server))
        }

        @Test func `detects a changed byte by reading back or by checksum`() async throws {
            for checksum in [[], ["checksum=1"]] {
                let server = try await TestServer.python(
                    "ftp_server.py", in: scratch, name: "server\(checksum.count)",
                    ["flip_at=250000"] + checksum)
                let photo = try TestPhotos.one(bytes: 500_000, in: scratch)
                let destination = FTPDestination(settings(server.port))
                let memory = Memory()
                let failure = await destination.failure(memory.attempt(photo))
                #expect(failure?.kind == .transient, "\(failure?.sentence ?? "")")
                #expect(top(server).filesBelow == [], "[loss] wrong files at the destination")
                let receipt = try await destination.upload(memory.attempt(photo))
                #expect(receipt.evidence.hasSuffix(checksum.isEmpty ? "read back" : "by HASH"))
                expectExactly([photo], in: top(server))
            }
        }

        /// The server computes a checksum for longer than the time limit for other replies.
        ///
        /// - Parameter isSlower: Whether the checksum exceeds its own time limit.
        @Test(.nightly("measures the wait for a checksum"), arguments: [false, true])
        func `waits for a slow checksum, and reads copies back after a timeout`(isSlower: Bool) async throws {
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch, ["checksum=1", "checksum_after=\(isSlower ? 600 : 7)"])
            var settings = settings(server.port)
            settings.connection.stallSeconds = 4
            let memory = DestinationMemory()
            let destination = FTPDestination(settings, memory: memory) { _ in .seconds(isSlower ? 5 : 60) }
            for name in isSlower ? ["a.JPG", "b.JPG"] : ["a.JPG"] {
                let photo = try TestPhotos.one(bytes: 50_000, name: name, in: scratch)
                let receipt = try await destination.upload(photo)
                #expect(receipt.proof == .checksum)
                #expect(receipt.evidence.hasSuffix(isSlower ? "read back" : "by HASH"))
                expectExactly([photo], in: top(server))
                try FileManager.default.removeItem(at: top(server).appending(path: photo.remoteName))
            }
            #expect(memory.offers(.serverChecksum) != isSlower)
            await destination.close()
        }

        @Test(
            .nightly("measures throughput"),
            arguments: [FTPSettings.Encryption.none, .explicit])
        func `shares the speed limit among parallel transfers`(encryption: FTPSettings.Encryption)
            async throws
        {
            let certificates = try await TestCertificates(scratch)
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch,
                encryption == .none ? [] : ["tls=\(encryption)", "certificate=\(certificates.path("good"))"])
            let photos = try TestPhotos(2, bytes: 1_000_000, in: scratch)
            var settings = settings(server.port, encryption, ca: certificates.ca)
            settings.connection.bytesPerSecond = 1_000_000
            settings.connections = 2
            let destination = FTPDestination(settings)
            let start = ContinuousClock.now
            _ = try await destination.uploadAll(photos.items)
            // The limit allows a burst of a quarter of a second.
            #expect(ContinuousClock.now - start > .seconds(1.6))
            expectExactly(photos.items, in: top(server))
        }

        @Test(.nightly("in the gate, HTTPDestinationTests covers a silent server"))
        func `reports an outage when the server stops reading`() async throws {
            let server = try await TestServer.python("ftp_server.py", in: scratch, ["stall_after=1000000"])
            let photo = try TestPhotos.one(bytes: 30_000_000, in: scratch)
            var settings = settings(server.port)
            settings.connection.stallSeconds = 5
            let failure = await FTPDestination(settings).failure(photo)
            #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(failure?.sentence ?? "")")
            #expect(
                !top(server).filesBelow.contains(photo.remoteName), "[loss] wrong files at the destination")
        }

        @Test(.nightly("in the gate, FailureTableTests covers replies, RefusalTests covers a password"))
        func `maps a wrong password and a full FTP server to failure kinds`() async throws {
            let server = try await TestServer.python("ftp_server.py", in: scratch, ["full=1"])
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            let full = await FTPDestination(settings(server.port)).failure(photo)
            #expect(full?.kind == .permanent(.full))
            #expect(full?.sentence.contains("is out of disk space") == true, "\(full?.sentence ?? "")")
            var wrong = settings(server.port)
            wrong.password = Secret("no")
            #expect(await FTPDestination(wrong).failure(photo)?.kind == .permanent(.unauthorised))
        }

        @Test(
            .nightly("in the gate, RefusalTests covers an FTP server with an expired certificate"),
            arguments: ["expired", "stranger"])
        func `rejects expired and unknown certificates`(certificate: String) async throws {
            let certificates = try await TestCertificates(scratch)
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch,
                ["tls=explicit", "certificate=\(certificates.path(certificate))"])
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            let failure = await FTPDestination(settings(server.port, .explicit, ca: certificates.ca)).failure(
                photo)
            #expect(failure?.kind == .permanent(.untrusted), "\(failure?.sentence ?? "")")
            // The server's last reply accepts TLS. This reply is not the failure, so the sentence must not
            // quote it.
            #expect(failure?.sentence.contains("AUTH") == false, "\(failure?.sentence ?? "")")
            #expect(failure?.sentence.contains("234") == false, "\(failure?.sentence ?? "")")
        }

        @Test(
            .nightly("in the gate, FailureTableTests covers the text of the refusal"),
            arguments: [FTPSettings.Encryption.explicit, .implicit])
        func `names the tls13 setting for a server that requires TLS 1.3`(
            encryption: FTPSettings.Encryption
        ) async throws {
            let certificates = try await TestCertificates(scratch)
            let server = try await TestServer.python(
                "ftp_server.py", in: scratch,
                ["tls=\(encryption)", "certificate=\(certificates.path("good"))", "tls13_only=1"])
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            let failure = await FTPDestination(settings(server.port, encryption, ca: certificates.ca))
                .failure(photo)
            #expect(failure?.kind == .permanent(.untrusted), "\(failure?.sentence ?? "")")
            #expect(failure?.nextStep?.contains("tls13 = true") == true, "\(failure?.nextStep ?? "")")
        }

        @Test func `rejects a server without TLS when TLS is required`() async throws {
            let server = try await TestServer.python("ftp_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            #expect(
                await FTPDestination(settings(server.port, .explicit)).failure(photo)?.kind
                    == .permanent(.untrusted))
            #expect(top(server).filesBelow == [], "[loss] wrong files at the destination")
            #expect(!server.output.contains("logged in"), "the client sent its password without TLS")
            // The server logs each login.
            _ = try await FTPDestination(settings(server.port)).upload(photo)
            #expect(server.output.contains("logged in"))
        }

        @Test(
            .nightly("in the gate, other tests of this suite upload to pyftpdlib"),
            .enabled(if: TestServers.hasVsftpd, TestServers.vsftpdReason))
        func `uploads photos to vsftpd without TLS`() async throws {
            let server = try await TestServer.vsftpd(in: scratch, certificate: nil)
            var settings = settings(server.port)
            settings.user = "anonymous"
            settings.host = TestServers.serversOwnAddress
            settings.path = "/in/day 1"
            let photos = try TestPhotos(36, in: scratch)
            _ = try await FTPDestination(settings).uploadAll(photos.items)
            expectExactly(photos.items, in: URL(filePath: server.folder.path + "/in/day 1"))
        }
    }
}
