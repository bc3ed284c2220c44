import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import SystemPackage
import TestRig
import Testing

@testable import CaptureEngine

/// Tests of the capture directory's identity. A changed record of the disk simulates another disk.
/// CaptureDiskTests mounts and unmounts real disks.
@Suite(.blocking) struct WorkFoldersTests {
    private let top: String
    private let settings: CaptureSettings

    init() throws {
        top = FileManager.default.temporaryDirectory.appending(path: "folders-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
        settings = CaptureSettings(
            directory: top + "/captures", template: try NamingTemplate("{original}.{ext}"), minFreeBytes: 0,
            pairSettleSeconds: 2, existing: .fetch, folderRecordPath: top + "/state/capture-folder")
    }

    private func removeFiles() { try? FileManager.default.removeItem(atPath: top) }

    /// Opens the folders like a service that starts after the last run has ended.
    ///
    /// The end of a real process releases its lock. In this test process, a child process of another test
    /// may hold a copy of the lock's descriptor until the child calls execve(2).
    private func opened() async throws -> (WorkFolders, WorkFolders.Availability) {
        let folders = try await eventually("the last run to release the folder") { () -> WorkFolders? in
            do { return try WorkFolders(settings) } catch CaptureDirectoryError.inUse { return nil }
        }
        folders.markRepaired()
        return (folders, folders.restore())
    }

    /// Checks the folders again, and waits while an earlier lock is held, for the same reason as in
    /// ``opened()``.
    private func restored(_ folders: WorkFolders) async throws -> WorkFolders.Availability {
        try await eventually("an earlier lock to be released") { () -> WorkFolders.Availability? in
            let availability = folders.restore()
            if case .unavailable(let obstacle) = availability, obstacle.problem == "is in use" { return nil }
            return availability
        }
    }

    private func memory() throws -> [String] {
        try String(contentsOfFile: settings.folderRecordPath, encoding: .utf8).split(separator: " ").map(
            String.init)
    }

    /// Changes the record to simulate a folder that was used on a disk that is now missing.
    private func rememberAnotherDisk(mark: String? = nil) throws {
        var words = try memory()
        words[0] = mark ?? words[0]
        words[1] = "ef53:1234567890abcdef:own"
        try words.joined(separator: " ").write(
            toFile: settings.folderRecordPath, atomically: true, encoding: .utf8)
    }

    @Test(arguments: [(EMFILE, true), (ENFILE, true), (ENOMEM, true), (EIO, false), (ENOENT, false)])
    func `recommends mounting the disk unless the service lacks descriptors or memory`(
        number: Int32, isShort: Bool
    ) throws {
        defer { removeFiles() }
        let error = SystemCallError(
            call: "open", subject: settings.directory, errno: Errno(rawValue: number))
        let obstacle = try WorkFolders(settings).obstacle(error)
        #expect((obstacle.shortage != nil) == isShort)
        #expect(obstacle.problem.hasPrefix("is unavailable") == !isShort, "\(obstacle.problem)")
        #expect(obstacle.nextStep.contains("Mount its disk") == !isShort, "\(obstacle.nextStep)")
    }

    @Test func `marks the folder at the first start and recognizes it later`() async throws {
        defer { removeFiles() }
        do {
            let (folders, availability) = try await opened()
            #expect(availability == .existing)
            #expect(
                try WorkFolders(settings.elsewhere(top)).restore() == .unrepaired,
                "another path, another folder")
            _ = folders
        }
        #expect(try await opened().1 == .existing)
        let mark = try String(contentsOfFile: settings.workFolder + "/captures", encoding: .utf8)
        #expect(try memory().first == mark)
    }

    @Test func `recreates an emptied, removed or moved folder on its own disk`() async throws {
        defer { removeFiles() }
        let (folders, _) = try await opened()
        let mark = try memory().first
        try FileManager.default.removeItem(atPath: settings.workFolder)
        #expect(folders.restore() == .created)
        try FileManager.default.moveItem(atPath: settings.directory, toPath: top + "/away")
        #expect(folders.restore() == .created)
        #expect(try memory().first == mark)
        try FileManager.default.removeItem(atPath: settings.directory)
        try FileManager.default.moveItem(atPath: top + "/away", toPath: settings.directory)
        #expect(try await restored(folders) == .existing)
        #expect(try memory().first == mark)
    }

    /// A network share may report a new inode number for the locked file. The service must not wait for its
    /// own lock.
    @Test func `releases the lock of an earlier file before it locks the current file`() async throws {
        defer { removeFiles() }
        let (folders, _) = try await opened()
        let (lock, earlier) = (settings.workFolder + "/lock", top + "/earlier-lock")
        try FileManager.default.moveItem(atPath: lock, toPath: earlier)
        // A folder cannot be locked.
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        guard case .unavailable = folders.restore() else {
            Issue.record("the folder with the name of the lock was not detected")
            return
        }
        _ = try await eventually("the earlier lock to be released") { () -> Bool? in
            StateLock.isHeld(earlier) ? nil : true
        }
        withExtendedLifetime(folders) {}
    }

