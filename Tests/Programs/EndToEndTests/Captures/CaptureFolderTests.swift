import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of obstacles in the capture folder. The service starts, reports the obstacle, and saves the waiting
/// photos after the obstacle is removed.
@Suite(.serialized, .programs(2)) struct CaptureFolderTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static func make(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    @Test(.nightly("WorkFoldersTests covers each kind of file"))
    func `reports and keeps foreign files among the part files at startup`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        let incoming = rig.captures + "/.framefast/incoming"
        try Self.make(incoming + "/12-abc.part")
        try Self.make(incoming + "/holiday")
        try Data("mine".utf8).write(to: URL(filePath: incoming + "/notes.txt"))
        #expect(mkfifo(incoming + "/1-xyz.part", 0o600) == 0)
        try Data("grown by a run that was killed".utf8).write(to: URL(filePath: incoming + "/7-abc.part"))
        try await rig.start()
        try camera.command("shoot 2")
        let left = Set(["12-abc.part", "holiday", "notes.txt", "1-xyz.part"].map { incoming + "/" + $0 })
        let found = try await rig.waitUntil(
            "two photos, the condition, and only the foreign files among the parts"
        ) {
            let status = try $0.status
            return status.captures.total >= 2 && status.condition("foreign-files") != nil
                && Set($0.parts) == left
        }
        let condition = try #require(try found.status.condition("foreign-files"))
        #expect(condition.sentence.contains("4") && condition.nextStep?.isEmpty == false)
        for path in left { try FileManager.default.removeItem(atPath: path) }
        try await rig.status("the condition to end") { $0.conditions.isEmpty }
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }

    enum Obstacle: String, CaseIterable, Sendable { case workFolder, incoming, setAside, lock, captures }

    @Test(arguments: Tier.rows(Obstacle.allCases, gate: [.incoming]))
    func `starts with an unusable capture folder and saves after a repair`(what: Obstacle) async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        rig.expectedErrors = ["condition=photos-away"]
        let work = rig.captures + "/.framefast"
        let obstacle =
            switch what {
            case .workFolder: work
            case .incoming: work + "/incoming"
            case .setAside: work + "/set-aside"
            case .lock: work + "/lock"
            case .captures: rig.captures
            }
        if what != .captures { try Self.make(what == .workFolder ? rig.captures : work) }
        // Creates a folder in place of the lock file, or a file in place of a folder.
        if what == .lock {
            try Self.make(obstacle)
        } else {
            try Data("mine".utf8).write(to: URL(filePath: obstacle))
        }
        try await rig.start()
        try camera.command("shoot 2")
        let status = try await rig.status("the condition") { $0.condition("photos-away") != nil }
        #expect(status.condition("photos-away")?.nextStep?.isEmpty == false)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        #expect(FileManager.default.fileExists(atPath: obstacle))
        try FileManager.default.removeItem(atPath: obstacle)
        try await rig.waitUntilSaved(2)
        try await rig.status("the condition to end") { $0.conditions.isEmpty }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }
}

/// Tests of a missing, replaced or read-only capture disk.
@Suite(
    .serialized, .programs(2),
    .enabled(if: LoopDisk.isPossible, "mounting a disk in a file needs root, loop devices and mkfs.ext4"))
struct CaptureDiskTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Saves two photos on the disk, stops the service and unmounts the disk. The image file keeps
    /// the file system and its identity for the next mount.
    private func savePhotosAndUnmount(_ rig: DaemonRig, _ disk: LoopDisk, _ camera: Simulator) async throws {
        rig.expectedErrors = ["condition=photos-away"]
        try await rig.start()
        try camera.command("shoot 2")
        try await rig.waitUntilSaved(2)
        #expect(try await rig.stop() == 0)
        try await disk.unmount()
    }

    @Test func `holds photos and writes nothing while their disk is unmounted`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let disk = try LoopDisk(folder.path("disk"))
        let rig = try DaemonRig(cameras: [("a", camera.address)], captures: disk.path)
        try await savePhotosAndUnmount(rig, disk, camera)
        try await rig.start()
        try camera.command("shoot 3")
        let away = try await rig.status("the condition") { $0.condition("photos-away") != nil }
        #expect(away.condition("photos-away")?.severity == .danger)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
        try disk.mount()
        try await rig.waitUntilSaved(5)
        try await rig.status("the condition to end") { $0.conditions.isEmpty }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        // Unmounts the disk while the service uses it, like a desktop after a pulled cable.
        try await disk.unmount(isLazy: true)
        try camera.command("shoot 2")
        try await rig.status("the condition") { $0.condition("photos-away") != nil }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
        try disk.mount()
        try await rig.waitUntilSaved(7)
        let missing = try await rig.untilIntact(camera.truth())
        #expect(missing == [])
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }

    @Test(.nightly("in the gate, the test with an unmounted disk covers the identity of a disk"))
    func `saves to another disk after the user adopts it`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let disk = try LoopDisk(folder.path("disk"))
        let rig = try DaemonRig(cameras: [("a", camera.address)], captures: disk.path)
        try await savePhotosAndUnmount(rig, disk, camera)
        rig.expectedFindings = [.fileMissing: "one of two disks with photos is mounted"]
        let other = try LoopDisk(disk.path, image: folder.path("other.img"))
        try await rig.start()
        try camera.command("shoot 3")
        let away = try await rig.status("the condition") { $0.condition("photos-away") != nil }
        #expect(away.condition("photos-away")?.nextStep?.contains("framefast storage adopt") == true)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: other.path).contains(".framefast") == false)
        let adopt = try await PrintedCommand.run(of: "photos-away", in: away, on: rig, adding: ["--yes"])
        #expect(adopt.status == 0, "\(adopt.output)")
        let adopted = try await rig.waitUntil("five photos, and no condition") {
            try $0.status.captures.total >= 5 && $0.status.conditions.isEmpty && $0.isSettled
        }
        #expect(try adopted.files.count == 3, "[loss] wrong number of files on the new disk")
        #expect(try await rig.stop() == 0)
        // The service now treats the first disk as a different disk.
        try await other.unmount()
        try disk.mount()
        try await rig.start()
        try await rig.status("the condition") { $0.condition("photos-away") != nil }
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("in the gate, the test with an unmounted disk covers a folder that is available again"))
    func `holds photos while their disk is read-only and saves them afterwards`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let disk = try LoopDisk(folder.path("disk"))
        let rig = try DaemonRig(cameras: [("a", camera.address)], captures: disk.path)
        rig.expectedErrors = ["condition=photos-away", "condition=save-failing", "cannot save"]
        try await rig.start()
        try camera.command("shoot 2")
        try await rig.waitUntilSaved(2)
        #expect(try await rig.stop() == 0)
        try disk.remount(isReadOnly: true)
        try await rig.start()
        try camera.command("shoot 2")
        let status = try await rig.status("the condition") { $0.condition("photos-away") != nil }
        #expect(status.condition("photos-away")?.sentence.contains("Read-only") == true)
        try disk.remount(isReadOnly: false)
        try await rig.waitUntilSaved(4)
        try await rig.status("the condition to end") { $0.conditions.isEmpty }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }
}

extension StatusReply {
    fileprivate func condition(_ code: String) -> ConditionReply? { conditions.first { $0.code == code } }
}
