import Foundation
import FrameFastModel
import FrameFastSystem
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite(.programs(2), .enabled(if: TestServers.hasPython, TestServers.pythonReason))
    struct HTTPDestinationTests {
        let scratch: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
        }

        func destination(
            _ port: Int, _ path: String, clock: HostClock = .system,
            _ change: (inout HTTPSettings) -> Void = { _ in }
        ) -> HTTPDestination {
            var settings = HTTPSettings(
                url: "http://127.0.0.1:\(port)/\(path)",
                connection: ConnectionSettings(
                    connectSeconds: TestLimits.connectSeconds, stallSeconds: TestLimits.stallSeconds))
            change(&settings)
            return HTTPDestination(settings, clock: clock)
        }

        /// Returns the path of the file for a name. http_server.py stores a name with `/` as one file.
        func kept(_ server: TestServer, _ name: String) -> URL {
            URL(filePath: server.folder.path + "/" + name.replacing("/", with: "\u{2215}"))
        }

        @Test(arguments: Tier.rows(["files", "md5"], gate: ["files"]))
        func `uploads photos with unusual names by PUT`(kind: String) async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photos = try TestPhotos(36, in: scratch)
            let receipts = try await destination(server.port, "\(kind)/{name}").uploadAll(photos.items)
            #expect(receipts.allSatisfy { $0.proof == .checksum && !$0.alreadyExisted })
            #expect(
                photos.items.filter { kept(server, $0.remoteName).sha256 != $0.sha256 }.map(\.remoteName)
                    == [], "[loss] wrong photo content")
        }

        @Test func `skips the same photo and adds a number for a different photo`() async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let (photo, other) = try (
                TestPhotos.one(bytes: 5000, in: scratch), TestPhotos.one(bytes: 5000, in: scratch)
            )
            let destination = destination(server.port, "files/{name}")
            #expect(try await destination.upload(photo).alreadyExisted == false)
            #expect(try await destination.upload(photo).alreadyExisted)
            let receipt = try await destination.upload(other)
            #expect(receipt.remoteName == "photo #1-1.JPG")
            #expect(kept(server, "photo #1.JPG").sha256 == photo.sha256, "[loss] wrong photo content")
            #expect(kept(server, "photo #1-1.JPG").sha256 == other.sha256, "[loss] wrong photo content")
        }

        @Test(.nightly("in the gate, the test with a changed copy expects the same requests"))
        func `sends two requests for each photo after the trial`()
            async throws
        {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let destination = destination(server.port, "files/{name}")
            let photos = try TestPhotos(4, in: scratch).items.map { photo in
                var item = photo.of(station: "k7f2q9wd")
                item.isFirstTry = true
                return item
            }
            let memory = Memory()
            for photo in photos {
                let receipt = try await destination.upload(memory.attempt(photo))
                #expect(receipt.proof == .checksum && receipt.evidence.hasSuffix("read back"))
                #expect(receipt.remoteName == RemoteName.unique(photo))
                #expect(
                    kept(server, receipt.remoteName).sha256 == photo.sha256, "[loss] wrong photo content")
            }
            #expect(
                server.requests == ["PUT", "HEAD", "GET"]
                    + Array(repeating: ["PUT", "GET"], count: 3).joined())
            #expect(memory.value == nil)
        }

        @Test(.nightly("in the gate, another test of this suite skips a stored photo"))
        func `checks the name before a retry and skips a stored photo`() async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let destination = destination(server.port, "files/{name}")
            var photo = try TestPhotos.one(bytes: 5000, in: scratch).of(station: "k7f2q9wd")
            photo.isFirstTry = true
            #expect(try await !destination.upload(photo).alreadyExisted)
            photo.isFirstTry = false
            #expect(try await destination.upload(photo).alreadyExisted)
            #expect(server.requests == ["PUT", "HEAD", "GET", "HEAD", "GET"])
        }

        @Test func `detects a changed copy by reading the copy back`() async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let destination = destination(server.port, "files/{name}")
            for (name, kind) in [("a.JPG", UploadFailure.Kind?.none), ("flip.JPG", .transient)] {
                var photo = try TestPhotos.one(bytes: 5000, name: name, in: scratch).of(station: "k7f2q9wd")
                photo.isFirstTry = true
                #expect(await destination.failure(photo)?.kind == kind)
            }
            #expect(server.requests == ["PUT", "HEAD", "GET", "PUT", "GET"])
        }

        @Test func `posts a form with the photo and other fields`() async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 300_000, name: "a \"b\" é.JPG", in: scratch)
            let destination = destination(server.port, "form") {
                $0.method = .form(file: "photo", fields: [HTTPHeader("camera", "c-{CAMERA}")])
            }
            #expect(try await destination.upload(photo).proof == .word)
            #expect(server.folder.filesBelow.count == 1, "[loss] wrong files at the destination")
            let file = try #require(server.folder.filesBelow.first, "[loss] wrong files at the destination")
            #expect(kept(server, file).sha256 == photo.sha256, "[loss] wrong photo content")
        }

        @Test func `uploads to a presigned URL without credentials and polls its state`() async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            let pauses = SkippedPauses()
            let destination = destination(server.port, "presign", clock: pauses.clock) {
                $0.credentials = .bearer(Secret("ff"))
                $0.method = .presigned(
                    PresignSettings(
                        urlField: "upload.url", headersField: "upload.headers", idField: "upload.id",
                        statusURL: "http://127.0.0.1:\(server.port)/state/{id}", stateField: "upload.state"))
            }
            let memory = Memory()
            let receipt = try await destination.upload(memory.attempt(photo))
            #expect(receipt.proof == .word && receipt.evidence == "state completed")
            #expect(memory.value == nil && pauses.seconds == [2])
            #expect(kept(server, photo.remoteName).sha256 == photo.sha256, "[loss] wrong photo content")
        }

        /// The URL in `status_url` is wrong, or the server has lost every upload.
        @Test func `sends a photo at most twice when its state is unknown`() async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            let destination = destination(server.port, "presign") {
                $0.method = .presigned(
                    PresignSettings(
                        urlField: "upload.url", headersField: "upload.headers", idField: "upload.id",
                        statusURL: "http://127.0.0.1:\(server.port)/nowhere/{id}"))
            }
            let memory = Memory()
            var kinds: [UploadFailure.Kind?] = []
            for _ in 0..<4 { kinds.append(await destination.failure(memory.attempt(photo))?.kind) }
            let never = UploadFailure.Kind.permanent(.unprocessable)
            #expect(kinds == [.transient, never, never, never])
            #expect(server.requests == ["POST", "PUT", "GET", "POST", "PUT", "GET", "GET", "GET"])
            let failure = try #require(await destination.failure(memory.attempt(photo)))
            #expect(failure.step == .complete && failure.sentence.contains("'status_url' (status 404)"))
            #expect(failure.nextStep?.contains("'status_url'") == true)
            // A retry would request the state of the same upload.
            #expect(failure.nextStep?.contains("add the photo again") == true)
        }

        /// `FailureTableTests` covers every status. These rows test that the server's response reaches the
        /// mapping.
        private static let refusals = [
            ("status/500/x", UploadFailure.Kind.outage(retryAfterSeconds: nil)),
            ("status/429/x", .outage(retryAfterSeconds: 7)), ("status/503/x", .outage(retryAfterSeconds: 7)),
            ("status/507/x", .permanent(.full)), ("auth/x", .permanent(.unauthorised)),
            ("status/413/x", .permanent(.tooLarge)), ("status/302/x", .permanent(.misconfigured)),
            ("silent/x", .outage(retryAfterSeconds: nil)), ("huge/x", .outage(retryAfterSeconds: nil)),
            ("files/{oops}", .permanent(.misconfigured)), ("flip/x", .transient),
        ]

        @Test(arguments: Tier.rows(refusals, gate: [refusals[1], refusals[7]]))
        func `maps refusals and silence of an HTTP server to failure kinds`(
            path: String, kind: UploadFailure.Kind
        ) async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            let failure = await destination(server.port, path) {
                $0.checksNameFirst = false
                if path == "silent/x" { $0.connection.stallSeconds = 2 }
            }.failure(photo)
            #expect(failure?.kind == kind, "\(failure?.sentence ?? "none")")
            #expect(failure?.sentence.hasSuffix(".") == true)
        }

        @Test(.nightly("in the gate, WaitingUploadsTests and RefusalTests log in"))
        func `authenticates with a password or a bearer token`() async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 5000, in: scratch)
            let named = destination(server.port, "auth/{name}") {
                $0.credentials = .password(user: "ff", password: Secret("ff"))
            }
            #expect(try await named.upload(photo).proof == .checksum)
            let token = destination(server.port, "bearer/b-{name}") { $0.credentials = .bearer(Secret("ff")) }
            #expect(try await token.upload(photo).proof == .checksum)
        }

        /// The existing file under the name that an earlier attempt recorded.
        enum ExistingFile: String, CaseIterable {
            case ownPart, shortPart, otherPhoto, otherOfSameSize, nothing
        }

        /// The first attempt received 503 and stored nothing, or was interrupted. Another installation may
        /// have stored its photo under the same name.
        @Test(
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason),
            arguments: Tier.rows(ExistingFile.allCases, gate: [.ownPart, .otherPhoto]),
            Tier.rows(["rig", "wsgidav", "nginx"], gate: 1))
        func `replaces only its own part when retrying a PUT`(
            existing: ExistingFile, kind: String
        ) async throws {
            let server =
                switch kind {
                case "rig": try await TestServer.python("http_server.py", in: scratch)
                case "nginx": try await TestServer.webDAV(.nginx, in: scratch)
                default: try await TestServer.webDAV(.wsgidav, in: scratch)
                }
            let prefix = ["rig": "files/", "nginx": "put/"][kind] ?? ""
            let photo = try TestPhotos.one(bytes: 300_000, name: "a.JPG", in: scratch)
            let other = try TestPhotos.one(bytes: 300_000, name: "a.JPG", in: scratch)
            let ours = try Data(contentsOf: URL(filePath: photo.localPath))
            let there: Data? =
                switch existing {
                case .ownPart: ours.prefix(200_000)
                // All photos of one camera have the same first bytes.
                case .shortPart: ours.prefix(1_000)
                case .otherPhoto: Data("another photo".utf8)
                case .otherOfSameSize: try Data(contentsOf: URL(filePath: other.localPath))
                case .nothing: nil
                }
            let top = server.folder.path + (kind == "nginx" ? "/put" : "")
            try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
            try there?.write(to: URL(filePath: top + "/a.JPG"))
            let destination = destination(server.port, prefix + "{name}") {
                $0.credentials = .password(user: "ff", password: Secret("ff"))
            }
            var again = photo
            again.resumePoint = "put a.JPG"
            let receipt = try await destination.upload(again)
            let isFree = existing == .ownPart || existing == .nothing
            #expect(receipt.remoteName == (isFree ? "a.JPG" : "a-1.JPG"))
            #expect(
                URL(filePath: "\(top)/\(receipt.remoteName)").sha256 == photo.sha256,
                "[loss] wrong photo content")
            if !isFree {
                #expect(
                    try Data(contentsOf: URL(filePath: top + "/a.JPG")) == there,
                    "[loss] a foreign file was replaced")
            }
            // Only this upload creates the unique name, so the file belongs to this upload.
            if kind != "wsgidav" {
                let own = photo.of(station: "k7f2q9wd")
                try there?.write(to: URL(filePath: "\(top)/\(RemoteName.unique(own))"))
                let receipt = try await destination.upload(own)
                #expect(receipt.remoteName == RemoteName.unique(own))
                #expect(
                    URL(filePath: "\(top)/\(receipt.remoteName)").sha256 == photo.sha256,
                    "[loss] wrong photo content")
            }
            // Without a recorded attempt, an existing file does not belong to this upload.
            guard existing == .ownPart else { return }
            try there?.write(to: URL(filePath: top + "/b.JPG"))
            var fresh = photo
            fresh.remoteName = "b.JPG"
            #expect(try await destination.upload(fresh).remoteName == "b-1.JPG")
        }

        @Test(
            .nightly("in the gate, BrokenLineTests breaks the connection of a PUT"), arguments: [10, 50, 90])
        func `replaces the part of its earlier PUT after a broken connection`(
            percent: Int
        ) async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 2_000_000, in: scratch)
            let proxy = try await TestServer.faulty(
                .reset, after: 20_000 * percent, before: server.port, in: scratch)
            let destination = destination(proxy.port, "files/{name}")
            let memory = Memory()
            let failure = await destination.failure(memory.attempt(photo))
            #expect(failure.isTriedAgain, "\(failure?.sentence ?? "")")
            let receipt = try await destination.uploadUntilDone(photo, memory)
            #expect(receipt.remoteName == photo.remoteName)
            #expect(server.folder.filesBelow.count == 1, "[loss] wrong files at the destination")
            #expect(kept(server, photo.remoteName).sha256 == photo.sha256, "[loss] wrong photo content")
        }
    }
}
