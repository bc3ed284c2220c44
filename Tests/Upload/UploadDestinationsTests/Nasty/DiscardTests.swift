import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Uploads that a person drops in the middle.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(30)))
    struct DiscardTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        /// A server that lets photos come to the step after the transfer and no further.
        static let stuck: [(NastyServer.Kind, NastyRule)] = [
            (.webDAV, NastyRule("MOVE", name: "[0-9a-f]{16}-", answer: 503)),
            (.ftp, NastyRule("RNFR", name: "[0-9a-f]{16}-", answer: 450)),
            (.sftp, NastyRule("rename", name: "[0-9a-f]{16}-", answer: 4)),
            (.s3, NastyRule("POST", name: "IMG", header: "Content-Type: application/xml", answer: 503)),
        ]

        @Test(arguments: Tier.rows([0, 1, 2, 3], gate: [0, 3]))
        func `a dropped upload leaves nothing at the server`(row: Int) async throws {
            let (kind, rule) = Self.stuck[row]
            let server = try await NastyServer(kind, [rule], in: scratch)
            let uploads = try await WaitingUploads(
                2, bytes: kind == .s3 ? 7 << 20 : 200_000, in: scratch)
            try await uploads.running(try server.destination()) { service in
                try await eventually("something at the server", within: 60) {
                    server.multiparts == 2 || server.files.keys.count { !$0.contains("trial") } >= 2
                        ? () : nil
                }
                _ = try await service.drop(UploadFilter())
                try await Self.expectNothing(at: server)
            }
        }

        @Test func `an upload to a destination that leaves the configuration leaves nothing there`()
            async throws
        {
            let (kind, rule) = Self.stuck[3]
            let server = try await NastyServer(kind, [rule], in: scratch)
            let uploads = try await WaitingUploads(2, bytes: 7 << 20, in: scratch)
            try await uploads.running(try server.destination()) { service in
                try await eventually("something at the server", within: 60) {
                    server.multiparts == 2 ? () : nil
                }
                try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
                try await Self.expectNothing(at: server)
            }
        }

        /// Nextcloud refuses each request for a name that ends in .part, also the removal.
        @Test func `a part is removed where the server refuses its other names`() async throws {
            let rule = NastyRule(name: #"\.part$"#, answer: 400, words: "\".part\" is a forbidden file type.")
            let server = try await NastyServer(.webDAV, [rule], in: scratch)
            let photo = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
            let part = server.folder.appending(path: RemoteName.part(photo, .bare))
            try Data(repeating: 7, count: 5_000).write(to: part)
            try await (try server.destination()).discard(photo)
            #expect(server.files.isEmpty, "\(server.requests)")
        }

        private static func expectNothing(at server: NastyServer) async throws {
            do {
                try await eventually("nothing at the server", within: 60) {
                    server.multiparts == 0 && server.files.isEmpty ? () : nil
                }
            } catch {
                Issue.record("\(server.multiparts) uploads in parts, \(server.files.keys.sorted())")
                throw error
            }
        }
    }
}
