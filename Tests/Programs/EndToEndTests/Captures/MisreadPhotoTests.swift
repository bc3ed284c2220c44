import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of photos with misread or changed names, folders and metadata. Other tests move the capture folder
/// while the service uses it.
@Suite(.serialized, .programs(2)) struct MisreadPhotoTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func waitUntilReady(_ rig: DaemonRig) async throws {
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
    }

    /// If a folder name is misread once, the daemon requests the name again. If the name is always misread,
    /// the daemon accepts the name, and recognizes the photos by their bytes.
    @Test(arguments: Tier.rows(["*always", "*2", ""], gate: 1))
    func `saves no duplicates when the camera's folder name is misread`(times: String) async throws {
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "100KB", "--existing", "8"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.waitUntilSaved(8)
        try await rig.stop()
        try camera.command("fault folder-nameless\(times)")
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("shoot")
        try await rig.waitUntilSaved(9)
        let wrong = try await rig.untilIntact(camera.card())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    /// If an object's metadata is truncated, the driver lists the photo in memory, in addition to the photo
    /// on the card.
    @Test(
        arguments: Tier.rows(["nikon", "generic"], gate: 1),
        Tier.rows(["", ":0", ":50", "*2", "*3"], gate: 1))
    func `saves a photo once if its announced metadata is truncated`(maker: String, how: String) async throws
    {
        let camera = try await Simulator(folder, ["--maker", maker, "--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("fault info-short\(how)")
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        try camera.command("shoot")
        try await rig.waitUntilSaved(2)
        try await rig.waitUntilSettled(2)
        try await rig.waitUntilIdle()
        try await rig.stop()
        // In the next connection, the camera lists the photo under the photo's own name.
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("shoot")
        try await rig.waitUntilSaved(3)
        let last = try await rig.waitUntil("three photos to be in a final state", within: 60) {
            try $0.records.count >= 3 && $0.isSettled
        }
        #expect(try last.records.map(\.state) == [.saved, .saved, .saved], "[loss] wrong records")
        #expect(try last.hashes == camera.truth().map(\.sha256).sorted(), "[loss] wrong photos on disk")
        // After three truncated replies, the record keeps the driver's name for the photo in memory. The test
        // has compared the bytes before.
        if how != "*3" {
            let wrong = try await rig.untilIntact(camera.truth())
            #expect(wrong == [])
        }
        #expect(try await rig.stop() == 0)
    }

    /// The worker still uses the old folder and must end. Only the old folder contains the photos that the
    /// worker read from the camera's memory.
    @Test(.nightly("in the gate, another test of this suite moves the folder, and CampaignTests has a Sony"))
    func `saves a Sony's photos when the capture folder is moved away`() async throws {
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "200KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        try await rig.waitUntilIdle()
        try FileManager.default.moveItem(atPath: rig.captures, toPath: folder.path("elsewhere"))
        rig.expectedFindings = [.fileMissing: "the test moves the capture folder"]
        try camera.command("shoot 6")
        let last = try await rig.waitUntil("seven photos, and no condition", within: 60) {
            try $0.status.captures.total >= 7 && $0.status.conditions.isEmpty && $0.isSettled
        }
        let taken = try camera.truth().dropFirst().map(\.sha256).sorted()
        #expect(try last.hashes == taken, "[loss] wrong photos in the new folder")
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("takes three sessions of 60 photos; USBMakerSessionTests covers a Sony"))
    func `saves photos once if a Sony takes them while its connection opens`() async throws {
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "2MB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        for _ in 1...3 {
            try rig.launch()
            // Photos from before the connection are on the card, which a Sony does not list.
            try camera.command("burst 60 50")
            let before = try await rig.status("the camera to be ready") {
                $0.cameras.first?.state == .ready
            }
            .captures.total
            try camera.command("shoot")
            try await rig.waitUntilSaved(before + 1)
            try await rig.waitUntilIdle()
            try await rig.stop()
        }
        let taken = try Set(camera.truth().map(\.sha256))
        let files = try rig.files().values
        #expect(
            files.count > 3 && Set(files).count == files.count && taken.isSuperset(of: files),
            "[loss] wrong photos on disk")
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }

    enum FolderChange: String, CaseIterable, Sendable { case moved, removed, emptied, sessionMoved }

    @Test(arguments: Tier.rows(FolderChange.allCases, gate: 1))
    func `recreates a moved, removed or emptied capture folder for the next photo`(change: FolderChange)
        async throws
    {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        _ = try rig.client.call(\.sessions.start, .init(name: "One"))
        try camera.command("shoot 2")
        try await rig.waitUntilSaved(2)
        try await rig.waitUntilIdle()
        let files = FileManager.default
        rig.expectedFindings = [.fileMissing: "the test moves or removes saved photos"]
        switch change {
        case .moved: try files.moveItem(atPath: rig.captures, toPath: folder.path("elsewhere"))
        case .removed: try files.removeItem(atPath: rig.captures)
        case .emptied:
            for name in try files.contentsOfDirectory(atPath: rig.captures) {
                try files.removeItem(atPath: rig.captures + "/" + name)
            }
        case .sessionMoved: try files.moveItem(atPath: rig.captures + "/One", toPath: folder.path("One"))
        }
        try camera.command("shoot 3")
        let last = try await rig.waitUntil("five photos, and no condition", within: 60) {
            try $0.status.captures.total >= 5 && $0.status.conditions.isEmpty && $0.isSettled
        }
        #expect(try last.files.count == 3, "[loss] wrong photos in the new folder")
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }

    @Test func `rereads a damaged photo in the next connection and saves it intact`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        rig.expectedErrors = ["condition=photo-damaged"]
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("fault zero-read*always@shot 1")
        try camera.command("shoot 2")
        try await rig.waitUntilSettled(2)
        try await rig.status("the damage to be reported") {
            $0.conditions.contains { $0.code == "photo-damaged" }
        }
        try camera.command("clear-faults")
        try camera.command("link down")
        try await rig.waitUntilDisconnected()
        try camera.command("link up")
        try await rig.waitUntilSaved(2)
        try await rig.status("the condition to end") { $0.conditions.isEmpty }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        let kept = try FileManager.default.contentsOfDirectory(
            atPath: rig.captures + "/.framefast/set-aside")
        #expect(kept == [])
        #expect(try await rig.stop() == 0)
    }
}
