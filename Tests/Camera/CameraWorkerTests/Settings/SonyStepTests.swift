import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// A Sony whose dials go by steps, each of which takes its time.
@Suite(.serialized, .programs(2)) struct SonyStepTests {
    private static let old = ["--sony-settings", "old", "--sony-step", "100", "--size", "50KB"]

    private func opened() throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera(maker: "sony", Self.old)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        return (camera, worker)
    }

    private static let walks = [
        ("aperture", "5.6", "5007", 560), ("iso", "1600", "d21e", 1600),
        ("shutter", "1/1000", "d20d", 1 << 16 | 1000),
        ("shutter", "1/30", "d20d", 1 << 16 | 30), ("exposure_compensation", "-1", "5010", -1000),
    ]

    @Test(arguments: Tier.rows(walks, gate: [walks[0], walks[3]]))
    func `a setting walks to its value, and is set when the camera says that it is there`(
        key: String, value: String, code: String, number: Int
    ) throws {
        let (camera, worker) = try opened()
        let result = try #require(try worker.change([key: value]).first)
        #expect(result.outcome == .set, "\(result)")
        #expect(try camera.body()[code] == number)
        #expect(try worker.settings([key]).first?.value?.text == value)
    }

    /// The driver offers apertures that the lens does not have.
    @Test func `reports a dial that stops one step early as adjusted, with the value that it has`() throws {
        let (camera, worker) = try opened()
        try camera.say("dial aperture=20")
        let offered = try #require(worker.settings(["aperture"]).first).choices.compactMap(\.value?.text)
        let beyond = try #require(offered.first { Double($0).map { $0 > 22 } == true })
        let result = try #require(try worker.change(["aperture": beyond]).first)
        #expect(result.outcome == .adjusted && result.now?.value?.text == "22", "\(result)")
        #expect(result.reason?.contains("22") == true)
        #expect(try camera.body()["5007"] == 2_200)
    }

    @Test func `reports a dial that takes no step as ignored`() throws {
        let (camera, worker) = try opened()
        try camera.say("dial iso=100")
        // The answer is OK, as real bodies give it for some values of their list.
        try camera.say("refuse d21e ok")
        let result = try #require(try worker.change(["iso": "800"]).first)
        #expect(result.outcome == .ignored, "\(result)")
        #expect(try worker.settings(["iso"]).first?.value?.text == "100")
    }

    @Test func `a photo that is taken while a dial walks comes in`() throws {
        let (camera, worker) = try opened()
        let order = CameraSettingsOrder([CameraSettingChange(name: "aperture", value: "16")])
        let id = try worker.send { .writeSettings(id: $0, order) }
        #expect(try camera.say("shoot").hasPrefix("ok"))
        let photo = try worker.nextObject()
        guard case .settingResults(_, let results) = try worker.answer(to: id) else {
            Issue.record("no results")
            return
        }
        #expect(results.map(\.outcome) == [.set])
        #expect(photo.name.hasPrefix("DSC"))
    }

    /// The answer holds every property: one of them must not cost a table of its own.
    @Test(.nightly("measures requests in the time that they take"))
    func `all settings cost a table at most, beside the looks for events`() throws {
        let (camera, worker) = try opened()
        func tables() throws -> Int { try camera.state().requests["sonyGetAllProperties"] ?? 0 }
        _ = try worker.settings()
        let (before, start) = (try tables(), monotonicMs())
        let readings = 20
        for _ in 0..<readings { #expect(try worker.settings().count > 5) }
        let looks = 2 * (monotonicMs() - start) / 50 + 2
        #expect(try tables() - before <= readings + looks)
    }
}
