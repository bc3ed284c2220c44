import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of whole programs with servers that refuse optional features of uploads.
@Suite(.serialized, .programs(3)) struct StrictServerTests {
    /// A server, with the rules by which it refuses requests.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var kind: UploadServer.Kind
        var rules: [ServerFaultRule]
        /// Whether the service cannot verify deliveries.
        var isBlind = true

        init(
            _ name: String, _ kind: UploadServer.Kind, isBlind: Bool = true, _ rules: ServerFaultRule...
        ) {
            testDescription = name
            self.kind = kind
            self.rules = rules
            self.isBlind = isBlind
        }
    }

    /// A template that keeps the cameras' file names, without a folder.
    private static let names = ["template = \"{original}.{ext}\""]
    private static let blindHTTP = ServerFaultRule("HEAD", "PROPFIND", "GET", answer: 403)
    private static let blindSFTP = ServerFaultRule("lstat", "fstat", "stat", "open-read", answer: 3)

    /// Servers that give the service little information about an interrupted upload.
    static let all = [
        Row(
            "FTP that only accepts photos", .ftp,
            ServerFaultRule("RNFR", "RETR", "SIZE", answer: 550)),
        Row("FTP that renames, but reports no files", .ftp, ServerFaultRule("RETR", "SIZE", answer: 550)),
        Row("SFTP that only accepts photos", .sftp, blindSFTP, ServerFaultRule("rename", answer: 3)),
        Row("SFTP that renames, but reports no files", .sftp, blindSFTP),
        Row(
            "WebDAV that only accepts photos", .webdav, blindHTTP,
            ServerFaultRule("MOVE", "COPY", answer: 403)),
        Row("WebDAV that renames, but reports no files", .webdav, blindHTTP),
        Row("HTTP that only accepts photos", .http, ServerFaultRule("HEAD", "GET", answer: 403)),
        Row(
            "a bucket that only accepts photos", .s3, isBlind: false,
            ServerFaultRule("HEAD", "GET", answer: 403)),
        Row("rclone without renaming", .rclone, isBlind: false, ServerFaultRule("MOVE", "COPY", answer: 403)),
    ]

    @Test(arguments: Tier.rows(all, gate: 1))
    func `delivers each photo once and intact despite repeated kills of the service`(row: Row) async throws {
        let server = try await Self.server(for: row)
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB-300KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: Self.names,
            // The bandwidth is so low that each kill interrupts uploads.
            tables: server.table + ["bandwidth = \"1 MB\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 12")
        for wanted in [1, 4, 8] {
            try await rig.status("\(wanted) photos to be delivered", within: 60) {
                $0.uploads.delivered >= wanted
            }
            try await rig.kill()
            try await rig.start()
        }
        let status = try await rig.status("all photos to be delivered", within: 90) {
            $0.uploads.delivered == 12
        }
        #expect(status.uploads.failed == 0)
        let truth = try camera.truth().map(\.sha256).sorted()
        #expect(try await server.sums() == truth, "[loss] wrong photos at the server")
        #expect(!server.refusals.isEmpty, "the server refused nothing")
        if row.isBlind { try await Self.expectLabels(rig, photos: 12) }
        #expect(try await rig.stop() == 0)
    }

    @Test(arguments: Tier.rows(all, gate: 1))
    func `delivers equally named photos of two services once each to one server`(row: Row) async throws {
        let server = try await Self.server(for: row)
        let folder = try ScratchFolder()
        let cameras = [
            try await Simulator(folder, name: "one", ["--size", "100KB"]),
            try await Simulator(folder, name: "two", ["--size", "150KB"]),
        ]
        let rigs = try cameras.map {
            try DaemonRig(cameras: [("a", $0.address)], capture: Self.names, tables: server.table)
        }
        for rig in rigs {
            try await rig.start()
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        }
        for camera in cameras { try camera.command("shoot 6") }
        for rig in rigs {
            let status = try await rig.status("all photos to be delivered", within: 60) {
                $0.uploads.delivered == 6
            }
            #expect(status.uploads.failed == 0)
        }
        let truth = try cameras.flatMap { try $0.truth() }
        #expect(Set(truth.map(\.name)).count == 6, "the cameras give the same names")
        #expect(
            try await server.sums() == truth.map(\.sha256).sorted(), "[loss] wrong photos of both services")
        let names = try rigs.flatMap {
            try $0.client.call(\.uploads.list, .init(limit: 100)).value.jobs.compactMap(\.remoteName)
        }
        #expect(Set(names).count == 12, "[loss] one name for two photos")
        for rig in rigs { #expect(try await rig.stop() == 0) }
    }

    private static func server(for row: Row) async throws -> UploadServer {
        try #require(ServerPrograms.has(ServerPrograms.python), "needs scripts/prepare-test-servers")
        if [.sftp, .rclone].contains(row.kind) {
            try #require(row.kind.obstacle == nil, "\(row.kind.obstacle ?? "")")
        }
        return try await UploadServer(row.kind, refusing: row.rules)
    }

    /// Checks that each delivery is marked as not verified, in plain text and in JSON.
    private static func expectLabels(_ rig: DaemonRig, photos: Int) async throws {
        let label = "not verified by the server"
        let jobs = try rig.client.call(\.uploads.list, .init(limit: 100)).value.jobs
        #expect(jobs.allSatisfy { $0.proof?.known == .word && $0.evidence == label })
        for form in ["--json", "--plain"] {
            let (status, output) = try await RunningProgram.run(
                Programs.path("framefast"),
                ["queue", "--state", "delivered", form, "--socket", rig.socket], in: rig.folder)
            #expect(status == 0)
            #expect(output.components(separatedBy: label).count - 1 == photos, "\(form): \(output)")
        }
    }
}