    @Test func `accepts the folder on another disk only with its mark`() async throws {
        defer { removeFiles() }
        _ = try await opened()
        try rememberAnotherDisk()
        // The disk has a new identity, or the folder was copied to a new disk.
        #expect(try await opened().1 == .existing)
        #expect(try memory()[1] != "ef53:1234567890abcdef:own", "the new disk is recorded")

        try rememberAnotherDisk()
        try FileManager.default.removeItem(atPath: settings.directory)
        try FileManager.default.createDirectory(atPath: settings.directory, withIntermediateDirectories: true)
        let folders = try WorkFolders(settings)
        folders.markRepaired()
        guard case .unavailable(let unmounted) = folders.restore() else {
            Issue.record("the unmounted disk was not detected")
            return
        }
        #expect(unmounted.problem.contains("not mounted") && unmounted.nextStep.contains("storage adopt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: settings.directory) == [])
        try folders.adopt()
        #expect(folders.restore() == .created && folders.restore() == .existing)
    }

    @Test func `waits for adoption on a disk with another folder's mark`() async throws {
        defer { removeFiles() }
        _ = try await opened()
        let other = try memory()[0]
        try rememberAnotherDisk(mark: "the-first")
        let folders = try WorkFolders(settings)
        folders.markRepaired()
        guard case .unavailable(let strange) = folders.restore() else {
            Issue.record("the other disk was not detected")
            return
        }
        #expect(strange.problem.contains("another disk"))
        try folders.adopt()
        #expect(try await restored(folders) == .existing)
        #expect(try memory()[0] == other)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func `asks for free space on a full disk and leaves no part files`() throws {
        defer { removeFiles() }
        let disk = try SmallDisk(settings.directory, options: "size=1m")
        try disk.fill()
        let folders = try WorkFolders(settings)
        folders.markRepaired()
        for _ in 1...3 {
            guard case .unavailable(let full) = folders.restore() else {
                Issue.record("the full disk was not detected")
                return
            }
            #expect(full.problem.contains("full") && !full.problem.contains("away"))
            #expect(full.nextStep.contains("Free some space") && !full.nextStep.contains("Mount"))
        }
        #expect(try FolderReader.names(in: settings.workFolder).filter { $0.hasSuffix(".part") } == [])
        disk.remove()
        #expect(folders.restore() == .existing)
    }

    @Test func `recreates a folder that is moved during a check`()
        async throws
    {
        defer { removeFiles() }
        let (folders, _) = try await opened()
        for round in stride(from: 0, to: 100, by: Tier.isNight ? 1 : 5) {
            // The move happens during the calls of the check, which take several hundred microseconds.
            async let moved: Void = Self.move(
                settings.directory, to: "\(top)/away-\(round)", after: round % 40 * 10)
            let availability = folders.restore()
            await moved
            #expect(availability == .existing || availability == .created, "round \(round) \(availability)")
        }
    }

    private static func move(_ folder: String, to away: String, after microseconds: Int) async {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .microseconds(microseconds) {}
        rename(folder, away)
    }

    @Test func `requires the startup repair before the folder is used`() throws {
        defer { removeFiles() }
        let folders = try WorkFolders(settings)
        #expect(folders.restore() == .unrepaired)
        folders.markRepaired()
        #expect(folders.restore() == .existing)
        #expect(throws: CaptureDirectoryError.self) { try WorkFolders(settings) }
    }

    @Test func `distinguishes folders whose names differ only in Unicode form`() {
        let paths = ["/s/Ren\u{e9}/1.JPG", "/s/Ren\u{e9}/2.JPG", "/s/Rene\u{301}/1.JPG"]
        #expect(PhotoDisk.folders(of: paths).count == 2)
    }

    @Test func `distinguishes disks by kind, identity and root status`() throws {
        let root = try #require(DiskIdentity("ef53:1:root"))
        let own = try #require(DiskIdentity("ef53:1:own"))
        let memory = try #require(DiskIdentity("1021994:5:own"))
        #expect(root.isSame(as: root) && !root.isSame(as: own))
        #expect(!own.isSame(as: try #require(DiskIdentity("58465342:1:own"))))
        #expect(!own.isSame(as: try #require(DiskIdentity("ef53:2:own"))))
        #expect(
            memory.isSame(as: try #require(DiskIdentity("1021994:6:own"))),
            "a tmpfs has a new identity after each start")
        #expect(
            DiskIdentity("ef53:1") == nil && DiskIdentity("x:1:own") == nil && DiskIdentity("1:1:no") == nil)
        #expect(DiskIdentity(root.description) == root)
        #expect(try DiskIdentity.of("/no/such/folder").isRootDisk)
    }
}

extension CaptureSettings {
    fileprivate func elsewhere(_ top: String) -> CaptureSettings {
        var other = self
        other.directory = top + "/other"
        return other
    }
}
