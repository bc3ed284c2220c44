import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of full disks. A full disk delays photos, but no photo is lost and no incomplete file remains.
@Suite(
    .serialized, .programs(2),
    .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs root and the right to mount"))
struct DiskFullTests {
    /// Expected log lines while the disk for photos is full, and while the ledger's disk is full.
    private static let full = ["condition=disk-full"]
    private static let ledger = [
        "condition=ledger-failing", "cannot write to the ledger", "cannot use the ledger",
        "cannot write the upload queue", "condition=upload-queue-stuck",
    ]

    @Test(.nightly("in the gate, another test covers the condition, DiskGuardTests covers the reserve"))
    func `stops saving before the reserve is used and resumes with free space`() async throws {
        let folder = try ScratchFolder()
        let disk = try SmallDisk(folder.path("disk"), options: "size=100m")
        try disk.fill(bytes: 60 << 20)
        let camera = try await Simulator(folder, ["--size", "2MB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)], captures: disk.path, capture: ["min_free = \"8 MiB\""])
        rig.expectedErrors = Self.full
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("burst 30 0")

        let full = try await rig.status("the condition") { $0.condition("disk-full") != nil }
        let condition = try #require(full.condition("disk-full"))
        #expect(condition.nextStep?.isEmpty == false)
        #expect(full.disk.guard == .full)
        #expect(disk.freeBytes >= 8 << 20)
        let saved = try await rig.files("as many photos as fit") { $0.count > 10 }
        let truth = try camera.truth()
        #expect(
            saved.values.allSatisfy { hash in truth.contains { $0.sha256 == hash } }, "[loss] foreign bytes")
        #expect(saved.count < 30)

        disk.remove()
        try await rig.waitUntilSaved(30)
        try await rig.status("the condition to end") {
            $0.condition("disk-full") == nil && $0.disk.guard == .ok
        }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    @Test func `a full disk leaves no partial file and delays the photo`() async throws {
        let folder = try ScratchFolder()
        let disk = try SmallDisk(folder.path("disk"), options: "size=40m")
        // The transfer takes so long that the disk is full before the photo is complete, even if the test is
        // delayed.
        let camera = try await Simulator(folder, ["--size", "10MB", "--rate", "1MB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)], captures: disk.path, capture: ["min_free = \"0 MiB\""])
        rig.expectedErrors = Self.full
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.waitUntil("a growing part file") { snapshot in
            snapshot.parts.contains { path in
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                return (size ?? 0) > 1_000_000
            }
        }
        try disk.fill()

        let full = try await rig.status("the condition") { $0.condition("disk-full") != nil }
        let step = full.condition("disk-full")?.nextStep
        #expect(step?.contains("Free some space in \(disk.path)") == true, "\(step ?? "")")
        let empty = try await rig.waitUntil("the part file to be gone") { $0.parts.isEmpty }
        #expect(try empty.files.keys.filter { $0 != "filler" } == [], "[loss] an incomplete file")

        disk.remove()
        try await rig.waitUntilSaved(1)
        try await rig.status("the condition to end") { $0.condition("disk-full") == nil }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("measures the processor time of retries"))
    func `pauses between retries on a disk without free inodes`() async throws {
        let folder = try ScratchFolder()
        // The disk has free bytes but few inodes. The folder, its subfolders and filler files use all inodes.
        let disk = try SmallDisk(folder.path("disk"), options: "size=40m,nr_inodes=30")
        let camera = try await Simulator(folder, ["--size", "500KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)], captures: disk.path)
        rig.expectedErrors = Self.full
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        var fillers: [String] = []
        while (try? disk.fill("filler-\(fillers.count)", bytes: 1)) != nil {
            fillers.append("filler-\(fillers.count)")
        }
        try camera.command("burst 3 0")

        try await rig.status("the condition") { $0.condition("disk-full") != nil }
        let daemon = try #require(rig.program?.pid)
        let before = try EnduranceTests.cpuSeconds(of: daemon)
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(100))
            #expect(try rig.status().condition("disk-full") != nil, "the condition was cleared too early")
        }
        #expect(try EnduranceTests.cpuSeconds(of: daemon) - before < 1, "the service retries without a pause")

        for filler in fillers { disk.remove(filler) }
        try await rig.waitUntilSaved(3)
        try await rig.status("the condition to end") { $0.condition("disk-full") == nil }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    @Test func `reports an unwritable ledger, keeps running and records the photos later`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "300KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        let disk = try SmallDisk(rig.folder.path("state"), options: "size=8m")
        rig.expectedErrors = Self.ledger
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        try disk.fill()
        try camera.command("burst 5 0")

        let failing = try await rig.status("the condition") { $0.condition("ledger-failing") != nil }
        let step = failing.condition("ledger-failing")?.nextStep
        #expect(
            step?.contains("or repair the disk. FrameFast then continues automatically") == true,
            "\(step ?? "")")
        try camera.command("burst 5 0")
        #expect(rig.program?.isRunning == true)

        disk.remove()
        try await rig.waitUntilSaved(11)
        try await rig.status("the condition to end") { $0.condition("ledger-failing") == nil }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("measures the time of a stop; in the gate, another test has an unwritable ledger"))
    func `stops in time with an unwritable ledger and loses no photo`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "300KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        let disk = try SmallDisk(rig.folder.path("state"), options: "size=8m")
        rig.expectedErrors = Self.ledger
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        // The ledger fails during the transfers: some photos are on disk and can't be recorded.
        try camera.command("burst 20 0")
        try await rig.waitUntilSaved(1)
        try disk.fill()
        try await rig.status("the condition") { $0.condition("ledger-failing") != nil }

        let began = ContinuousClock.now
        #expect(try await rig.stop(within: 20) == 0)
        let seconds = began.duration(to: .now) / .seconds(1)
        print("DiskFullTests: stopped with a failing ledger in \(seconds) s")
        #expect(seconds < StopTests.stopSeconds)

        disk.remove()
        try await rig.start()
        try await rig.waitUntilSaved(20)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("fills two disks; in the gate, other tests of this suite fill each disk"))
    func `completes queued uploads while the disks are full`() async throws {
        let folder = try ScratchFolder()
        let captures = try SmallDisk(folder.path("captures"), options: "size=60m")
        let nas = folder.path("nas")
        try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
        let camera = try await Simulator(folder, ["--size", "500KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)], captures: captures.path,
            capture: ["min_free = \"8 MiB\""],
            tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\""])
        let state = try SmallDisk(rig.folder.path("state"), options: "size=96m")
        rig.expectedErrors = Self.full + Self.ledger
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        _ = try rig.client.pauseUploads(true)
        try camera.command("burst 20 0")
        try await rig.status("the photos to be queued") { $0.uploads.queued == 20 }

        try captures.fill()
        try state.fill()
        try camera.command("burst 5 0")
        let full = try await rig.status("the condition") { $0.condition("disk-full") != nil }
        #expect(full.condition("disk-full")?.sentence.contains(captures.path) == true)
        _ = try? rig.client.pauseUploads(false)
        let done = try await rig.status("the uploads to be complete") { $0.uploads.delivered == 20 }
        #expect(
            !FileManager.default.fileExists(atPath: state.path + "/ballast"),
            "the service released its reserve file")
        #expect(done.captures.total == 20)

        // The service has already deleted its reserve file. A second full disk therefore causes a condition
        // until the disk has free space.
        captures.remove()
        try await rig.waitUntilSaved(25)
        try state.fill("again")
        try camera.command("burst 5 0")
        try await rig.status("a condition that names the disk") { status in
            status.conditions.contains { $0.sentence.contains(state.path) || $0.sentence.contains("ledger") }
        }
        state.remove()
        state.remove("again")
        try await rig.status("everything to be delivered", within: 60) { $0.uploads.delivered == 30 }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }
}

extension StatusReply {
    fileprivate func condition(_ code: String) -> ConditionReply? { conditions.first { $0.code == code } }
}

extension DaemonRig {
    fileprivate func files(_ what: String, _ isFulfilled: ([String: String]) -> Bool) async throws -> [String:
        String]
    {
        try await eventually(what) {
            let files = try files().filter { $0.key != "filler" }
            return isFulfilled(files) ? files : nil
        }
    }
}
