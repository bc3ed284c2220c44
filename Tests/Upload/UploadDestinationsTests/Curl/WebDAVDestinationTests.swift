import Crypto
import Foundation
import FrameFastModel
import TestRig
import Testing
import TextForms
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite struct WebDAVDestinationTests {
        let scratch: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
        }

        private func start(_ kind: TestServer.DAVKind) async throws -> TestServer {
            try await .webDAV(kind, in: scratch)
        }

        private func destination(
            _ port: Int, path: String = "photos #1/", password: String = "ff", digest: Bool = false,
            verification: Verification = .automatic
        ) -> WebDAVDestination {
            WebDAVDestination(
                WebDAVSettings(
                    url: "http://127.0.0.1:\(port)/\(PercentCoding.encode(path, keeping: .path))",
                    credentials: .password(user: "ff", password: Secret(password), digest: digest),
                    verification: verification,
                    connection: ConnectionSettings(connectSeconds: 5, stallSeconds: 5)
                ))
        }

        private func top(_ server: TestServer) -> URL { URL(filePath: server.folder.path + "/photos #1") }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: TestServer.DAVKind.allCases)
        func `photos with odd names arrive whole, in folders that are made`(kind: TestServer.DAVKind)
            async throws
        {
            let server = try await start(kind)
            let photos = try TestPhotos(36, in: scratch)
            let receipts = try await destination(server.port).uploadAll(photos.items)
            #expect(receipts.allSatisfy { $0.proof == .checksum && !$0.wasThere })
            // What some servers misread in a Destination header is left out of names.
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
            arguments: TestServer.DAVKind.allCases)
        func `nothing is replaced, and the same photo is known again`(kind: TestServer.DAVKind) async throws {
            let server = try await start(kind)
            let (photo, other) = try (
                TestPhotos.one(bytes: 5000, in: scratch), TestPhotos.one(bytes: 5000, in: scratch)
            )
            let destination = destination(server.port, verification: .size)
            #expect(try await destination.upload(photo).proof == .size)
            #expect(try await destination.upload(photo).wasThere)
            #expect(try await destination.upload(other).remoteName == "photo #1-1.JPG")
            #expect(top(server).filesBelow == ["photo #1.JPG", "photo #1-1.JPG"])
            try await destination.probe()
            try await destination.test()
            #expect(top(server).filesBelow.count == 2)
            await destination.close()
        }

        @Test(.enabled(if: TestServers.hasNginx, TestServers.nginxReason))
        func `a part that may be there still is removed before a photo counts as delivered`() async throws {
            let server = try await start(.nginx)
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            let destination = destination(server.port)
            _ = try await destination.upload(photo)
            // The same folder, where no answer to DELETE comes.
            try FileManager.default.createSymbolicLink(
                at: server.folder.appending(path: "mute"), withDestinationURL: top(server))
            let mute = self.destination(server.port, path: "mute/")
            #expect(await mute.failure(photo)?.kind == .outage(retryAfterSeconds: nil))
            #expect(top(server).filesBelow.count == 2)
            #expect(try await destination.upload(photo).wasThere)
            #expect(top(server).filesBelow == [photo.remoteName])
        }

        @Test(.enabled(if: TestServers.hasPython, TestServers.pythonReason))
        func `a byte that changes on the way is noticed`() async throws {
            let server = try await start(.wsgidav)
            let photo = try TestPhotos.one(bytes: 500_000, in: scratch)
            let proxy = try await TestServer.faulty(
                .flip, after: 250_000, before: server.port, in: scratch)
            let destination = destination(proxy.port)
            #expect(await destination.failure(photo)?.kind == .transient)
            #expect(top(server).filesBelow == [])
            _ = try await destination.upload(photo)
            expectExactly([photo], in: top(server))
        }

        /// What of a hidden part comes after the last try stays; the folder shows none of it.
        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: TestServer.DAVKind.allCases)
        func `what comes late of a try whose line broke cuts and doubles no photo`(
            kind: TestServer.DAVKind
        ) async throws {
            let server = try await start(kind)
            let photos = try TestPhotos(40, names: ["IMG_N.JPG"], folders: [""], in: scratch)
            let proxy = try await TestServer.faulty(
                .late, after: 12_000, times: 60, before: server.port, in: scratch)
            let destination = destination(proxy.port)
            let receipts = try await destination.uploadAll(photos.items, atOnce: 8, attempts: 80)
            #expect(proxy.output.contains("struck"))
            #expect(receipts.map(\.remoteName) == photos.items.map(\.remoteName))
            let files = top(server).filesBelow
            for file in files where file.hasPrefix(".framefast-") {
                try FileManager.default.removeItem(at: top(server).appending(path: file))
            }
            expectExactly(photos.items, in: top(server))
        }

        /// As a late rest leaves it when it came between the proof and the move, and the line broke after that.
        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: TestServer.DAVKind.allCases, [true, false])
        func `a cut copy of an earlier try gives way to the photo, and nothing else does`(
            kind: TestServer.DAVKind, isOurs: Bool
        ) async throws {
            let server = try await start(kind)
            let destination = destination(server.port)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            var bytes = try Data(contentsOf: URL(filePath: photo.localPath)).prefix(20_000)
            if !isOurs { bytes[19_999] ^= 1 }
            var cut = photo
            (cut.jobID, cut.bytes, cut.sha256) = (2, 20_000, Hex.text(SHA256.hash(data: bytes)))
            cut.localPath = scratch.url.appending(path: "cut").path
            try bytes.write(to: URL(filePath: cut.localPath))
            _ = try await destination.upload(cut)
            var first = photo
            first.isFirstTry = true
            let suffixed = "photo #1-1.JPG"
            if !isOurs {
                #expect(try await destination.upload(photo).remoteName == suffixed)
            } else {
                // No try of ours can have left it: then it is somebody's.
                #expect(try await destination.upload(first).remoteName == suffixed)
                #expect(await destination.failure(photo)?.kind == .transient)
                #expect(try await destination.upload(photo).remoteName == photo.remoteName)
            }
            #expect(top(server).filesBelow == [photo.remoteName, suffixed])
            let there = top(server).appending(path: photo.remoteName)
            #expect(there.sha256 == (isOurs ? photo : cut).sha256)
        }

        @Test(.enabled(if: TestServers.hasNginx, TestServers.nginxReason))
        func `a server that stops reading counts as an outage`() async throws {
            let server = try await start(.nginx)
            let photo = try TestPhotos.one(bytes: 20_000_000, in: scratch)
            let proxy = try await TestServer.faulty(
                .stall, after: 1_000_000, before: server.port, in: scratch)
            let failure = await destination(proxy.port).failure(photo)
            #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(failure?.sentence ?? "")")
            #expect(!top(server).filesBelow.contains(photo.remoteName))
        }

        @Test(.enabled(if: TestServers.hasPython, TestServers.pythonReason))
        func `a wrong password is permanent, and Digest works`() async throws {
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
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: [
                ("full", UploadFailure.Kind.permanent(.full)), ("slow", .outage(retryAfterSeconds: nil)),
            ])
        func `a server that is full refuses, and one in trouble is away`(
            path: String, kind: UploadFailure.Kind
        )
            async throws
        {
            let server = try await start(.nginx)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            let failure = await destination(server.port, path: path).failure(photo)
            #expect(failure?.kind == kind)
            // The top has no name of its own.
            #expect(failure?.sentence.contains(", making its folder)") == true, "\(failure?.sentence ?? "")")
            #expect(failure?.sentence.contains("folder )") == false)
        }
    }
}
