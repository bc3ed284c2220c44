import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Settings of a camera that has the standard's only.
@Suite(.serialized, .programs(2)) struct GenericSettingsTests {
    private func opened() throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        return (camera, worker)
    }

    @Test func `the mode is set, and decides on the aperture and the shutter`() throws {
        let (camera, worker) = try opened()
        defer { withExtendedLifetime(camera) {} }
        #expect(try worker.change(["mode": "S"]).map(\.outcome) == [.set])
        #expect(try worker.settings(["aperture", "shutter", "iso"]).map(\.writable) == [.no, .yes, .yes])
        #expect(
            try worker.change(["aperture": "8", "shutter": "1/125", "iso": "800"]).map(\.outcome) == [
                .readOnly, .set, .set,
            ])
        #expect(try worker.settings(["aperture"]).first?.value?.text == "2.8")
        let results = try worker.change(["mode": "A", "aperture": "8", "shutter": "1/250"])
        #expect(results.map(\.outcome) == [.set, .set, .readOnly])
    }

    private static let answers = [
        ("2002", CameraSettingResult.Outcome.refused), ("2005", .unsupported), ("2019", .busy),
        ("200a", .refused), ("200f", .refused), ("201c", .refused), ("ok", .ignored),
    ]

    @Test(arguments: Tier.rows(answers, gate: [answers[1], answers[5], answers[6]]))
    func `each answer to a set is told as what it is, and the setting stays`(
        answer: String, outcome: CameraSettingResult.Outcome
    ) throws {
        let (camera, worker) = try opened()
        try camera.say("refuse 500f \(answer)")
        let result = try #require(worker.change(["iso": "800"]).first)
        #expect(result.outcome == outcome, "\(result)")
        let reason = try #require(result.reason)
        #expect(reason.hasSuffix(".") && !reason.hasSuffix(".."))
        #expect(try worker.settings(["iso"]).first?.value?.text == "400")
    }

    @Test func `dials that are turned on the body are told, and what they lock`() throws {
        let (camera, worker) = try opened()
        _ = try worker.list()
        _ = try worker.wait { if case .settingsChanged = $0 { true } else { nil } }
        func told(_ key: CameraSettingKey) throws -> CameraSetting {
            try worker.wait {
                if case .settingsChanged(let settings, _) = $0 {
                    settings.first { $0.key == key }
                } else {
                    nil
                }
            }
        }
        try camera.say("dial iso=1600")
        #expect(try told(.iso).value?.text == "1600")
        try camera.say("dial mode=A")
        #expect(try told(.shutter).writable == .no)
    }
}
