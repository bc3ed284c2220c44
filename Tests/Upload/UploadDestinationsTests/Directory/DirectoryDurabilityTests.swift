import Foundation
import FrameFastSystem
import Synchronization
import SystemPackage
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests that a delivered photo and its name survive a power cut.
@Suite struct DirectoryDurabilityTests {
    @Test
    func `counts a photo as delivered only after its folders are synced`()
        async throws
    {
        let scratch = try ScratchFolder()
        let photo = try TestPhotos.one(bytes: 5000, in: scratch)
        var item = photo
        item.remoteName = "session/day 1/photo.JPG"
        let share = scratch.path("share")
        let failsLeft = Mutex(2)
        let synced = Mutex<[String]>([])
        let destination = DirectoryDestination(
            name: "nas", folder: share, stateDirectory: scratch.path("state")
        ) { (path: String) throws(SystemCallError) in
            let fails = failsLeft.withLock { left in
                left -= 1
                return left >= 0
            }
            guard !fails else { throw SystemCallError(call: "fsync", subject: path, errno: .ioError) }
            try DurableFile.syncFolder(path)
            synced.withLock { $0.append(String(path.split(separator: "/./").last ?? "")) }
        }
        for attempt in 1...2 {
            let failure = await destination.failure(item)
            #expect(failure?.kind == .outage(retryAfterSeconds: nil), "attempt \(attempt)")
        }
        #expect(FileManager.default.fileExists(atPath: share + "/" + item.remoteName))
        #expect(synced.withLock { $0 } == [])
        let receipt = try await destination.upload(item)
        #expect(receipt.alreadyExisted && receipt.remoteName == item.remoteName)
        #expect(synced.withLock { $0 } == ["session/day 1", "session", "."])
    }

    @Test func `delivers a photo to a folder that is a symbolic link`() async throws {
        let scratch = try ScratchFolder()
        var item = try TestPhotos.one(bytes: 5000, in: scratch)
        item.remoteName = "session/photo.JPG"
        let share = scratch.path("share")
        try DurableFile.createFolder(share)
        try DurableFile.createFolder(scratch.path("disk"))
        try FileManager.default.createSymbolicLink(
            atPath: share + "/session", withDestinationPath: scratch.path("disk"))
        let destination = DirectoryDestination(
            name: "nas", folder: share, stateDirectory: scratch.path("state"))
        #expect(try await destination.upload(item) { _ in }.remoteName == item.remoteName)
        #expect(FileManager.default.fileExists(atPath: scratch.path("disk/photo.JPG")))
    }

    @Test func `discards a copy that differs when read back, and the next upload succeeds`() async throws {
        let scratch = try ScratchFolder()
        let photo = try TestPhotos.one(bytes: 5000, in: scratch)
        let share = scratch.path("share")
        let destination = DirectoryDestination(
            name: "nas", folder: share, stateDirectory: scratch.path("state"))
        func names() -> [String] {
            ((try? FileManager.default.subpathsOfDirectory(atPath: share)) ?? []).filter {
                !$0.hasPrefix(FolderMark.workFolder)
            }
        }
        await #expect(throws: UploadFailure.self, "[loss] a damaged copy counts as delivered") {
            try await destination.upload(photo) { _ in
                // Changes a byte on the share.
                let work = share + "/" + FolderMark.workFolder
                let files = (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []
                for file in files where file.hasSuffix(".part") {
                    guard let copy = FileHandle(forUpdatingAtPath: "\(work)/\(file)") else { continue }
                    let first = (try? copy.read(upToCount: 1))?.first ?? 0
                    try? copy.seek(toOffset: 0)
                    copy.write(Data([~first]))
                }
            }
        }
        #expect(names() == [])
        #expect(try await !destination.upload(photo) { _ in }.alreadyExisted)
        #expect(names() == [photo.remoteName])
    }
}
