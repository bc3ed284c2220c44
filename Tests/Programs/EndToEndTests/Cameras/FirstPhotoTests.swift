import FrameFastAPI
import TestRig
import Testing

@Suite struct FirstPhotoTests {
    @Test func `a RAW and its JPEG land on disk, named, recorded and equal to what the camera took`()
        async throws
    {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--pairs", "--size", "300KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.saved(2)

        let truth = try camera.truth()
        let records = try rig.records()
        #expect(Set(records.compactMap(\.sha256)) == Set(truth.map(\.sha256)))
        #expect(Set(try rig.files().values) == Set(truth.map(\.sha256)))
        #expect(records.allSatisfy { $0.state == .saved && $0.shotID == ShotID(first: records[0].id) })
        #expect(rig.parts().isEmpty)
        let status = try await rig.stop()
        #expect(status == 0)
    }
}
