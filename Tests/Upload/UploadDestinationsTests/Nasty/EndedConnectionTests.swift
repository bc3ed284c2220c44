import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests with servers that close the connection whenever they receive a certain request.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct EndedConnectionTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        private static let requests: [(String, DestinationFeature)] = [
            ("MDTM", .fileTime), ("FEAT", .featureList), ("MFMT", .modificationTime), ("APPE", .append),
            ("XSHA256", .serverChecksum),
        ]

        @Test(arguments: Tier.rows(requests, gate: 1))
        func `stops sending an FTP command after the server closed the connection twice`(
            verb: String, feature: DestinationFeature
        ) async throws {
            let server = try await NastyServer(.ftp, [ServerFaultRule(verb, answer: 0).dropping], in: scratch)
            let memory = DestinationMemory()
            let destination = try server.destination(memory: memory)
            for name in ["a.JPG", "b.JPG"] {
                let photo = try TestPhotos.one(bytes: 20_000, name: name, in: scratch)
                let receipt = try await destination.upload(photo)
                #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] wrong photo content")
            }
            #expect(!memory.offers(feature))
            #expect(server.requests.count { $0.verb == verb } == 2, "\(server.requests)")
            await destination.close()
        }

        /// The server accepts photos, but closes the connection at the probe's usual request.
        @Test(
            arguments: Tier.rows(
                [
                    (.http, ServerFaultRule("HEAD", answer: 0).resetting),
                    (.http, ServerFaultRule("HEAD", answer: 0).dropping),
                    (.webDAV, ServerFaultRule("OPTIONS", answer: 0).dropping),
                    (.ftp, ServerFaultRule("NOOP", answer: 0).dropping),
                ] as [(NastyServer.Kind, ServerFaultRule)], gate: 1))
        func `probes with another request after the connection was closed`(
            kind: NastyServer.Kind, rule: ServerFaultRule
        ) async throws {
            let server = try await NastyServer(kind, [rule], in: scratch)
            let destination = try server.destination()
            try await destination.probe()
            try await server.stop()
            await #expect(throws: UploadFailure.self) { try await destination.probe() }
            await destination.close()
        }

        /// - Parameter answer: The status of the response, or `nil` for a closed connection.
        @Test(arguments: Tier.rows([nil, 400, 403, 501, 503] as [Int?], gate: 1))
        func `uses an existing WebDAV folder even if MKCOL fails`(answer: Int?) async throws {
            let rule = ServerFaultRule("MKCOL", answer: 0).answering(answer)
            let server = try await NastyServer(.webDAV, [rule], in: scratch)
            let photo = try TestPhotos.one(bytes: 20_000, name: "Wedding/June/a.JPG", in: scratch)
            let folder = server.folder.appending(path: "Wedding/June")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let destination = try server.destination()
            let receipt = try await destination.upload(photo)
            #expect(
                server.files == [receipt.remoteName: photo.sha256], "[loss] wrong files at the destination")
            await destination.close()
        }

        /// Programs such as fail2ban count each request with a wrong password.
        @Test(.nightly("in the gate, another test of this suite has a WebDAV folder that can't be created"))
        func `sends a wrong WebDAV password only once per attempt`() async throws {
            let photos = try ["a.JPG", "b.JPG"].map {
                try TestPhotos.one(bytes: 20_000, name: $0, in: scratch)
            }
            let rules = [
                ServerFaultRule("MKCOL", name: "^Closed", answer: 401),
                ServerFaultRule(name: String(photos[1].sha256.prefix(16)), answer: 401),
            ]
            let server = try await NastyServer(.webDAV, rules, in: scratch)
            let destination = try server.destination()
            var first = photos[0]
            first.remoteName = "Closed/a.JPG"
            #expect(await destination.failure(first)?.kind == .permanent(.unauthorised))
            #expect(server.requests.map(\.verb) == ["MKCOL", "MKCOL"], "\(server.requests)")
            #expect(server.requests.last?.answer == "401")
            _ = try await destination.upload(photos[0])
            var again = photos[1]
            again.isFirstTry = false
            #expect(await destination.failure(again)?.kind == .permanent(.unauthorised))
            #expect(server.requests.count { $0.answer == "401" } == 2, "\(server.requests)")
            await destination.close()
        }

        /// - Parameter answer: The status of the response, or `nil` for a closed connection.
        @Test(arguments: Tier.rows([nil, 403] as [Int?], gate: 1))
        func `holds the destination when WebDAV cannot create a folder`(
            answer: Int?
        ) async throws {
            let rule = ServerFaultRule("MKCOL", name: "^June", answer: 0).answering(answer)
            let server = try await NastyServer(.webDAV, [rule], in: scratch)
            let uploads = try await WaitingUploads(3, in: scratch)
            try await uploads.running(try server.destination(), folder: "June/") { service in
                let condition = try await eventually("the condition of the destination", within: 60) {
                    uploads.condition("destination-away")
                }
                let sentence = condition.sentence
                #expect(sentence.contains("to create the folder June"), "\(sentence)")
                #expect(!sentence.contains("is unavailable"), "\(sentence)")
                if answer == nil { #expect(sentence.contains("closed the connection"), "\(sentence)") }
                #expect(uploads.outcome.failed == [], "[loss] failed")
                #expect(uploads.outcome.delivered == [])
                try server.lift()
                try await service.resume()
                try await eventually("all photos to be delivered", within: 60) {
                    uploads.outcome.delivered.count == uploads.count ? () : nil
                }
            }
            #expect(uploads.outcome.failed == [], "[loss] failed")
            #expect(
                Set(server.files.values) == Set(uploads.photos.map(\.sha256)),
                "[loss] wrong files at the server")
            #expect(server.files.count == uploads.count, "[loss] wrong number of files at the server")
        }
    }
}
