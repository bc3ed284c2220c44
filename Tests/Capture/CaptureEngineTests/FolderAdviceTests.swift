import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import GRDB
import Logging
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine
@testable import Store

/// Tests of the next steps of conditions about the capture disk and folder. Each test raises a condition,
/// performs the next step, and checks that the condition is cleared.
@Suite(.blocking) struct FolderAdviceTests {
    private static let gib: UInt64 = 1 << 30

    /// A test case: a disk with little free space, a waiting photo, and the condition that they cause.
    struct Row: Sendable, CustomTestStringConvertible {
        var kind: ConditionKind
        /// A part of the next step's text.
        var advice: String
        /// The initial free space, in bytes.
        var freeBytes: UInt64
        /// The size of the waiting photo, in bytes.
        var photoBytes: UInt64

        var testDescription: String { kind.rawValue }
    }

    static let rows = [
        Row(
            kind: .diskLow, advice: "Move finished sessions to another disk", freeBytes: gib + gib / 2,
            photoBytes: 1 << 20),
        Row(
            kind: .diskFull, advice: "Free some space in /photos", freeBytes: gib / 2, photoBytes: 1 << 20),
        Row(
            kind: .tooLargeForDisk, advice: "Free some space in /photos to fetch the file",
            freeBytes: 3 * gib, photoBytes: 5 * gib),
    ]

    @Test(arguments: rows)
    func `clears a disk condition after space is freed`(row: Row) throws {
        let conditionBoard = ConditionBoard { _ in }
        let free = Mutex(row.freeBytes)
        let freeSpace = FreeSpaceMonitor(
            directory: "/photos", minFreeBytes: Self.gib, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock
        ) { _ in
            free.withLock { $0 }
        }
        let camera = ConfiguredCamera(id: "a", name: "a", port: "usb:", zone: .gmt, deletesAfterSave: false)
        var queue = FetchQueue()
        queue.append([
            CaptureRecord(
                id: 7, bodyID: "a",
                object: CameraObject(folder: "/DCIM", name: "A.MOV", size: row.photoBytes, cameraTime: nil),
                state: .seen, sessionID: nil, detectedAt: Date(timeIntervalSince1970: 0))
        ])
        let first = freeSpace.nextPhoto(in: &queue, of: camera, pendingBytes: 0)
        let condition = try #require(conditionBoard.current.first)
        #expect(conditionBoard.current.map(\.kind) == [row.kind])
        #expect(condition.nextStep.contains(row.advice), "\(condition.nextStep)")
        free.withLock { $0 = 20 * Self.gib }
        if first == nil { #expect(freeSpace.nextPhoto(in: &queue, of: camera, pendingBytes: 0)?.id == 7) }
        _ = freeSpace.poll()
        #expect(conditionBoard.current.isEmpty)
    }

    @Test func `clears the missing-folder condition after the folder is moved back`() throws {
        let scratch = try ScratchFolder()
        let (captures, away) = (scratch.path("captures"), scratch.path("away"))
        try DurableFile.createFolder(captures)
        let conditionBoard = ConditionBoard { _ in }
        let freeSpace = FreeSpaceMonitor(
            directory: captures, minFreeBytes: 0, conditionBoard: conditionBoard,
            clock: VirtualClock().hostClock)
        try FileManager.default.moveItem(atPath: captures, toPath: away)
        _ = freeSpace.poll()
        #expect(conditionBoard.current.map(\.kind) == [.photosAway])
        #expect(
            conditionBoard.current.first?.nextStep.hasPrefix(
                "If the folder was moved by mistake, move it back")
                == true
        )
        try FileManager.default.moveItem(atPath: away, toPath: captures)
        _ = freeSpace.poll()
        #expect(conditionBoard.current.isEmpty)
    }

    /// Limits a ledger to its current pages, as a full disk does.
    private static func fill(_ ledger: LedgerStore) async throws {
        try await ledger.database.writeWithoutTransaction { db in
            // SQLite never limits a database to fewer pages than it has.
            try db.execute(sql: "VACUUM; PRAGMA max_page_count = 1")
        }
    }

