import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests with servers that refuse an optional feature of uploads. Each photo must be stored once, and its
    /// bytes must be sent once.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(30)))
    struct NastyServerTests {
        /// A server from a public bug report, or a server that refuses one feature with one response.
        struct Case: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var kind: NastyServer.Kind
            var rules: [ServerFaultRule]
            var bytes = 200_000
            /// The largest number of leftover files on a server that does not delete files.
            var keepsLeftovers = 0
            /// The highest allowed ratio of sent bytes to photo bytes. Bytes that an interrupted transfer
            /// must send again are not included.
            var bytesMax = 1.05
            /// Whether the server can resume a file.
            var continues = true
            /// The largest number of concurrent uploads.
            var workers = 16
            /// Whether SFTP reads each photo back.
            var readsBack = false
            /// The response that the server must send at least once, or `nil` if no response is required.
            var expectsAnswer: String?
            /// The number of photos.
            static let photos = 5

            init(
                _ name: String, _ kind: NastyServer.Kind, _ rules: ServerFaultRule..., bytes: Int = 200_000,
                keepsLeftovers: Int = 0
            ) {
                self.init(name, kind, rules, bytes: bytes, keepsLeftovers: keepsLeftovers)
            }

            init(
                _ name: String, _ kind: NastyServer.Kind, _ rules: [ServerFaultRule], bytes: Int = 200_000,
                keepsLeftovers: Int = 0
            ) {
                testDescription = name
                self.kind = kind
                self.rules = rules
                self.bytes = bytes
                self.keepsLeftovers = keepsLeftovers
            }
        }

        /// The servers from public bug reports.
        static let reported = [
            Case(
                "Nextcloud refuses .part", .webDAV,
                ServerFaultRule("PUT", name: #"\.part$"#, answer: 400, message: "Invalid name: .part")),
            Case(
                "Ceph refuses checksums with 400", .s3,
                ServerFaultRule(
                    "PUT", header: "^x-amz-checksum", answer: 400, message: "Unsupported header")),
            Case(
                "a gateway refuses checksums with 501", .s3,
                ServerFaultRule(
                    "PUT", header: "^x-amz-checksum", answer: 501, message: "A header you provided",
                    code: "NotImplemented")),
            Case("a drop box refuses RNFR", .ftp, ServerFaultRule("RNFR", answer: 550)),
            Case("a drop box refuses RETR", .ftp, ServerFaultRule("RETR", answer: 550)),
            Case("a drop box refuses SIZE", .ftp, ServerFaultRule("SIZE", answer: 550)),
            Case(
                "a drop box refuses all but STOR", .ftp,
                ServerFaultRule("RNFR", "RETR", "SIZE", "MDTM", "DELE", "APPE", answer: 550),
                keepsLeftovers: 2),
            Case(
                "nginx refuses hidden names", .webDAV, ServerFaultRule(name: #"(^|/)\."#, answer: 403)),
            Case(
                "vsftpd deny_file refuses hidden names", .ftp, ServerFaultRule(name: #"(^|/)\."#, answer: 553)
            ),
            Case("SFTP refuses hidden names", .sftp, ServerFaultRule("open-write", name: #"/\."#, answer: 3)),
            Case(
                "a TLS proxy breaks absolute destinations", .webDAV,
                ServerFaultRule("MOVE", header: "^Destination: https?:", answer: 502)),
            Case("SFTP without fsync", .sftp, ServerFaultRule("fsync", answer: 4)),
            Case("SFTP does not know fsync", .sftp, ServerFaultRule("fsync", answer: 8)),
            Case(
                "SFTP announces limits but does not support the request", .sftp,
                ServerFaultRule("limits", answer: 8)),
            Case("SFTP announces limits but fails the request", .sftp, ServerFaultRule("limits", answer: 4)),
            Case(
                "rclone loses the answer to a rename", .rclone,
                ServerFaultRule("MOVE", name: "[0-9a-f]{16}-", first: 1, answer: 400).afterExecuting),
            Case(
                "WebDAV loses the answer to a rename", .webDAV,
                ServerFaultRule("MOVE", name: "[0-9a-f]{16}-", first: 1, answer: 502).afterExecuting),
            Case(
                "FTP loses the answer to a rename", .ftp,
                ServerFaultRule("RNTO", name: "[0-9a-f]{8}-", first: 1, answer: 0).afterExecuting.dropping),
            Case(
                "FTP loses the answer to a rename, and returns no files", .ftp,
                ServerFaultRule("RETR", answer: 550),
                ServerFaultRule("RNTO", name: "[0-9a-f]{8}-", first: 1, answer: 0).afterExecuting.dropping),
            Case(
                "WebDAV loses the answer to a rename, and returns no files", .webDAV,
                ServerFaultRule("GET", answer: 403),
                ServerFaultRule("MOVE", name: "[0-9a-f]{16}-", first: 1, answer: 502).afterExecuting),
            Case(
                "FTP reports no size or time, and replies 450 for a missing file", .ftp,
                ServerFaultRule("SIZE", "MDTM", answer: 502),
                ServerFaultRule("RETR", exists: false, answer: 450)),
            Case("FTP refuses to replace a file", .ftp, ServerFaultRule("STOR", exists: true, answer: 553)),
            Case(
                "FTP closes the connection at SIZE, and refuses to replace a file", .ftp,
                ServerFaultRule("SIZE", answer: 0).dropping,
                ServerFaultRule("STOR", exists: true, answer: 553)),
            Case(
                "HTTP closes the connection at DELETE", .http, ServerFaultRule("DELETE", answer: 0).dropping,
                keepsLeftovers: 1),
            Case(
                "S3 closes the connection at DELETE", .s3, ServerFaultRule("DELETE", answer: 0).dropping,
                keepsLeftovers: 1),
            Case(
                "WebDAV closes the connection at MKCOL", .webDAV,
                ServerFaultRule("MKCOL", answer: 0).dropping),
            Case("WebDAV does not know MKCOL", .webDAV, ServerFaultRule("MKCOL", answer: 501)),
            NastyFeatures.row(.sftp, .resume, 8), NastyFeatures.row(.sftp, .resume, 3),
            // If the key has no list permission, AWS responds with 403 to the HEAD of a missing object.
            Case("S3 key without list permission, multipart upload", .s3, unlisted, bytes: 7 << 20),
            Case(
                "S3 key without list permission, and no conditions", .s3,
                unlisted + [ServerFaultRule(header: "^If-None-Match", answer: 501)], bytes: 400_000),
            // Fastly encrypts all objects, see issue 8473 of rclone.
            Case("S3 with entity tags that are not MD5s", .s3, ServerFaultRule(answer: 0).withOtherTags),
            Case(
                "S3 with entity tags that are not MD5s, multipart upload", .s3,
                ServerFaultRule(answer: 0).withOtherTags, bytes: 7 << 20),
        ]

        /// The rules for a key that may read and write objects, but not list the bucket.
        private static let unlisted = [
            ServerFaultRule("HEAD", exists: false, answer: 403),
            ServerFaultRule("GET", name: "^ffb/?$", answer: 403, code: "AccessDenied"),
        ]

        static let gate: Set<String> = [
            "Nextcloud refuses .part", "Ceph refuses checksums with 400", "a drop box refuses all but STOR",
            "SFTP refuses hidden names", "sftp refuses resume with 3",
            "a TLS proxy breaks absolute destinations", "SFTP without fsync",
            "FTP reports no size or time, and replies 450 for a missing file",
            "rclone loses the answer to a rename", "S3 key without list permission, multipart upload",
            "S3 with entity tags that are not MD5s",
        ]

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(arguments: Tier.rows(reported, gate: reported.filter { gate.contains($0.testDescription) }))
        func `delivers each photo once to a server from a bug report`(row: Case) async throws {
            try await Self.expectDelivery(row, in: scratch)
        }

        @Test(arguments: Tier.rows(NastyFeatures.all, gate: NastyFeatures.gate))
        func `delivers each photo once to a server without one feature`(row: Case) async throws {
            try await Self.expectDelivery(row, in: scratch)
        }

        /// A template may give several photos the same name.
        @Test(
            .nightly("in the gate, another test of this suite covers the same servers without a template"),
            arguments: [NastyServer.Kind.webDAV, .http, .s3, .ftp, .sftp, .rclone])
        func `delivers each photo once under names from a template`(kind: NastyServer.Kind) async throws {
            for feature in NastyFeatures.features(kind) where feature != .resume {
                let answer = NastyFeatures.answers(kind)[0]
                try await Self.expectDelivery(
                    NastyFeatures.row(kind, feature, answer), isNameChosen: true, in: try ScratchFolder())
            }
        }

        /// ownCloud Infinite Scale processes a new file after its response to the PUT.
        @Test func `waits until the server has processed a new file`() async throws {
            let rules = ["GET", "MOVE"].map {
                ServerFaultRule($0, name: "framefast-trial", first: 2, answer: 425)
            }
            let server = try await NastyServer(.webDAV, rules, in: scratch)
            let memory = DestinationMemory()
            let pauses = SkippedPauses()
            let destination = try server.destination(memory: memory, clock: pauses.clock)
            let photo = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
            let receipt = try await destination.upload(photo)
            #expect(pauses.seconds == [0.25, 0.5, 0.25, 0.5])
            #expect(receipt.proof == .checksum)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            #expect(memory.offers(.readBack) && memory.offers(.rename))
            #expect(server.requests.count { $0.answer == "425" } == 4, "\(server.requests)")
            await destination.close()
        }

        /// Versions of lighttpd before 1.4.46 and some proxies refuse the header, and close the connection.
        @Test func `sends a large photo to a server that refuses Expect`() async throws {
            let server = try await NastyServer(
                .webDAV, [ServerFaultRule("EXPECT", answer: 417)], in: scratch)
            let photo = try TestPhotos.one(bytes: 33 << 20, name: "a.NEF", in: scratch)
            let destination = try server.destination()
            let receipt = try await destination.upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            #expect(server.requests.count { $0.verb == "EXPECT" } == 1, "\(server.requests)")
            await destination.close()
        }

        @Test func `covers each feature of each kind with a refusing server`() {
            for kind in NastyServer.Kind.allCases {
                let features = NastyFeatures.features(kind)
                #expect(!features.isEmpty, "\(kind)")
                for feature in features {
                    #expect(
                        !NastyFeatures.rules(kind, without: feature, answer: 400).isEmpty,
                        "\(kind) without \(feature)")
                }
            }
            let all = Set(NastyServer.Kind.allCases.flatMap(NastyFeatures.features))
            #expect(all == Set(DestinationFeature.allCases), "a feature that no kind declares")
        }

        @Test func `reports refused features in a manual test and stores them`() async throws {
            let rule = ServerFaultRule(
                "PUT", name: #"\.part$"#, answer: 400, message: "No partial files, please")
            let server = try await NastyServer(.webDAV, [rule], in: scratch)
            let uploads = try await WaitingUploads(1, in: scratch)
            let memory = DestinationMemory(configuration: "url")
            try await uploads.running(try server.destination(memory: memory), memory: memory) { service in
                let advice = try await service.test("place")
                #expect(
                    advice?.contains(
                        "Without temporary names that end in .part: temporary names have no extension.")
                        == true,
                    "\(advice ?? "")")
                func refusals() -> Int { server.requests.count { $0.answer == "400" } }
                let before = refusals()
                #expect(before > 0)
                _ = try await service.test("place")
                #expect(refusals() == before, "a test keeps the learned features")
                try await service.relearn("place")
                #expect(memory.capabilities.observations.isEmpty)
                _ = try await service.test("place")
                #expect(refusals() > before, "after the features are forgotten, all are tried again")
            }
            let kept = try #require(
                try await uploads.store.uploadSetting(DestinationRunner.memoryKey("place")).flatMap {
                    DestinationCapabilities(text: $0)
                })
            #expect(kept[.partNames]?.reason?.contains("No partial files, please") == true)
            #expect(kept.temporaryName == .bare)
        }

        /// Uploads photos to the server of a row, with unique names or names from a template. Then checks the
        /// result.
        static func expectDelivery(
            _ row: Case, isNameChosen: Bool = false, in scratch: ScratchFolder,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let server = try await NastyServer(row.kind, row.rules, in: scratch)
            let uploads = try await WaitingUploads(Case.photos, bytes: row.bytes, in: scratch)
            let destination = try server.destination(readsBack: row.readsBack)
            try await uploads.running(
                destination, isNameChosen: isNameChosen, workers: row.workers
            ) { _ in
                try? await eventually("all photos to be delivered", within: 40) {
                    uploads.outcome.delivered.count + uploads.outcome.failed.count == uploads.count
                        ? () : nil
                }
            }
            if let answer = row.expectsAnswer {
                #expect(
                    server.requests.contains { $0.answer == answer }, "no request was refused",
                    sourceLocation: sourceLocation)
            }
            let outcome = uploads.outcome
            let said = Comment(rawValue: "\(outcome.failed) \(outcome.conditions)")
            #expect(outcome.failed == [], "[loss] failed", sourceLocation: sourceLocation)
            #expect(outcome.delivered.count == uploads.count, said, sourceLocation: sourceLocation)
            let files = server.files
            let arrived = Set(outcome.delivered)
            #expect(
                arrived.count == outcome.delivered.count, "[loss] one name for two photos",
                sourceLocation: sourceLocation)
            let sums = Set(uploads.photos.map(\.sha256))
            #expect(
                Set(arrived.compactMap { files[$0] }) == sums, "[loss] cut, changed or missing",
                sourceLocation: sourceLocation)
            let left = files.keys.filter { !arrived.contains($0) }.sorted()
            #expect(left.count <= row.keepsLeftovers, "leftovers \(left)", sourceLocation: sourceLocation)
            // A server that does not delete files keeps the trial files.
            #expect(
                left.allSatisfy { $0.contains("framefast-trial-") }, "leftovers \(left)",
                sourceLocation: sourceLocation)
            #expect(server.multiparts == 0, "unfinished uploads", sourceLocation: sourceLocation)
            let bytes = uploads.photos.reduce(0) { $0 + Int($1.bytes) }
            let lost = server.bytesLost(continues: row.continues)
            #expect(
                Double(server.bytesReceived - lost) <= row.bytesMax * Double(bytes),
                "\(server.bytesReceived) bytes for \(bytes), \(lost) of them lost",
                sourceLocation: sourceLocation)
        }
    }
}
