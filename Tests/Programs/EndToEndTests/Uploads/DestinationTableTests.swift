import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of `framefast destinations test` with servers that refuse features.
@Suite(.serialized, .programs(3)) struct DestinationTableTests {
    /// A server, and the features that it refuses.
    struct Row: CustomTestStringConvertible, Sendable {
        var kind: UploadServer.Kind
        var refused: Set<String>
        var rules: [ServerFaultRule]
        var testDescription: String { "\(kind) without \(refused.sorted().joined(separator: ", "))" }
    }

    static let all = [
        Row(
            kind: .ftp, refused: ["rename", "size", "read-back"],
            rules: [ServerFaultRule("RNFR", "SIZE", "RETR", answer: 550)]),
        Row(
            kind: .webdav, refused: ["part-names", "absolute-destination"],
            rules: [
                ServerFaultRule("PUT", "MOVE", name: #"\.part$"#, answer: 400),
                ServerFaultRule("MOVE", header: "^Destination: https?:", answer: 502),
            ]),
        Row(kind: .http, refused: ["size"], rules: [ServerFaultRule("HEAD", answer: 403)]),
        Row(
            kind: .s3, refused: ["checksum-header"],
            rules: [ServerFaultRule("PUT", header: "^x-amz-checksum", answer: 400)]),
        Row(
            kind: .sftp, refused: ["rename", "sync"],
            rules: [ServerFaultRule("fsync", answer: 8), ServerFaultRule("rename", answer: 3)]),
        Row(kind: .rclone, refused: ["rename"], rules: [ServerFaultRule("MOVE", "COPY", answer: 403)]),
    ]

    @Test(arguments: Tier.rows(all, gate: 2))
    func `the verb destinations test lists exactly the refused features, except modification-time`(
        row: Row
    ) async throws {
        try #require(ServerPrograms.has(ServerPrograms.python), "needs scripts/prepare-test-servers")
        if [.sftp, .rclone].contains(row.kind) {
            try #require(row.kind.obstacle == nil, "\(row.kind.obstacle ?? "")")
        }
        let server = try await UploadServer(row.kind, refusing: row.rules)
        let rig = try DaemonRig(cameras: [], tables: server.table)
        try await rig.start()
        func run(_ form: String) async throws -> String {
            let (status, output) = try await RunningProgram.run(
                Programs.path("framefast"),
                ["destinations", "test", "\(row.kind)", form, "--socket", rig.socket], in: rig.folder)
            #expect(status == 0, "\(output)")
            return output
        }
        // The test ignores this feature, because many servers cannot set a file's modification time.
        let optional: Set = ["modification-time"]
        let reply = try WireCoder.decode(
            DestinationTestReply.self, from: Data(try await run("--json").utf8))
        let refused = reply.features.filter { $0.state == .refused }
        #expect(Set(refused.map(\.feature)).subtracting(optional) == row.refused)
        #expect(refused.allSatisfy { $0.reason?.isEmpty == false && $0.since != nil }, "\(refused)")
        #expect(!server.refusals.isEmpty, "the server refused nothing")
        let isBlind = row.refused.isSuperset(of: ["size", "read-back"])
        #expect(
            reply.sentence.hasPrefix("A probe was uploaded\(isBlind ? " and" : ", verified and") removed."))
        let lines = try await run("--plain").split(separator: "\n")
        let named = lines.compactMap { $0.firstMatch(of: /^feature (\S+): refused$/).map { String($0.1) } }
        #expect(Set(named).subtracting(optional) == row.refused, "\(lines)")
        #expect(try await rig.stop() == 0)
    }
}
