import FrameFastAPI
import TestRig
import Testing

@Suite(.programs(3)) struct ManyPhotosTests {
    @Test(.nightly("takes minutes; FirstPhotoTests and SessionTests cover each behavior"))
    func `saves a thousand photos and 200 pairs once, numbered by shot`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "20KB-500KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("burst 500 0")
        for _ in 0..<200 { try camera.command("shoot-pair") }
        try await rig.waitUntilSaved(300)
        try camera.command("burst 500 0")
        try await rig.waitUntilSaved(1_400, within: 180)

        let truth = try camera.truth()
        #expect(truth.count == 1_400)
        let wrong = try await rig.untilIntact(truth)
        #expect(wrong == [])
        let records = try await rig.waitUntilSettled(1_400)
        #expect(Set(records.compactMap(\.path).map(Self.number)).count == 1_200, "a pair shares its number")
        let shots = Dictionary(grouping: truth, by: \.shot).filter { $0.value.count == 2 }
        #expect(shots.count == 200)
        let byName = Dictionary(grouping: records, by: \.originalName)
        for files in shots.values {
            let pair = files.compactMap { byName[$0.name]?.first }
            #expect(Set(pair.map(\.shotID)) == Set(pair.map(\.id).min().map { [ShotID(first: $0)] } ?? []))
            #expect(Set(pair.compactMap(\.path).map(Self.number)).count == 1)
        }
        #expect(Set(records.map(\.shotID)).count == 1_200)
        #expect(try await rig.stop() == 0)
    }

    private static func number(_ path: String) -> String {
        String(path.split(separator: "-").last?.split(separator: ".").first ?? "")
    }
}
