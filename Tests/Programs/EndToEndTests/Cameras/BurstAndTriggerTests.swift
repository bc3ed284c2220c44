import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

@Suite struct BurstAndTriggerTests {
    @Test func `while a long photo comes in the shutter is released at once and new photos are announced`()
        async throws
    {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "12MB", "--rate", "3MB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.status("the photo to come in") { ($0.cameras.first?.progress?.bytes ?? 0) > 0 }

        let pressed = ContinuousClock.now
        #expect(try rig.client.trigger(camera: "a").value.triggered == ["a"])
        #expect(try rig.client.trigger().value.triggered == ["a"])
        #expect(pressed.duration(to: .now) < .seconds(2))
        try camera.command("burst 2 10")
        let records = try await eventually("the new photos to be announced", within: 3) {
            let records = try rig.records()
            return records.count == 5 ? records : nil
        }
        #expect(
            records.allSatisfy { $0.state == .receiving }, "all of this while the first was still coming in")
        try await rig.saved(5)
        let wrong = try rig.differences(from: camera.card())
        #expect(wrong == [])
    }

    /// The EOS driver throws announcements away when it releases the shutter (camera_trigger_canon_eos_capture).
    @Test(arguments: ["generic", "canon", "nikon"])
    func `photos of releases that come all at once arrive`(maker: String) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB", "--maker", maker, "--pairs"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let client = rig.client
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 { group.addTask { _ = try client.trigger(camera: "a") } }
            try await group.waitForAll()
        }
        try await rig.saved(12, within: 30)
        let wrong = try rig.differences(from: camera.truth())
        #expect(wrong == [])
    }
}
