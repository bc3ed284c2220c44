import Cameras
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import ScriptedWorker
import Synchronization
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of preset files, and of applying presets to cameras.
@Suite(.blocking) struct PresetHandlerTests {
    @Test func `saves a camera's settings and applies them to another camera`() async throws {
        let (left, right) = (SettingsHandlerTests.body(), CameraHandlerTests.body(2, "right", photos: 0))
        left.worker.set {
            $0.settings.append(ScriptedSettings.setting(.captureTarget, "card"))
            $0.settings.append(ScriptedSettings.setting(.kelvin, "5200"))
        }
        right.worker.set {
            $0 = ScriptedSettings([
                ScriptedSettings.setting(.mode, "A", of: ["M", "A"]),
                ScriptedSettings.setting(.iso, "200", of: ["100", "200"]),
            ])
        }
        let service = try await ScriptedService()
        try await service.running(with: [left, right], photos: 0) { control in
            let saved = try await control.presets.save("studio", .init(camera: "left"))
            #expect(saved.settings == ["mode": "M", "iso": "200", "shutter": "1/125"])
            let text = try String(
                contentsOfFile: service.folder.path("state/presets/studio.toml"), encoding: .utf8)
            #expect(text.hasPrefix("# Preset studio, saved on "))
            #expect(
                text.contains(
                    " from left (Test T).\n\n[settings]\nmode = \"M\"\niso = \"200\"\nshutter = \"1/125\"\n"))

            let trial = try await control.presets.apply("studio", .init(camera: "test-t-2", dryRun: true))
            #expect(
                trial.results.map { "\($0.key) \($0.$result)" } == [
                    "mode trial", "iso unchanged", "shutter unsupported",
                ])
            let applied = try await control.presets.apply("studio", .init(camera: "right"))
            #expect(applied.results.map(\.result) == [.set, .unchanged, .unsupported])

