import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import CaptureEngine

@Suite struct FreeSpaceMonitorTests {
    @Test func `reports a missing folder instead of a full disk, and recovers`() throws {
        let top = FileManager.default.temporaryDirectory.appending(path: "space-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: top) }
        let (captures, away) = (top + "/captures", top + "/away")
        try FileManager.default.createDirectory(atPath: captures, withIntermediateDirectories: true)
        let conditionBoard = ConditionBoard { _ in }
        let freeSpace = FreeSpaceMonitor(
            directory: captures, minFreeBytes: 0, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock)
        #expect(admits(freeSpace) && conditionBoard.current.isEmpty)
        try FileManager.default.moveItem(atPath: captures, toPath: away)
        #expect(!admits(freeSpace))
        freeSpace.recordWriteFailure()
        let disk = freeSpace.poll()
        #expect(disk.level == .away && disk.freeBytes == 0)
        let reported = conditionBoard.current
        #expect(reported.map(\.code) == ["photos-away"])
        #expect(
            reported.first?.sentence.contains("unavailable") == true
                && reported.first?.sentence.contains("full") == false)
        #expect(reported.first?.severity == .warning)
        // Now a photo waits, and the folder for the photo can't be created.
        #expect(
            !freeSpace.recordFolder(
                .unavailable(.init(problem: "is unavailable (permission denied)", nextStep: "Put it back.")))
        )
        #expect(conditionBoard.current.map(\.severity) == [.danger])
        #expect(conditionBoard.current.first?.sentence.contains("permission denied") == true)
        #expect(freeSpace.recordFolder(.created))
        try FileManager.default.moveItem(atPath: away, toPath: captures)
        #expect(admits(freeSpace) && conditionBoard.current.isEmpty)
        #expect(freeSpace.poll().level == .ok)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM])
    func `reports a lack of file descriptors or memory instead of a missing folder`(
        number: Int32
    ) throws {
        let reason = Errno(rawValue: number)
        let conditionBoard = ConditionBoard { _ in }
        let refuses = Mutex(true)
        let freeSpace = FreeSpaceMonitor(
            directory: "/captures", minFreeBytes: 0, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock
        ) {
            folder throws(SystemCallError) in
            if refuses.withLock({ $0 }) {
                throw SystemCallError(call: "open", subject: folder, errno: reason)
            }
            return 1_000
        }
        #expect(!admits(freeSpace))
        #expect(conditionBoard.current.map(\.code) == ["few-descriptors"])
        refuses.withLock { $0 = false }
        #expect(admits(freeSpace) && conditionBoard.current.isEmpty)

        let obstacle = WorkFolders.Obstacle(
            problem: "cannot be used now", nextStep: "Nothing to do.", shortage: reason)
        #expect(!freeSpace.recordFolder(.unavailable(obstacle)))
        #expect(conditionBoard.current.map(\.code) == ["few-descriptors"])
        #expect(conditionBoard.current.first?.nextStep.contains("Mount") == false)
        // A missing folder is not treated as a lack of file descriptors or memory.
        #expect(
            !freeSpace.recordFolder(.unavailable(.init(problem: "is unavailable", nextStep: "Put it back."))))
        #expect(conditionBoard.current.map(\.code) == ["photos-away"])
        #expect(freeSpace.recordFolder(.existing))
        #expect(conditionBoard.current.isEmpty)
        #expect(admits(freeSpace))
    }

    private static let camera = ConfiguredCamera(
        id: "a", name: "a", port: "usb:", zone: .gmt, deletesAfterSave: false)

    private func photo(_ id: CaptureID, bytes: UInt64) -> CaptureRecord {
        CaptureRecord(
            id: id, bodyID: "a",
            object: CameraObject(folder: "/DCIM", name: "IMG_\(id).JPG", size: bytes, cameraTime: nil),
            state: .seen, sessionID: nil, detectedAt: Date(timeIntervalSince1970: 0))
    }

    private func admits(_ freeSpace: FreeSpaceMonitor) -> Bool {
        var queue = FetchQueue()
        queue.append([photo(1, bytes: 1)])
        return freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0) != nil
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var waiting: [UInt64]
        var pendingBytes: UInt64 = 0
        var taken: [CaptureID]
        var reported: [String]
    }

    private static let gib: UInt64 = 1 << 30
    static let rows = [
        Row(
            testDescription: "a movie on a small disk", waiting: [5 * gib, 1 << 20, 8 << 20], taken: [2, 3],
            reported: ["too-large-for-disk"]),
        Row(
            testDescription: "a size larger than any disk", waiting: [1 << 63, 8 << 20, .max], taken: [2],
            reported: ["too-large-for-disk"]),
        Row(
            testDescription: "a size that overflows with running transfers", waiting: [.max, 1],
            pendingBytes: 2,
            taken: [2], reported: ["too-large-for-disk"]),
        Row(testDescription: "a movie that fits", waiting: [gib, 1 << 20], taken: [1, 2], reported: []),
        Row(
            testDescription: "a photo that does not fit next to running transfers",
            waiting: [300 << 20, 8 << 20], pendingBytes: 2 * gib - (100 << 20), taken: [2],
            reported: ["disk-full"]),
        Row(testDescription: "nothing", waiting: [], taken: [], reported: []),
    ]

    @Test(arguments: rows)
    func `fetches smaller photos before a photo that does not fit the disk`(row: Row) {
        let conditionBoard = ConditionBoard { _ in }
        let free = Mutex<UInt64>(3 * Self.gib)
        let freeSpace = FreeSpaceMonitor(
            directory: "/photos", minFreeBytes: Self.gib, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock
        ) { _ in
            free.withLock { $0 }
        }
        var queue = FetchQueue()
        queue.append(row.waiting.enumerated().map { photo(CaptureID(rawValue: Int64($0 + 1)), bytes: $1) })
        var taken: [CaptureID] = []
        while let record = freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: row.pendingBytes) {
            taken.append(record.id)
        }
        #expect(taken == row.taken)
        #expect(Set(conditionBoard.current.map(\.code)) == Set(row.reported))
    }

    @Test func `reports size and free space for a large object until it fits`()
        throws
    {
        let conditionBoard = ConditionBoard { _ in }
        let free = Mutex<UInt64>(3 * Self.gib)
        let freeSpace = FreeSpaceMonitor(
            directory: "/photos", minFreeBytes: Self.gib, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock
        ) { _ in
            free.withLock { $0 }
        }
        var queue = FetchQueue()
        queue.append([photo(7, bytes: 5 * Self.gib)])
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0) == nil)
        let reported = try #require(conditionBoard.current.first)
        for word in ["IMG_7.JPG", "5.4 GB", "3.2 GB free", "1.1 GB are free", "/photos"] {
            #expect(reported.sentence.contains(word), "\(reported.sentence)")
        }
        #expect(freeSpace.poll().level == .ok, "the disk has space for smaller photos")
        free.withLock { $0 = 6 * Self.gib }
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0)?.id == 7)
        #expect(!conditionBoard.current.contains { $0.code == "too-large-for-disk" })
    }

    /// FAT32 refuses files of 4 GiB and more.
    @Test func `does not fetch files that the file system refused until the folder changes`() throws {
        let conditionBoard = ConditionBoard { _ in }
        let freeSpace = FreeSpaceMonitor(
            directory: "/photos", minFreeBytes: 0, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock
        ) { _ in
            100 * Self.gib
        }
        #expect(!freeSpace.recordRefusedSize(3, in: "/photos"), "every file system allows a small file")
        // An EOS announces a file of 5 GiB with 1 GiB. Other files of this size fit.
        #expect(!freeSpace.recordRefusedSize(Self.gib, in: "/photos"), "every file system allows 1 GiB")
        #expect(freeSpace.recordRefusedSize(5 * Self.gib, in: "/photos"))
        var queue = FetchQueue()
        queue.append([
            photo(1, bytes: 6 * Self.gib), photo(2, bytes: 5 * Self.gib), photo(3, bytes: 4 * Self.gib),
        ])
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0)?.id == 3)
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0) == nil)
        let reported = try #require(conditionBoard.current.first)
        #expect(conditionBoard.current.map(\.code) == ["too-large-for-disk"])
        for word in ["IMG_2.JPG", "5.4 GB", "(and 1 more", "file system of /photos", "FAT32"] {
            #expect(reported.sentence.contains(word), "\(reported.sentence)")
        }
        #expect(freeSpace.recordFolder(.existing))
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0) == nil)
        // The disk is replaced.
        #expect(!freeSpace.recordFolder(.unavailable(.init(problem: "is away", nextStep: "Mount it."))))
        #expect(freeSpace.recordFolder(.existing))
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0)?.id == 1)
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0)?.id == 2)
        #expect(conditionBoard.current.isEmpty)
    }

    /// The folder of a session is on a FAT32 disk, and the capture directory is not.
    @Test func `fetches a large file if only the file system of another folder refused its size`() throws {
        let conditionBoard = ConditionBoard { _ in }
        let freeSpace = FreeSpaceMonitor(
            directory: "/photos", minFreeBytes: 0, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock, measure: { _ in 100 * Self.gib },
            identify: { DiskIdentity($0.hasPrefix("/photos/fat") ? "4d44:1:own" : "ef53:2:own") },
            folder: { $0.id == 1 ? "/photos/fat/day" : "/photos/other" })
        #expect(freeSpace.recordRefusedSize(5 * Self.gib, in: "/photos/fat"))
        var queue = FetchQueue()
        queue.append([photo(1, bytes: 5 * Self.gib), photo(2, bytes: 5 * Self.gib)])
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0)?.id == 2)
        #expect(freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0) == nil)
        let reported = try #require(conditionBoard.current.first)
        for word in ["IMG_1.JPG", "file system of /photos/fat/day"] {
            #expect(reported.sentence.contains(word), "\(reported.sentence)")
        }
        #expect(freeSpace.folderOnOtherDisk(of: "/photos/fat/day/1.JPG") == "/photos/fat/day")
        #expect(freeSpace.folderOnOtherDisk(of: "/photos/other/1.JPG") == nil)
        #expect(freeSpace.folderOnOtherDisk(of: "1.JPG") == nil)
    }

    @Test func `clears the size condition when the object is gone`() {
        let conditionBoard = ConditionBoard { _ in }
        let freeSpace = FreeSpaceMonitor(
            directory: "/photos", minFreeBytes: 0, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock
        ) { _ in
            Self.gib
        }
        var queue = FetchQueue()
        queue.append([photo(7, bytes: 5 * Self.gib)])
        #expect(
            freeSpace.nextPhoto(in: &queue, of: Self.camera, pendingBytes: 0) == nil
                && conditionBoard.current.count == 1)
        freeSpace.clearWait(of: Self.camera)
        #expect(conditionBoard.current.isEmpty)
    }
}
