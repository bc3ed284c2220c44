import Foundation
import Glibc
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite(.enabled(if: TestServers.hasPython, TestServers.pythonReason))
    struct S3DestinationTests {
        /// The servers, each strict in its own way.
        enum Kind: String, CaseIterable {
            /// Production software: digests, conditions, clock.
            case seaweed
            /// The strictest about signatures; checks no digest.
            case moto
            /// Directory-backed; ignores conditions.
            case rclone
        }

        struct Started {
            let server: TestServer
            let settings: S3Settings
        }

        private static let key = "AKFRAMEFAST0000000"
        private static let secret = "ffsecretffsecretffsecret"

        let scratch: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
        }

        private func settings(_ port: Int, _ key: String = key, _ secret: String = secret) -> S3Settings {
            S3Settings(
                endpoint: "http://127.0.0.1:\(port)", bucket: "ffb", prefix: "shoot #1/", accessKey: key,
                secretKey: Secret(secret), multipartFromBytes: 12 << 20, partBytes: 5 << 20,
                connection: ConnectionSettings(connectSeconds: 5, stallSeconds: 10))
        }

        private func start(_ kind: Kind) async throws -> Started {
            switch kind {
            case .seaweed: return try await startSeaweed()
            case .moto: return try await startMoto()
            case .rclone:
                let server = try await TestServer(
                    TestServers.bin.appending(path: "rclone"), in: scratch, name: "rclone-s3"
                ) { port, folder in
                    let bucket = folder.appending(path: "ffb")
                    try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
                    return [
                        "serve", "s3", "--config", "/dev/null", "--addr", "127.0.0.1:\(port)", "--auth-key",
                        "\(Self.key),\(Self.secret)", folder.path,
                    ]
                }
                return Started(server: server, settings: settings(server.port))
            }
        }

        private func startSeaweed() async throws -> Started {
            let users = scratch.url.appending(path: "s3.json")
            let json = """
                {"identities": [{"name": "ff", "actions": ["Admin", "Read", "List", "Write", "Tagging"],
                 "credentials": [{"accessKey": "\(Self.key)", "secretKey": "\(Self.secret)"}]}]}
                """
            try json.write(to: users, atomically: true, encoding: .utf8)
            let server = try await TestServer(
                TestServers.bin.appending(path: "weed"), in: scratch, name: "weed"
            ) {
                port, folder in
                // gRPC listens 10,000 above each of these unless told otherwise.
                let ports = try (0..<7).map { _ in try TestServers.freePort() }
                return [
                    "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-dir=\(folder.path)", "-s3",
                    "-s3.port=\(port)",
                    "-s3.config=\(users.path)", "-master.port=\(ports[0])", "-master.port.grpc=\(ports[1])",
                    "-volume.port=\(ports[2])", "-volume.port.grpc=\(ports[3])", "-filer.port=\(ports[4])",
                    "-filer.port.grpc=\(ports[5])", "-s3.port.grpc=\(ports[6])", "-volume.max=0",
                    "-volume.minFreeSpace=1GiB", "-master.volumeSizeLimitMB=512", "-metricsPort=0",
                ]
            }
            let settings = settings(server.port)
            let talk = S3Talk(settings) { Glibc.time(nil) }
            let probe = try TestPhotos.one(bytes: 1000, name: "first", in: scratch)
            // It answers before it can write.
            try await settled("SeaweedFS to take a file") {
                _ = try? await talk.send("PUT", key: nil)
                let answer = try? await talk.send("PUT", key: "first", body: .photo(try LocalFile(probe)))
                return answer?.isRefused == false
            }
            _ = try await talk.send("DELETE", key: "first")
            return Started(server: server, settings: settings)
        }

        private func startMoto() async throws -> Started {
            let server = try await TestServer(
                TestServers.bin.appending(path: "moto_server"), in: scratch, name: "moto",
                environment: ["INITIAL_NO_AUTH_ACTION_COUNT": "10"]
            ) { port, _ in ["-H", "127.0.0.1", "-p", String(port)] }
            let run = try await RunningProgram.run(
                TestServers.python,
                [TestServers.rig.appending(path: "strict_moto.py").path, String(server.port)],
                in: scratch)
            let words = run.output.split(whereSeparator: \.isWhitespace).map(String.init)
            try #require(run.status == 0 && words.count == 2, "\(run.output)")
            return Started(server: server, settings: settings(server.port, words[0], words[1]))
        }

        /// Asks again until it is so; every question is a request that takes its time.
        private func settled(_ what: String, _ look: () async -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(30)
            while await !look() {
                try #require(ContinuousClock.now < end, "waited for \(what)")
                try await Task.sleep(for: .milliseconds(100))
            }
        }

        /// Names whose remote bytes are not the photo's.
        private func wrong(_ items: [UploadItem], _ settings: S3Settings) async throws -> [String] {
            let destination = S3Destination(settings)
            var wrong: [String] = []
            for item in items {
                let answer = try await destination.talk.read(destination.key(item.remoteName))
                if answer.hashed?.sha256 != item.sha256 { wrong.append(item.remoteName) }
            }
            return wrong
        }

        /// Keys in the bucket.
        private func keys(_ settings: S3Settings) async throws -> Set<String> {
            let answer = try await S3Talk(settings) { Glibc.time(nil) }
                .send("GET", key: nil, query: [("list-type", "2")])
            return Set(
                S3Answer.elements("Contents", in: answer.answer.text).compactMap {
                    S3Answer.element("Key", in: $0)
                })
        }

        @Test(arguments: Kind.allCases)
        func `a hundred photos with odd names arrive whole, are known again, and none is replaced`(
            kind: Kind
        ) async throws {
            let started = try await start(kind)
            let photos = try TestPhotos(100, in: scratch)
            let destination = S3Destination(started.settings)
            try await destination.probe()
            let receipts = try await destination.uploadAll(photos.items)
            #expect(receipts.allSatisfy { $0.proof == .checksum && !$0.wasThere })
            #expect(receipts.map(\.remoteName) == photos.items.map(\.remoteName))
            #expect(try await wrong(photos.items, started.settings) == [])

            #expect(
                try await destination.uploadAll(Array(photos.items.prefix(12))).allSatisfy { $0.wasThere })
            let others = try TestPhotos(12, in: scratch)
            let numbered = try await destination.uploadAll(others.items)
            #expect(zip(numbered, others.items).allSatisfy { $0.remoteName != $1.remoteName && !$0.wasThere })
            #expect(try await wrong(photos.items, started.settings) == [], "the first ones are still there")
            try await destination.test()
            await destination.close()
        }

        /// moto repeats the header and looks at nothing; rclone knows nothing of it.
        @Test(arguments: [(Kind.seaweed, "sha256"), (.moto, "etag"), (.rclone, "etag")])
        func `the recorded checksum is enough for a server that was seen to refuse a wrong one`(
            kind: Kind, proof: String
        ) async throws {
            let started = try await start(kind)
            let photos = try TestPhotos(3, in: scratch)
            let destination = S3Destination(started.settings)
            var receipts: [UploadReceipt] = []
            for item in photos.items { receipts.append(try await destination.upload(item) { _ in }) }
            #expect(receipts[0].evidence.hasPrefix("etag "))
            #expect(receipts[2].evidence.hasPrefix("\(proof) ") && receipts[2].proof == .checksum)
            #expect(try await keys(started.settings).count == 3, "nothing of the trial is left")
            #expect(try await wrong(photos.items, started.settings) == [])
            await destination.close()
        }

        @Test(arguments: [Kind.seaweed, .moto])
        func `a large photo goes in parts, and goes on with the part that was cut`(kind: Kind) async throws {
            let started = try await start(kind)
            let photo = try TestPhotos.one(bytes: 22_000_000, name: "large +1.NEF", in: scratch)
            // Strikes in the third part.
            let proxy = try await TestServer.faulty(
                "reset", after: 13_000_000, times: 2, before: started.server.port, in: scratch)
            var settings = started.settings
            settings.endpoint = "http://127.0.0.1:\(proxy.port)"
            let destination = S3Destination(settings)
            let memory = Memory()
            let failure = await destination.failure(memory.attempt(photo))
            #expect(failure.isTriedAgain, "\(failure?.sentence ?? "")")
            let point = try JSONDecoder().decode(
                S3Multipart.ResumePoint.self, from: Data(try #require(memory.value).utf8))
            #expect(point.tags.count == 2)
            #expect(try await keys(started.settings) == [], "nothing under the photo's name")

            let (sent, report) = AsyncStream.makeStream(of: UInt64.self)
            // The second strike may hit this attempt.
            let receipt: UploadReceipt
            do throws(UploadFailure) {
                receipt = try await destination.upload(memory.attempt(photo)) { report.yield($0) }
            } catch {
                #expect(error.kind != .cancelled)
                receipt = try await destination.upload(memory.attempt(photo)) { report.yield($0) }
            }
            report.finish()
            var first: UInt64?
            for await bytes in sent where first == nil { first = bytes }
            #expect(try #require(first) > 2 * (5 << 20), "it went on, and did not begin anew")
            #expect(receipt.proof == .checksum && receipt.evidence.hasSuffix("-5"), "\(receipt)")
            #expect(memory.value == nil)
            #expect(try await wrong([photo], started.settings) == [])
            #expect(try await destination.upload(photo).wasThere)
            var other = try TestPhotos.one(bytes: 22_000_000, name: "large +1.NEF", in: scratch)
            other.jobID = 2
            let numbered = try await destination.upload(other)
            #expect(numbered.remoteName == "large +1-1.NEF", "\(numbered)")
        }

        @Test func `unfinished uploads of a crash are given up, and a forgotten one begins anew`()
            async throws
        {
            let started = try await start(.seaweed)
            var settings = started.settings
            settings.orphanSeconds = 0
            let destination = S3Destination(settings)
            let photo = try TestPhotos.one(bytes: 13_000_000, name: "large.NEF", in: scratch)
            let key = destination.key(photo.remoteName)
            _ = try await destination.talk.send(
                "POST", key: key, query: [("uploads", "")], body: UploadBody([]))
            var forgotten = photo
            let point = S3Multipart.ResumePoint(
                upload: "0123456789abcdef", name: photo.remoteName, partBytes: 5 << 20, sha256: photo.sha256,
                tags: [])
            forgotten.resumePoint = String(decoding: try JSONEncoder().encode(point), as: UTF8.self)
            #expect(try await destination.upload(forgotten).proof == .checksum)
            let left = try await destination.talk.send(
                "GET", key: nil, query: [("uploads", ""), ("prefix", key)])
            #expect(!left.isRefused && left.element("UploadId") == nil)
        }

        @Test(arguments: [Kind.seaweed, .moto])
        func `a byte that changes on the way is noticed, and nothing wrong stays`(kind: Kind) async throws {
            let started = try await start(kind)
            let photo = try TestPhotos.one(bytes: 1_000_000, in: scratch)
            let proxy = try await TestServer.faulty(
                "flip", after: 500_000, before: started.server.port, in: scratch)
            var settings = started.settings
            settings.endpoint = "http://127.0.0.1:\(proxy.port)"
            let destination = S3Destination(settings)
            let failure = await destination.failure(photo)
            #expect(failure?.kind == .faulty, "\(failure?.sentence ?? "")")
            #expect(try await keys(started.settings) == [])
            #expect(try await destination.upload(photo).remoteName == photo.remoteName)
            #expect(try await wrong([photo], started.settings) == [])
        }

        @Test(arguments: [10, 50, 90])
        func `a connection that breaks in the middle leaves nothing under a photo's name`(percent: Int)
            async throws
        {
            let started = try await start(.rclone)
            let photo = try TestPhotos.one(bytes: 2_000_000, in: scratch)
            let proxy = try await TestServer.faulty(
                "reset", after: 20_000 * percent, before: started.server.port, in: scratch)
            var settings = started.settings
            settings.endpoint = "http://127.0.0.1:\(proxy.port)"
            let destination = S3Destination(settings)
            let failure = await destination.failure(photo)
            #expect(failure.isTriedAgain, "\(failure?.sentence ?? "")")
            let left = try await keys(started.settings)
            #expect(failure == nil || left == [])
            #expect(try await destination.uploadUntilDone(photo, Memory()).remoteName == photo.remoteName)
            #expect(try await wrong([photo], started.settings) == [])
        }

        @Test func `a wrong clock is corrected once`() async throws {
            let started = try await start(.seaweed)
            let photo = try TestPhotos.one(bytes: 100_000, in: scratch)
            for offset in [-1800, 1800] {
                let destination = S3Destination(started.settings) { Glibc.time(nil) + offset }
                #expect(try await destination.upload(photo).proof == .checksum)
            }
        }

        @Test(arguments: [
            ("wrong secret", UploadFailure.Reason.unauthorised), ("wrong key", .unauthorised),
            ("wrong bucket", .notFound),
        ])
        func `wrong settings have their reason`(what: String, reason: UploadFailure.Reason) async throws {
            // SeaweedFS makes a bucket that is not there.
            let started = try await start(what == "wrong bucket" ? .moto : .seaweed)
            var settings = started.settings
            switch what {
            case "wrong secret": settings.secretKey = Secret("no")
            case "wrong key": settings.accessKey = "AKNOBODY"
            default: settings.bucket = "not-there"
            }
            let photo = try TestPhotos.one(bytes: 1000, in: scratch)
            settings.keyCheck = .ifNoneMatch
            let failure = await S3Destination(settings).failure(photo)
            #expect(failure?.kind == .hopeless(reason), "\(failure?.sentence ?? "none")")
            #expect(failure?.nextStep != nil)
        }
    }
}

extension S3Talk {
    /// Hash of what stands under a key.
    func read(_ key: String) async throws(UploadFailure) -> CurlAnswer {
        try await send("GET", key: key, sink: .hashed).answer
    }
}