            let named = try await control.presets.save(
                "studio", .init(camera: "left", names: ["kelvin", "raw.d1b0"]))
            #expect(named.settings == ["kelvin": "5200", "raw.d1b0": "2"])
            #expect(try await control.presets.list().presets == [named])
            #expect(try await control.presets.remove("studio").presets.isEmpty)
            let gone = await #expect(throws: ControlError.self) { try await control.presets.get("studio") }
            #expect(gone?.code == .notFound)
        }
    }

    @Test func `reads a preset written by hand, and reports invalid lines`() async throws {
        let service = try await ScriptedService()
        let presets = service.control.presets
        _ = try await presets.save("good", .init(settings: ["iso": "400", "raw.x\"y": "a\\b"]))
        #expect(try await presets.get("good").settings == ["iso": "400", "raw.x\"y": "a\\b"])
        let hand = "[settings]\niso = 400\naperture = 5.6\nshutter = \"0.008\"\nraw.d1b0 = \"8\"\n"
        try hand.write(
            toFile: service.folder.path("state/presets/hand.toml"), atomically: true, encoding: .utf8)
        #expect(
            try await presets.get("hand").settings
                == ["iso": "400", "aperture": "5.6", "shutter": "1/125", "raw.d1b0": "8"])
        let faults = [
            (
                "[settings]\niso = 400\naperture = [5]\n",
                ".toml:3: the value of 'aperture' must be a text in quotes"
            ),
            (
                "# mine\n[settings]\nisso = \"400\"\n",
                ".toml:3: there is no setting 'isso'. Did you mean 'iso'?"
            ),
            (
                "[settings]\nshutter = \"fast\"\n",
                ".toml:2: cannot set shutter to 'fast'. Write it like 1/125"
            ),
            ("[setting]\niso = 1\n", ".toml:1: unknown key 'setting'"), ("", "has no settings"),
            ("[settings]\niso = \n", ".toml:2: "),
        ]
        for (text, fault) in faults {
            try text.write(
                toFile: service.folder.path("state/presets/bad.toml"), atomically: true, encoding: .utf8)
            let refusal = await #expect(throws: ControlError.self) { try await presets.get("bad") }
            #expect(
                refusal?.code == .invalid && refusal?.message.contains(fault) == true,
                "\(refusal?.message ?? "")")
            let listed = try await presets.list().presets
            #expect(listed.map(\.name) == ["bad", "good", "hand"])
            #expect(listed.map { $0.problem == nil } == [false, true, true])
        }
    }

    @Test(arguments: ["../ledger", "a/b", ".hidden", "", "a b", "ä"])
    func `refuses preset names that are not safe file names`(name: String) async throws {
        let service = try await ScriptedService()
        let presets = service.control.presets
        let name = PresetName(rawValue: name)
        let refusal = await #expect(throws: ControlError.self) {
            try await presets.save(name, .init(settings: ["iso": "400"]))
        }
        #expect(refusal?.code == .invalid)
        await #expect(throws: ControlError.self) { try await presets.get(name) }
        await #expect(throws: ControlError.self) { try await presets.remove(name) }
    }

    @Test func `refuses to save invalid preset values`() async throws {
        let service = try await ScriptedService()
        for settings in [["izo": "400"], ["iso": "blue"]] {
            let refusal = await #expect(throws: ControlError.self) {
                try await service.control.presets.save("x", .init(settings: settings))
            }
            #expect(refusal?.code == .invalid)
        }
        for request in [
            PresetSaveRequest(), .init(camera: "a", settings: ["iso": "1"]),
            .init(names: ["iso"], settings: ["iso": "1"]),
            .init(settings: [:]), .init(camera: "a", names: []),
        ] {
            #expect(throws: ControlError.self) { try request.checked() }
        }
        #expect(try await service.control.presets.list().presets.isEmpty)
    }

    @Test func `applies a preset on connection, but not on a quick reconnection`() async throws {
        let step = Mutex(0.0)
        var clock = HostClock.system
        clock.now = { Date().addingTimeInterval(step.withLock(\.self)) }
        var body = SettingsHandlerTests.body()
        body.preset = "studio"
        let service = try await ScriptedService(clock: clock)
        _ = try await service.control.presets.save("studio", .init(settings: ["iso": "400"]))
        let conditions = { service.parts.conditionBoard.current.map(\.code) }
        try await service.remember([body])
        try await service.running {
            try service.connect(body)
            try await eventually("the preset to be applied") {
                body.worker.settings.commands.isEmpty ? nil : ()
            }
            #expect(body.worker.settings.settings[1].word == "400*")
            #expect(body.worker.settings.commands.map(\.isAutomatic) == [true])
            await service.disconnect(body)
            // NTP sets the date during the interruption.
            step.withLock { $0 = 86_400 * 60 }
            body.worker.set { $0.settings[1] = ScriptedSettings.setting(.iso, "100", of: ["100", "400"]) }
            body.driftSeconds = 90
            body.clock = .always
            try service.connect(body)
            // The clock is set after the preset.
            try await eventually("the clock to be set") { body.worker.clocks.isEmpty ? nil : () }
            #expect(
                body.worker.settings.commands.count == 1 && body.worker.settings.settings[1].word == "100*")
            #expect(!conditions().contains("preset-not-applied"))
        }
    }

    @Test func `raises a condition for a preset that a camera rejects`() async throws {
        var body = SettingsHandlerTests.body()
        body.preset = "studio"
        let service = try await ScriptedService()
        _ = try await service.control.presets.save("studio", .init(settings: ["iso": "6400", "mode": "A"]))
        try await service.remember([body])
        try await service.running {
            try service.connect(body)
            let condition = try await eventually("the condition") {
                service.parts.conditionBoard.current.first { $0.code == "preset-not-applied" }
            }
            #expect(condition.sentence == "left is not set to preset studio: iso 6400 (unsupported).")
            #expect(condition.nextStep.contains("framefast preset diff studio left"))
            #expect(condition.nextStep.contains("framefast preset apply studio left"))
            func isNamed() -> Bool {
                service.parts.conditionBoard.current.contains { $0.code == "preset-not-applied" }
            }

            // The camera now offers the value.
            body.worker.set { $0.settings[1] = ScriptedSettings.setting(.iso, "200", of: ["200", "6400"]) }
            let presets = service.control.presets
            _ = try await presets.apply("studio", .init(camera: "left", dryRun: true))
            #expect(isNamed())
            _ = try await presets.save("other", .init(settings: ["iso": "200"]))
            _ = try await presets.apply("other", .init(camera: "left"))
            #expect(isNamed(), "it is another preset")
            body.worker.set { $0.refusals["iso"] = .adjusted }
            _ = try await presets.apply("studio", .init(camera: "left", nearest: true))
            #expect(isNamed(), "the camera did not set the nearest value")
            body.worker.set { $0.refusals = [:] }
            let applied = try await presets.apply("studio", .init(camera: "left"))
            #expect(applied.results.allSatisfy { $0.isDone }, "\(applied.results)")
            #expect(!isNamed())
        }
    }
}
