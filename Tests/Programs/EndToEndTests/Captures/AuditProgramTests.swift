import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of `framefast doctor --audit`, of the check after a crash, and of the audit of ``DaemonRig``.
@Suite(.serialized, .programs(2)) struct AuditProgramTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `audits a running service, and finds a changed and a deleted photo after the service stops`()
        async throws
    {
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

    @Test func `reports a photo that is missing after a crash until the next clean start`() async throws {
        let (rig, camera, path) = try await savePhotos()
        try await rig.kill()
        try FileManager.default.removeItem(atPath: path)
        rig.expectedFindings = [.fileMissing: "the test deletes a saved photo"]
        try await rig.start()
        let told = try await rig.status("the missing photo to be reported") {
            $0.says("saved-photos-damaged")
        }
        let condition = try #require(told.conditions.first { $0.code == "saved-photos-damaged" })
        #expect(condition.sentence.contains(path), "\(condition.sentence)")
        #expect(rig.log.contains("checked the photos that were saved before the crash"))
        #expect(try await rig.stop() == 0)

        try await rig.start()
        try camera.command("shoot")
        let next = try await rig.waitUntilSaved(3)
        #expect(!next.says("saved-photos-damaged"))
        let checks = rig.log.components(separatedBy: "checking the photos that were saved before the crash")
        #expect(checks.count == 2, "a start after a clean stop checks no photos")
        #expect(try await rig.stop() == 0)
    }

    @Test func `a rig records a loss if the file of a saved photo is missing at the stop`() async throws {
        let (rig, _, path) = try await savePhotos()
        try FileManager.default.removeItem(atPath: path)
        try await withKnownIssue {
            try await rig.stop()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("[loss] audit: file_missing: photo ") }
        }
    }

    /// Saves two photos.
    ///
    /// - Returns: The running service, its camera, and the path of the first photo.
    private func savePhotos() async throws -> (DaemonRig, Simulator, path: String) {
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 2")
        let saved = try await rig.waitUntilSettled(2)
        return (rig, camera, try #require(saved.first?.path))
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
