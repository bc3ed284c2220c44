import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

@Suite(.programs(2)) struct BurstAndTriggerTests {
    @Test func `releases the shutter and announces new photos during a long transfer`() async throws {
        try await releaseDuringTransfer(withinSeconds: nil)
    }

    @Test(.nightly("measures the time of two releases"))
    func `two releases take at most two seconds during a long transfer`() async throws {
        try await releaseDuringTransfer(withinSeconds: 2)
    }

    /// - Parameter secondsMax: The longest time for two releases, in seconds, or `nil` if the test does not
    ///   measure the time.
    private func releaseDuringTransfer(withinSeconds secondsMax: Double?) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "12MB", "--rate", "3MB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.status("the photo to arrive") {
            ($0.cameras.first?.progress?.bytes ?? 0) > 0 || $0.captures.total > 0
        }

        let pressed = ContinuousClock.now
        #expect(try rig.client.trigger(camera: "a").value.triggered == ["a"])
        #expect(try rig.client.trigger().value.triggered == ["a"])
        if let secondsMax { #expect(pressed.duration(to: .now) < .seconds(secondsMax)) }
        try camera.command("burst 2 10")
        let records = try await rig.waitUntil("the new photos to be announced") { snapshot in
            let records = try snapshot.records
            return records.count == 5 ? records : nil
        }
        if secondsMax != nil {
            #expect(
                records.allSatisfy { $0.state == .receiving }, "the first photo was still being transferred")
        }
        let wrong = try await rig.untilIntact(camera.card())
        #expect(wrong == [])
        try await rig.stop()
    }

    /// libgphoto2's EOS driver discards announcements when it releases the shutter
    /// (`camera_trigger_canon_eos_capture`).
    @Test(
        .nightly("CatchUpTests covers a lost announcement, worker tests cover each maker's release"),
        arguments: ["generic", "canon", "nikon"])
    func `saves the photos of six releases requested at the same time`(maker: String) async throws {
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
        try await rig.waitUntilSaved(12, within: 30)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }
}