    /// Removes the limit of ``fill(_:)``.
    private static func free(_ ledger: LedgerStore) async throws {
        try await ledger.database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA max_page_count = 1073741823")
        }
    }

    @Test func `clears the ledger condition after the ledger's disk is usable again`() async throws {
        // The records of these photos do not fit in one page.
        let folder = "/store_00010001/" + String(repeating: "x", count: 3_000)
        let photos = ["A", "B"].map {
            CameraObject(folder: folder, name: "\($0).XML", size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera(photos) { object, _, _ in
            Data("\(object.name.prefix(1))ml".utf8)
        }
        defer { camera.remove() }
        try await Self.fill(camera.ledger)
        let proof = NextStepProof(
            camera, .ledgerFailing, "or repair the disk. FrameFast then continues automatically", photos: 2)
        // The supervisor connects a camera again after an error of the ledger.
        try await proof.runReconnecting(follow: { try await Self.free(camera.ledger) })
    }

    // MARK: The folder

    /// A service with a monitored folder for photos. The disk of a folder named `no-fsync` does not support
    /// `fsync`.
    private struct Fixture {
        let scratch: ScratchFolder
        let settings: CaptureSettings
        let ledger: LedgerStore
        let conditionBoard: ConditionBoard
        let watch: FolderWatch

        /// - Parameters:
        ///   - scratch: The folder of the service's files.
        ///   - captures: The name of the folder for photos.
        init(_ scratch: ScratchFolder? = nil, captures: String = "captures") throws {
            let clock = VirtualClock().hostClock
            let (scratch, conditionBoard) = (try scratch ?? ScratchFolder(), ConditionBoard { _ in })
            let settings = CaptureSettings(
                directory: scratch.path(captures), template: try NamingTemplate("{original}.{ext}"),
                minFreeBytes: 0, pairSettleSeconds: 2, existing: .fetch,
                folderRecordPath: scratch.path("state/capture-folder"))
            let ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
            let repair = StartupRepair(
                ledger: ledger, parts: PartFiles(folder: settings.incomingFolder, clock: clock),
                directory: settings.directory,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock)
            watch = FolderWatch(
                folders: try WorkFolders(settings),
                freeSpace: FreeSpaceMonitor(
                    directory: settings.directory, minFreeBytes: 0, conditionBoard: conditionBoard,
                    clock: clock),
                repair: repair, conditionBoard: conditionBoard,
                ledgerCondition: LedgerCondition(conditionBoard: conditionBoard),
                clock: clock, isSyncOffered: { !$0.hasSuffix("/no-fsync") })
            (self.scratch, self.settings, self.ledger, self.conditionBoard) = (
                scratch, settings, ledger, conditionBoard
            )
        }

        /// Checks the folder once and expects one condition with this text in its next step.
        func expect(_ kind: ConditionKind, _ advice: String) async throws {
            try await watch.check()
            #expect(conditionBoard.current.map(\.kind) == [kind])
            let step = conditionBoard.current.first?.nextStep ?? ""
            #expect(step.contains(advice), "\(step)")
        }

        /// Checks the folder as often as the service does in half a minute, and expects no condition.
        func expectEnd() async throws {
            for _ in 0..<30 { try await watch.check() }
            #expect(conditionBoard.current.isEmpty)
        }
    }

    @Test func `reports foreign files until they are moved elsewhere`() async throws {
        let fixture = try Fixture()
        let place = fixture.settings.incomingFolder + "/notes.txt"
        try Data("mine".utf8).write(to: URL(filePath: place))
        try await fixture.expect(.foreignFiles, "to another folder")
        try FileManager.default.moveItem(atPath: place, toPath: fixture.scratch.path("notes.txt"))
        try await fixture.expectEnd()
    }

    @Test func `marks an interrupted photo as seen after its folder becomes readable`()
        async throws
    {
        let fixture = try Fixture()
        let object = CameraObject(folder: "/DCIM", name: "A.JPG", size: 5, cameraTime: 1)
        let id = try #require(
            try await fixture.ledger.recordSeen([object], camera: "a", session: nil, at: Date()).first?.id)
        let folder = fixture.scratch.path("sub")
        _ = try await fixture.ledger.beginPublishing(
            [Arrival(id: id, bytes: 5, sha256: String(repeating: "0", count: 64), transferMs: 1)],
            naming: .init(
                counterScope: { _ in "s" }, path: { _, _ in folder + "/photo.jpg" }, pairSettleSeconds: 2))
        // A symbolic link to itself simulates an unreadable folder, even for root.
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: "sub")
        try await fixture.expect(
            .repairWaits, "Give the service read and write access to the named file or folder")
        try FileManager.default.removeItem(atPath: folder)
        try await fixture.expectEnd()
        #expect(try await fixture.ledger.capture(id: id)?.state == .seen)
    }

    @Test func `reports a disk without fsync until the folder is on another disk`() async throws {
        let scratch = try ScratchFolder()
        let before = try Fixture(scratch, captures: "no-fsync")
        for _ in 0..<2 {
            try await before.expect(.syncNotOffered, "or save them to a disk with ext4, XFS or Btrfs")
        }
        // The service is configured for a folder on another disk, and restarted.
        let after = try Fixture(scratch, captures: "captures")
        try await after.expectEnd()
        #expect(DurableFile.isFolder(after.settings.incomingFolder))
    }
}
