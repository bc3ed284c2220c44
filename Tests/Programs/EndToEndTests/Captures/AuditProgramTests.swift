import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of `framefast doctor --audit`, and of the audit of ``DaemonRig``.
@Suite(.serialized, .programs(2)) struct AuditProgramTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `audits a running service, and damaged photos of a stopped service`() async throws {
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"",
            ])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 3")
        try await rig.status("three delivered photos") { $0.uploads.delivered == 3 }
        let captures = try rig.client.call(\.captures.list, .init(limit: 3)).value.captures
        let paths = captures.compactMap(\.path)
        try #require(paths.count == 3)
        let clean = try await audit(rig)
        #expect(clean.status == 0 && clean.reply.photos == 3 && clean.reply.findings == [])
        #expect(clean.reply.ledger == rig.folder.path("state/ledger.sqlite"))
        #expect(try await rig.stop() == 0)

        try FileManager.default.removeItem(atPath: paths[0])
        var bytes = try Data(contentsOf: URL(filePath: paths[1]))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: paths[1]))
        let found = try await audit(rig)
        #expect(found.status == 4 && found.reply.findingsTotal == 2)
        let kinds = Set(found.reply.findings.map { "\($0.$kind.text) \($0.path ?? "")" })
        #expect(kinds == ["file_missing \(paths[0])", "bytes_differ \(paths[1])"])
    }

    @Test func `a rig records a loss if a saved photo's file is missing`() async throws {
        let (rig, path) = try await savePhotos()
        try FileManager.default.removeItem(atPath: path)
        try await withKnownIssue {
            try await rig.stop()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("[loss] audit: file_missing: photo ") }
        }
    }

    /// Saves two photos.
    ///
    /// - Returns: The running service, and the path of the first photo.
    private func savePhotos() async throws -> (DaemonRig, path: String) {
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 2")
        let saved = try await rig.waitUntilSettled(2)
        return (rig, try #require(saved.first?.path))
    }

    /// Runs the audit with the rig's ledger.
    private func audit(_ rig: DaemonRig) async throws -> (status: Int32, reply: AuditReply) {
        let (status, output) = try await RunningProgram.run(
            Programs.path("framefast"),
            [
                "doctor", "--audit", "--json", "--config", rig.folder.path("framefast.toml"), "--socket",
                rig.socket,
            ], in: rig.folder, environment: ["FRAMEFAST_STATE_DIRECTORY": rig.folder.path("state")])
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("{") }, "\(output)")
        return (status, try WireCoder.decode(AuditReply.self, from: Data(line.utf8)))
    }
}
