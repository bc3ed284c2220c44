import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite(.programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason))
    struct S3DestinationTests {
        let scratch: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
        }

        private func start(_ kind: S3Server.Kind) async throws -> S3Server {
            try await S3Server.start(kind, in: scratch)
        }

        /// Returns the names of objects whose bytes differ from the photo.
        private func wrong(_ items: [UploadItem], _ settings: S3Settings) async throws -> [String] {
            let destination = S3Destination(settings)
            var wrong: [String] = []
            for item in items {
                let response = try await destination.client.read(destination.key(item.remoteName))
                if response.hashed?.sha256 != item.sha256 { wrong.append(item.remoteName) }
            }
            return wrong
        }

        private func keys(_ settings: S3Settings) async throws -> [String] {
            let response = try await S3Client(settings).send("GET", key: nil, query: [("list-type", "2")])
            return S3Response.elements("Contents", in: response.http.text).compactMap {
                S3Response.element("Key", in: $0)
            }
        }

        @Test(arguments: Tier.rows(S3Server.Kind.allCases, gate: [.moto]))
        func `uploads photos with unusual names to S3 without overwriting`(
            kind: S3Server.Kind
        ) async throws {
            let started = try await start(kind)
            let photos = try TestPhotos(36, in: scratch)
            let destination = S3Destination(started.settings)
            try await destination.probe()
            let receipts = try await destination.uploadAll(photos.items)
            #expect(receipts.allSatisfy { $0.proof == .checksum && !$0.alreadyExisted })
            #expect(receipts.map(\.remoteName) == photos.items.map(\.remoteName))
            #expect(try await wrong(photos.items, started.settings) == [], "[loss] wrong photo content")

            #expect(
                try await destination.uploadAll(Array(photos.items.prefix(12))).allSatisfy {
                    $0.alreadyExisted
                })
            let others = try TestPhotos(12, in: scratch)
            let numbered = try await destination.uploadAll(others.items)
            #expect(
                zip(numbered, others.items).allSatisfy {
                    $0.remoteName != $1.remoteName && !$0.alreadyExisted
                })
            #expect(
                try await wrong(photos.items, started.settings) == [], "[loss] an earlier photo is lost")
            try await destination.test()
            await destination.close()
        }

        /// moto returns the header without verifying the checksum. rclone ignores the header.
        @Test(
            arguments: Tier.rows(
                [(S3Server.Kind.seaweed, "sha256"), (.moto, "etag"), (.rclone, "etag")], gate: 1))
        func `relies on the checksum header only if the server refuses a wrong checksum`(
            kind: S3Server.Kind, proof: String
        ) async throws {
            let started = try await start(kind)
            let photos = try TestPhotos(3, in: scratch)
            let destination = S3Destination(started.settings)
            var receipts: [UploadReceipt] = []
            for item in photos.items { receipts.append(try await destination.upload(item) { _ in }) }
            #expect(receipts[0].evidence.hasPrefix("etag "))
            #expect(receipts[2].evidence.hasPrefix("\(proof) ") && receipts[2].proof == .checksum)
            #expect(try await keys(started.settings).count == 3, "no trial files are left")
            #expect(try await wrong(photos.items, started.settings) == [], "[loss] wrong photo content")
            await destination.close()
        }

        @Test(arguments: Tier.rows([S3Server.Kind.seaweed, .moto], gate: [.moto]))
        func `resumes a multipart upload at the interrupted part`(kind: S3Server.Kind)
            async throws
        {
            let started = try await start(kind)
            let photo = try TestPhotos.one(bytes: 22_000_000, name: "large +1.NEF", in: scratch)
            // The fault occurs in the third part.
            let proxy = try await TestServer.faulty(
                .reset, after: 13_000_000, times: 2, before: started.server.port, in: scratch)
            var settings = started.settings
            settings.endpoint = "http://127.0.0.1:\(proxy.port)"
            let destination = S3Destination(settings)
            let memory = Memory()
            let failure = await destination.failure(memory.attempt(photo))
            #expect(failure.isTriedAgain, "\(failure?.sentence ?? "")")
            let point = try JSONDecoder().decode(
                S3Multipart.ResumePoint.self, from: Data(try #require(memory.value).utf8))
            #expect(point.tags.count == 2)
            #expect(try await started.objects() == [:], "[loss] an object exists before the upload ends")

            let (sent, report) = AsyncStream.makeStream(of: UInt64.self)
            // The proxy may cause its second fault in this attempt. The photo is then sent once more.
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
            #expect(try #require(first) > 2 * (5 << 20), "the transfer restarted")
            #expect(receipt.proof == .checksum && receipt.evidence.hasSuffix("-5"), "\(receipt)")
            #expect(memory.value == nil)
            #expect(try await wrong([photo], started.settings) == [], "[loss] wrong photo content")
            #expect(try await destination.upload(photo).alreadyExisted)
            var other = try TestPhotos.one(bytes: 22_000_000, name: "large +1.NEF", in: scratch)
            other.jobID = 2
            let numbered = try await destination.upload(other)
            #expect(numbered.remoteName == "large +1-1.NEF", "\(numbered)")
        }

        @Test(.nightly("needs SeaweedFS; in the gate, another test of this suite resumes a large photo"))
        func `aborts orphaned multipart uploads and restarts an unknown upload`()
            async throws
        {
            let started = try await start(.seaweed)
            var settings = started.settings
            settings.orphanSeconds = 0
            let destination = S3Destination(settings)
            let photo = try TestPhotos.one(bytes: 13_000_000, name: "large.NEF", in: scratch)
            let key = destination.key(photo.remoteName)
            _ = try await destination.client.send(
                "POST", key: key, query: [("uploads", "")], body: UploadBody([]))
            var forgotten = photo
            let point = S3Multipart.ResumePoint(
                upload: "0123456789abcdef", name: photo.remoteName, partBytes: 5 << 20, sha256: photo.sha256,
                tags: [])
            forgotten.resumePoint = String(decoding: try JSONEncoder().encode(point), as: UTF8.self)
            #expect(try await destination.upload(forgotten).proof == .checksum)
            let left = try await destination.client.send(
                "GET", key: nil, query: [("uploads", ""), ("prefix", key)])
            #expect(!left.isRefused && left.element("UploadId") == nil)
        }

        @Test(arguments: Tier.rows([S3Server.Kind.seaweed, .moto], gate: [.moto]))
        func `detects a changed byte and removes the wrong S3 object`(kind: S3Server.Kind)
            async throws
        {
            let started = try await start(kind)
            let photo = try TestPhotos.one(bytes: 1_000_000, in: scratch)
            let proxy = try await TestServer.faulty(
                .flip, after: 500_000, before: started.server.port, in: scratch)
            var settings = started.settings
            settings.endpoint = "http://127.0.0.1:\(proxy.port)"
            let destination = S3Destination(settings)
            let failure = await destination.failure(photo)
            #expect(failure?.kind == .transient, "\(failure?.sentence ?? "")")
            #expect(try await started.objects() == [:], "[loss] wrong files at the destination")
            #expect(try await destination.upload(photo).remoteName == photo.remoteName)
            #expect(try await wrong([photo], started.settings) == [], "[loss] wrong photo content")
        }

        @Test(arguments: Tier.rows([S3Server.Kind.seaweed, .moto], gate: [.moto]))
        func `removes only the S3 object that it created`(kind: S3Server.Kind)
            async throws
        {
            let started = try await start(kind)
            let destination = S3Destination(started.settings)
            func put(_ text: String) async throws -> CurlResponse {
                try await destination.client.send("PUT", key: destination.key("a.JPG"), body: .text(text))
                    .http
            }
            let ours = try await put("ours")
            _ = try await put("somebody else's")
            let key = destination.key("a.JPG")
            await destination.removeOurs(key, version: nil, tag: ours.entityTag)
            await destination.removeOurs(key, version: nil, tag: nil)
            #expect(try await started.objects().count == 1, "[loss] another photo was deleted")
            let again = try await put("ours")
            await destination.removeOurs(key, version: nil, tag: again.entityTag)
            #expect(try await started.objects() == [:], "[loss] wrong files at the destination")
        }

        /// Another client's object with the same bytes has the same entity tag, but a different version.
        @Test(arguments: Tier.rows(["ours", "somebody else's"], gate: ["ours"]))
        func `removes only its own version in a versioned bucket`(later: String)
            async throws
        {
            let started = try await start(.moto)
            let destination = S3Destination(started.settings)
            let versioning = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            let enabled = try await destination.client.send(
                "PUT", key: nil, query: [("versioning", "")], body: .text(versioning))
            try #require(!enabled.isRefused, "\(enabled.http.text)")
            let key = destination.key("a.JPG")
            func put(_ text: String) async throws -> CurlResponse {
                try await destination.client.send("PUT", key: key, body: .text(text)).http
            }
            func status(_ version: String) async throws -> Int {
                try await destination.client.send("HEAD", key: key, query: [("versionId", version)]).http
                    .status
            }
            let (ours, theirs) = (try await put("ours"), try await put(later))
            let version = try #require(ours["x-amz-version-id"])
            let other = try #require(theirs["x-amz-version-id"])
            await destination.removeOurs(key, version: version, tag: ours.entityTag)
            #expect(try await status(version) == 404)
            #expect(try await status(other) == 200)
            #expect(try await started.objects().count == 1, "[loss] the other photo was deleted")
        }

        @Test(.nightly("needs SeaweedFS; in the gate, SigV4Tests covers the signature"))
        func `corrects a wrong clock from the server time`() async throws {
            let started = try await start(.seaweed)
            let photo = try TestPhotos.one(bytes: 100_000, in: scratch)
            for offset in [-1800.0, 1800] {
                var clock = HostClock.system
                clock.now = { Date().addingTimeInterval(offset) }
                let destination = S3Destination(started.settings, clock: clock)
                #expect(try await destination.upload(photo).proof == .checksum)
            }
        }

        @Test(
            .nightly("in the gate, WaitingUploadsTests and FailureTableTests cover these responses"),
            arguments: [
                ("wrong secret", UploadFailure.Reason.unauthorised), ("wrong key", .unauthorised),
                ("wrong bucket", .notFound),
            ])
        func `maps wrong S3 settings to failure reasons`(what: String, reason: UploadFailure.Reason)
            async throws
        {
            // SeaweedFS creates a missing bucket.
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
            #expect(failure?.kind == .permanent(reason), "\(failure?.sentence ?? "none")")
            #expect(failure?.nextStep != nil)
        }
    }
}
