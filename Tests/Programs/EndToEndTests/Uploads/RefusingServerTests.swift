import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests with servers that refuse one optional feature of uploads. Every photo arrives, and the command line
/// lists the features that the service remembers as refused.
@Suite(
    .serialized, .programs(3),
    .enabled(
        if: ServerPrograms.has(ServerPrograms.python), "needs the servers of scripts/prepare-test-servers"))
struct RefusingServerTests {
    /// A server without one feature.
    struct Row: CustomTestStringConvertible, Sendable {
        var kind: UploadServer.Kind
        /// The feature's name in the API.
        var feature: String
        /// The fallback's text on the command line.
        var fallback: String
        var rule: ServerFaultRule
        var testDescription: String { "\(kind) without \(feature)" }

        init(_ kind: UploadServer.Kind, without feature: String, _ fallback: String, _ rule: ServerFaultRule)
        {
            (self.kind, self.feature, self.fallback, self.rule) = (kind, feature, fallback, rule)
        }
    }

    private static let words = "Not at this server"

    private static let rows = [
        Row(
            .webdav, without: "part-names", "temporary names have no extension",
            ServerFaultRule("PUT", "MOVE", name: #"\.part$"#, answer: 400, message: words)),
        Row(
            .sftp, without: "sync", "the server decides when it writes to disk",
            ServerFaultRule("fsync", answer: 8, message: words)),
        Row(
            .ftp, without: "rename", "photos are sent to their final names",
            ServerFaultRule("RNFR", answer: 550, message: words)),
        Row(
            .s3, without: "checksum-header", "the server compares an MD5",
            ServerFaultRule(header: "^x-amz-checksum", answer: 400, message: words)),
        Row(
            .http, without: "condition", "names are checked before the upload",
            ServerFaultRule(header: "^If-None-Match", answer: 501, message: words)),
        Row(
            .rclone, without: "part-names", "temporary names have no extension",
            ServerFaultRule("PUT", "MOVE", name: #"\.part$"#, answer: 400, message: words)),
    ]

    @Test(arguments: Tier.rows(rows, gate: 1))
    func `delivers photos once despite a refused feature, and lists the feature`(row: Row) async throws {
        let server = try await UploadServer(row.kind, refusing: [row.rule])
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "200KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)], tables: server.table)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 3")
        let status = try await rig.status("three photos to be delivered", within: 60) {
            $0.uploads.delivered == 3
        }
        #expect(status.uploads.failed == 0, "[loss] failed uploads")
        #expect(!status.says("destination-away"))
        #expect(
            try await server.sums() == camera.truth().map(\.sha256).sorted(), "[loss] wrong photos delivered")
        let (code, output) = try await RunningProgram.run(
            Programs.path("framefast"), ["destinations", "--plain", "--socket", rig.socket], in: rig.folder)
        let lines = output.split(separator: "\n").filter { $0.contains(" refuses: \(row.feature);") }
        #expect(code == 0 && lines == ["destination \(row.kind) refuses: \(row.feature); \(row.fallback)"])
        let refused = try #require(
            status.destinations.first?.refusedFeatures.first { $0.feature == row.feature })
        // rclone embeds the server's message in its own message.
        #expect(refused.reason?.isEmpty == false)
        #expect(row.kind == .rclone || refused.reason?.contains(Self.words) == true, "\(refused)")
        let bytes = try camera.truth().reduce(0.0) { $0 + Double($1.size) }
        #expect(Double(server.counts.bytesReceived) <= 1.05 * bytes, "bytes that were sent")
        #expect(try await rig.stop() == 0)
    }
}
