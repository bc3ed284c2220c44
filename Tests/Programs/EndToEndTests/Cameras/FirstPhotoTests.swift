import FrameFastAPI
import TestRig
import Testing

@Suite(.programs(2)) struct FirstPhotoTests {
    @Test func `saves a RAW and its JPEG intact as one shot`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--pairs", "--size", "300KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        let records = try await rig.waitUntilSettled(2)
        #expect(records.allSatisfy { $0.state == .saved && $0.shotID == ShotID(first: records[0].id) })
        let status = try await rig.stop()
        #expect(status == 0)
    }
}
