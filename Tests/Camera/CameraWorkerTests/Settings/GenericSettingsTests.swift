import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of the settings of a camera that supports only the PTP standard.
@Suite(.serialized, .programs(2)) struct GenericSettingsTests {
    private func opened() throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        return (camera, worker)
    }

    @Test func `sets the mode, which locks the aperture or the shutter`() throws {
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

    /// The driver caches for two seconds that the aperture is read-only in mode S.
    @Test func `changes a setting directly after a mode change that unlocks it`() throws {
        let (camera, worker) = try opened()
        defer { withExtendedLifetime(camera) {} }
        #expect(try worker.change(["mode": "S"]).map(\.outcome) == [.set])
        #expect(try worker.settings(["aperture"]).map(\.writable) == [.no])
        #expect(try worker.change(["mode": "A"]).map(\.outcome) == [.set])
        #expect(try worker.change(["aperture": "8"]).map(\.outcome) == [.set])
    }

    private static let replies = [
        ("2002", CameraSettingResult.Outcome.refused), ("2005", .unsupported), ("2019", .busy),
        ("200a", .refused), ("200f", .refused), ("201c", .refused), ("ok", .ignored),
    ]

    @Test(arguments: Tier.rows(replies, gate: [replies[1], replies[5], replies[6]]))
    func `reports each response to a change and keeps the setting`(
        reply: String, outcome: CameraSettingResult.Outcome
    ) throws {
        let (camera, worker) = try opened()
        try camera.send("refuse 500f \(reply)")
        let result = try #require(worker.change(["iso": "800"]).first)
        #expect(result.outcome == outcome, "\(result)")
        let reason = try #require(result.reason)
        #expect(reason.hasSuffix(".") && !reason.hasSuffix(".."))
        #expect(try worker.settings(["iso"]).first?.value?.text == "400")
    }

    @Test func `publishes dial changes and the settings that they lock`() throws {
        let (camera, worker) = try opened()
        _ = try worker.list()
        _ = try worker.wait { if case .settingsChanged = $0 { true } else { nil } }
        func published(_ key: CameraSettingKey) throws -> CameraSetting {
            try worker.wait {
                if case .settingsChanged(let settings, _) = $0 {
                    settings.first { $0.key == key }
                } else {
                    nil
                }
            }
        }
        try camera.send("dial iso=1600")
        #expect(try published(.iso).value?.text == "1600")
        try camera.send("dial mode=A")
        #expect(try published(.shutter).writable == .no)
    }
}
