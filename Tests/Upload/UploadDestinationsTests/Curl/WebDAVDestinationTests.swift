import Foundation
import FrameFastModel
import TestRig
import Testing
import TextForms
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite(.programs(2)) struct WebDAVDestinationTests {
        let scratch: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
        }

        private func start(_ kind: TestServer.DAVKind) async throws -> TestServer {
            try await .webDAV(kind, in: scratch)
        }

        private func destination(
            _ port: Int, path: String = "photos #1/", password: String = "ff", digest: Bool = false,
            verification: Verification = .automatic, stallSeconds: Int = TestLimits.stallSeconds
        ) -> WebDAVDestination {
            WebDAVDestination(
                WebDAVSettings(
                    url: "http://127.0.0.1:\(port)/\(PercentCoding.encode(path, keeping: .path))",
                    credentials: .password(user: "ff", password: Secret(password), digest: digest),
                    verification: verification,
                    connection: ConnectionSettings(
                        connectSeconds: TestLimits.connectSeconds, stallSeconds: stallSeconds)
                ))
        }

        private func top(_ server: TestServer) -> URL { URL(filePath: server.folder.path + "/photos #1") }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: Tier.rows(TestServer.DAVKind.allCases, gate: [.nginx]))
        func `uploads photos with unusual names into created folders`(kind: TestServer.DAVKind)
            async throws
        {
            let server = try await start(kind)
            let photos = try TestPhotos(36, in: scratch)
            let receipts = try await destination(server.port).uploadAll(photos.items)
            #expect(receipts.allSatisfy { $0.proof == .checksum && !$0.alreadyExisted })
            // Some servers misread `;` and `?` in a Destination header, so uploads replace these characters
            // in names.
            let named = zip(photos.items, receipts).map { item, receipt in
                var item = item
                #expect(
                    receipt.remoteName == String(item.remoteName.map { $0 == ";" || $0 == "?" ? "_" : $0 }))
                item.remoteName = receipt.remoteName
                return item
            }
            expectExactly(named, in: top(server))
        }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: Tier.rows(TestServer.DAVKind.allCases, gate: [.wsgidav]))
        func `does not overwrite files and recognizes the same photo`(kind: TestServer.DAVKind) async throws {
            let server = try await start(kind)
            let (photo, other) = try (
                TestPhotos.one(bytes: 5000, in: scratch), TestPhotos.one(bytes: 5000, in: scratch)
            )
            let destination = destination(server.port, verification: .size)
            #expect(try await destination.upload(photo).proof == .size)
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

        @Test(.enabled(if: TestServers.hasNginx, TestServers.nginxReason))
        func `removes a leftover part before counting a photo as delivered`() async throws {
            let server = try await start(.nginx)
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            let destination = destination(server.port)
            _ = try await destination.upload(photo)
            // `mute` is a link to the same folder. At this path, the server does not respond to DELETE.
            try FileManager.default.createSymbolicLink(
                at: server.folder.appending(path: "mute"), withDestinationURL: top(server))
            let mute = self.destination(server.port, path: "mute/", stallSeconds: 5)
            // This upload is a first attempt. A retry would begin with a DELETE, and would send no photo.
            var first = photo
            first.isFirstTry = true
            #expect(await mute.failure(first)?.kind == .outage(retryAfterSeconds: nil))
            // At the path `mute`, the trial files can't be removed either.
            func photos() -> Set<String> { top(server).filesBelow.filter { !$0.contains("framefast-trial") } }
            #expect(photos().count == 2, "[loss] wrong files at the destination")
            #expect(try await destination.upload(photo).alreadyExisted)
            #expect(photos() == [photo.remoteName], "[loss] wrong files at the destination")
        }

        @Test(
            .nightly("in the gate, S3DestinationTests and FTPDestinationTests cover a changed byte"),
            .enabled(if: TestServers.hasPython, TestServers.pythonReason))
        func `detects a changed byte in a WebDAV upload`() async throws {
            let server = try await start(.wsgidav)
            let photo = try TestPhotos.one(bytes: 500_000, in: scratch)
            let proxy = try await TestServer.faulty(
                .flip, after: 250_000, before: server.port, in: scratch)
            let destination = destination(proxy.port)
            #expect(await destination.failure(photo)?.kind == .transient)
            #expect(top(server).filesBelow == [], "[loss] wrong files at the destination")
            _ = try await destination.upload(photo)
            expectExactly([photo], in: top(server))
        }

        @Test(
            .nightly("in the gate, HTTPDestinationTests covers a silent server"),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason))
        func `reports an outage when the server stops reading`() async throws {
            let server = try await start(.nginx)
            let photo = try TestPhotos.one(bytes: 20_000_000, in: scratch)
            let proxy = try await TestServer.faulty(
                .stall, after: 1_000_000, before: server.port, in: scratch)
            let failure = await destination(proxy.port, stallSeconds: 5).failure(photo)
            #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(failure?.sentence ?? "")")
            #expect(
                !top(server).filesBelow.contains(photo.remoteName), "[loss] wrong files at the destination")
        }

        @Test(.enabled(if: TestServers.hasPython, TestServers.pythonReason))
        func `reports a wrong password as permanent and supports Digest`() async throws {
            let server = try await start(.wsgidav)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            #expect(
                await destination(server.port, password: "no").failure(photo)?.kind
                    == .permanent(.unauthorised))
            let digest = destination(server.port, digest: true)
            #expect(try await digest.upload(photo).proof == .checksum)
            expectExactly([photo], in: top(server))
        }

        @Test(
            .nightly("in the gate, RefusalTests covers a full disk"),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: [
                ("full", UploadFailure.Kind.permanent(.full), "is out of disk space (status 507)"),
                ("slow", .outage(retryAfterSeconds: nil), "to create the folder http"),
            ])
        func `reports a full WebDAV server, and an outage for a slow server`(
            path: String, kind: UploadFailure.Kind, words: String
        )
            async throws
        {
            let server = try await start(.nginx)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            let failure = await destination(server.port, path: path, stallSeconds: 5).failure(photo)
            #expect(failure?.kind == kind)
            // The sentence must not contain an empty name for the destination's folder.
            #expect(failure?.sentence.contains(words) == true, "\(failure?.sentence ?? "")")
            #expect(failure?.sentence.contains("folder )") == false)
        }
    }
}
