import Foundation
import FrameFastModel
import FrameFastSystem
import SystemPackage
import TestRig
import Testing

@testable import CaptureEngine

/// Tests of publishing, replacing and syncing files.
@Suite(.blocking) struct PhotoDiskTests {
    private let scratch: ScratchFolder
    private let root: String
    private let folders: WorkFolders

    init() throws {
        scratch = try ScratchFolder()
        root = scratch.path("photos")
        folders = try WorkFolders(
            CaptureSettings(
                directory: root, template: try NamingTemplate("{original}.{ext}"), minFreeBytes: 0,
                pairSettleSeconds: 0, existing: .fetch, folderRecordPath: scratch.path("capture-folder")))
        folders.markRepaired()
    }

    private func disk(_ sync: DiskSync = DiskSync()) -> PhotoDisk {
        PhotoDisk(root: root, folders: folders, sync: sync)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = scratch.path(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `publishes a name once and recreates a removed folder`() async throws {
        let disk = disk()
        let path = root + "/day/A.JPG"
        #expect(try await disk.publish(try file("1.part", "one"), as: path))
        let second = try file("2.part", "two")
        #expect(try await !disk.publish(second, as: path))
        #expect(text(path) == "one" && text(second) == "two")
        try FileManager.default.removeItem(atPath: root + "/day")
        #expect(try await disk.publish(second, as: path))
        #expect(text(path) == "two")
    }

    @Test(arguments: [("wrong", "right", true), ("right", "right", true), ("edited", "edited", false)])
    func `replaces only a file with the wrong bytes`(there: String, after: String, isDone: Bool) async throws
    {
        let path = try file("A.JPG", there)
        let part = try file("1.part", "right")
        func sha256(_ text: String) throws -> String {
            try PhotoHash.sha256(of: FileReader(try file("hashed", text)))
        }
        let (right, wrong) = (try sha256("right"), try sha256("wrong"))
        #expect(
            try await disk().replace(path, with: part, takenAt: nil, right: right, wrong: wrong) == isDone)
        #expect(text(path) == after)
        #expect(isDone || text(part) == "right")
    }

    /// A second reading of the photo had other bytes. The photo's folder is on another disk.
    @Test(.enabled(if: PublishTests.hasTwoDisks, "needs /dev/shm as a separate file system"))
    func `replaces a file with the wrong bytes on another file system`() async throws {
        let path = try file("A.JPG", "wrong")
        let part = "/dev/shm/replace-\(UUID().uuidString).part"
        defer { try? FileManager.default.removeItem(atPath: part) }
        try Data("right".utf8).write(to: URL(filePath: part))
        let right = try PhotoHash.sha256(of: FileReader(part))
        let wrong = try PhotoHash.sha256(of: FileReader(path))
        #expect(try await disk().replace(path, with: part, takenAt: nil, right: right, wrong: wrong))
        #expect(text(path) == "right" && !DurableFile.exists(part))
        #expect(!DurableFile.exists(DurableFile.copyPath(of: part, as: path)))
    }

    @Test func `reports only the folder whose fsync failed`() async {
        let refused = FilePath(root + "/b")
        let sync = DiskSync(folder: { path throws(SystemCallError) in
            if FilePath(path) == refused {
                throw SystemCallError(call: "fsync", subject: path, errno: .ioError)
            }
        })
        let failed = await disk(sync).sync([FilePath(root + "/a"), refused, FilePath(root + "/c")])
        #expect(Set(failed.keys) == [refused])
    }
}
