import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests with a file system without fsync, like some FUSE and network file systems.
@Suite(
    .serialized, .programs(4),
    .enabled(if: Strace.isPossible, "letting system calls fail needs strace and the right to trace"))
struct FileSystemWithoutSyncTests {
    struct Row: CustomTestStringConvertible {
        var errno: String
        /// Whether fsync fails only on folders, and works on files.
        var isOnlyFolders: Bool
        var testDescription: String { "\(errno), \(isOnlyFolders ? "folders" : "files and folders")" }
    }

    private static let rows = ["EINVAL", "EOPNOTSUPP"].flatMap { errno in
        [false, true].map { Row(errno: errno, isOnlyFolders: $0) }
    }

    /// Returns a folder and all folders below it.
    private func folders(in folder: String) throws -> [String] {
        try [folder]
            + FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.filter {
                path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && isFolder.boolValue
            }
    }

    @Test(arguments: Tier.rows(rows, gate: 2))
    func `saves and delivers photos on disks without fsync and reports a condition`(row: Row) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let sent = folder.path("nas")
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"all/{original}.{ext}\""],
            tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(sent)\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        // strace selects calls by the paths of folders, so the folders must exist before strace starts.
        for place in [rig.captures, sent] {
            try FileManager.default.createDirectory(
                atPath: "\(place)/all", withIntermediateDirectories: true)
        }
        let daemon = try #require(rig.program?.pid)
        let strace = try await Strace(
            daemon, calls: "fsync", injection: "error=\(row.errno)",
            paths: row.isOnlyFolders ? folders(in: rig.captures) + folders(in: sent) : [], in: folder)
        try camera.command("shoot 3")
        let saved = try await rig.waitUntil("three delivered photos") {
            try $0.status.captures.total >= 3 && $0.status.uploads.delivered >= 3 && $0.isSettled
        }
        let taken = try Set(camera.truth().map(\.sha256))
        #expect(try taken == Set(saved.files.values), "[loss] wrong photos on disk")
        #expect(try saved.status.uploads.delivered == 3, "[loss] wrong number of delivered photos")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(sent)/all").filter {
            !$0.hasPrefix(".")
        }
        #expect(names.count == 3, "[loss] wrong photos at the destination")
        let hashes = try names.map { try DaemonRig.sha256(ofFile: "\(sent)/all/\($0)") }
        #expect(taken == Set(hashes), "[loss] wrong photos at the destination")
        let status = try await rig.status("the condition") { status in
            status.conditions.contains { $0.code == "sync-not-offered" && $0.subject == rig.captures }
        }
        #expect(status.conditions.allSatisfy { $0.code == "sync-not-offered" })
        #expect(Set(status.conditions.map(\.subject)).count == status.conditions.count)
        #expect(strace.calls.contains { $0.isInjected })
        try await strace.detach()
        #expect(try await rig.stop() == 0)
    }
}
