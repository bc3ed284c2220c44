import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of photos that the user edits between saving and upload.
@Suite(.serialized, .programs(2)) struct EditedPhotoTests {
    @Test func `uploads an edited photo added by number and refuses a truncated photo`() async throws {
        let folder = try ScratchFolder()
        let nas = folder.path("nas")
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\""])
        try await rig.start()
        _ = try rig.client.pauseDestination("nas", true)
        try camera.command("shoot 2")
        try await rig.status("two uploads to be queued") { $0.uploads.queued == 2 }
        let captures = try rig.client.call(\.captures.list, .init(limit: 2)).value.captures
        try #require(captures.count == 2)
        let (edited, cut) = (captures[0], captures[1])
        let (editedPath, cutPath) = (try #require(edited.path), try #require(cut.path))
        rig.expectedFindings = [.sizeDiffers: "the test edits one photo and truncates another"]
        // Inserts a comment after the start of the JPEG, like a metadata editor.
        var photo = try Data(contentsOf: URL(filePath: editedPath))
        photo.insert(contentsOf: [0xFF, 0xFE, 0x00, 0x06] + Array("edit".utf8), at: 2)
        try photo.write(to: URL(filePath: editedPath))
        let whole = try Data(contentsOf: URL(filePath: cutPath))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: cutPath))
        _ = try rig.client.pauseDestination("nas", false)
        try await rig.status("both uploads to fail") { $0.uploads.failed == 2 }

        let sent = try await add("\(edited.id)", rig)
        #expect(sent.status == 0 && sent.words.contains("uploads added: 1"), "\(sent.words)")
        try await rig.status("the edited photo to be delivered") { $0.uploads.delivered == 1 }
        let refused = try await add("\(cut.id)", rig)
        #expect(refused.status == 1, "\(refused.words)")
        #expect(refused.words.contains("cannot add photo \(cut.id): the file "), "\(refused.words)")
        #expect(refused.words.contains("is damaged: "), "\(refused.words)")

        let names = try FileManager.default.subpathsOfDirectory(atPath: nas).filter { $0.hasSuffix(".jpg") }
        #expect(names.count == 1, "[loss] wrong files at the destination: \(names)")
        let name = try #require(names.first)
        #expect(
            try DaemonRig.sha256(ofFile: "\(nas)/\(name)") == DaemonRig.sha256(ofFile: editedPath),
            "[loss] wrong photo content")
        #expect(name.hasSuffix(URL(filePath: editedPath).lastPathComponent))
        #expect(try await rig.stop() == 0)
    }

    /// Runs `framefast queue add`.
    ///
    /// - Returns: The exit status, and the output on one line.
    private func add(_ number: String, _ rig: DaemonRig) async throws -> (status: Int32, words: String) {
        let (status, output) = try await RunningProgram.run(
            Programs.path("framefast"),
            ["queue", "add", number, "--to", "nas", "--plain", "--socket", rig.socket], in: rig.folder)
        return (status, output.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
}
