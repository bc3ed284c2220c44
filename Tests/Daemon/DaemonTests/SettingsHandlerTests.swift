import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import ScriptedWorker
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of requests about the settings of cameras.
@Suite(.blocking) struct SettingsHandlerTests {
    static func body() -> ScriptedService.Body {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        body.worker.set {
            $0 = ScriptedSettings([
                ScriptedSettings.setting(.mode, "M", of: ["M", "A"]),
                ScriptedSettings.setting(.iso, "200", of: ["100", "200", "400"]),
                ScriptedSettings.setting(.shutter, "1/125", of: ["1/60", "1/125"]),
                ScriptedSettings.setting(.aperture, "5.6", of: ["4", "5.6"], writable: .no),
                CameraSetting(key: nil, name: "d1b0", value: nil, word: "2", writable: .unknown),
            ])
        }
        return body
    }

    @Test func `lists the settings of a camera, found by name or id, in both formats`() async throws {
        try await ScriptedService().running(with: [Self.body()], photos: 0) { control in
            for word: CameraReference in ["left", "test-t-1"] {
                let reply = try await control.settings.settings(word, .init(names: ["iso", "raw.d1b0"]))
                #expect(reply.camera == .init(id: "test-t-1", name: "left"))
                #expect(reply.settings.map(\.key) == ["iso", "raw.d1b0"])
                #expect(reply.settings.map(\.value) == ["200", "2"])
                #expect(reply.settings.map(\.cameraValue) == ["200*", "2"])
                #expect(reply.settings[0].choices == ["100", "200", "400"])
                #expect(reply.settings[0].cameraChoices == ["100*", "200*", "400*"])
            }
            let all = try await control.settings.settings("left", .init()).settings
            #expect(all.map(\.key) == ["mode", "iso", "shutter", "aperture"])
            #expect(all.map(\.writable) == [.yes, .yes, .yes, .no])
            #expect(all.map(\.readOnly) == [false, false, false, true])
        }
    }

    @Test func `the status contains a value as soon as a reply contains it`() async throws {
        let body = Self.body()
        try await ScriptedService().running(with: [body], photos: 0) { control in
            func exposure() async throws -> ExposureReply? {
                try await control.status().cameras.first?.exposure
            }
            for iso in ["400", "100", "200", "100"] {
                let reply = try await control.settings.change("left", .init(changes: ["iso": iso]))
                #expect(reply.results.map(\.value) == [iso])
                #expect(try await exposure()?.iso == iso)
            }
            for (shutter, aperture) in [("1/60", "4"), ("1/125", "5.6")] {
                // The photographer turns the dials, and the camera sends no event.
                body.worker.set {
                    $0.settings[2] = ScriptedSettings.setting(.shutter, shutter)
                    $0.settings[3] = ScriptedSettings.setting(.aperture, aperture)
                }
                let names = ["shutter", "aperture"]
                let reply = try await control.settings.settings("left", .init(names: names))
                #expect(reply.settings.map(\.value) == [shutter, aperture])
                let now = try await exposure()
                #expect(now?.shutter == shutter && now?.aperture == aperture)
            }
        }
    }

    /// For a Sony camera, the driver lists "0/0" in addition to bulb.
    @Test func `lists only choices that the setting's key accepts`() throws {
        func reply(_ key: CameraSettingKey?) -> SettingReply {
            SettingReply(
                CameraSetting(
                    key: key, name: "shutterspeed", value: nil, word: "1/125",
                    choices: ["1/125", "0/0", "Bulb"].map {
                        .init(value: CameraSettingValue($0, for: .shutter), word: $0)
                    }, writable: .yes))
        }
        let shutter = reply(.shutter)
        #expect(shutter.choices == ["1/125", "bulb"] && shutter.cameraChoices == ["1/125", "Bulb"])
        for choice in shutter.choices { _ = try SettingName.change("shutter", to: choice) }
        #expect(reply(nil).cameraChoices == ["1/125", "0/0", "Bulb"])
    }

    @Test func `applies changes in a valid order, each with its result`() async throws {
        let body = Self.body()
        try await ScriptedService().running(with: [body], photos: 0) { control in
            body.worker.set { $0.refusals["aperture"] = .refused }
            let reply = try await control.settings.change(
                "left",
                .init(
                    changes: [
                        "iso": "400", "mode": "a", "aperture": "f/4", "shutter": "0.008",
                        "raw.d1b0": "8", "kelvin": "5200",
                    ]))
            #expect(
                reply.results.map { "\($0.key) \($0.$result) \($0.value ?? "-")" } == [
                    "mode set A", "kelvin unsupported -", "iso set 400", "aperture refused 5.6",
                    "shutter unchanged 1/125", "raw.d1b0 set 8",
                ])
            #expect(
                reply.results.map { $0.reason == nil } == [true, false, true, false, true, true])
            #expect(
                body.worker.settings.commands.first?.changes.map(\.value) == [
                    "A", "5200", "400", "4", "1/125", "8",
                ])
        }
    }

    @Test func `uses the nearest value only on request, and supports a dry run`() async throws {
        let body = Self.body()
        try await ScriptedService().running(with: [body], photos: 0) { control in
            let exact = try await control.settings.change("left", .init(changes: ["iso": "320"]))
            #expect(exact.results.map(\.result) == [.unsupported])
            let trial = try await control.settings.change(
                "left", .init(changes: ["iso": "320"], nearest: true, dryRun: true))
            #expect(trial.results.map(\.result) == [.trial])
            #expect(trial.results[0].value == "200" && trial.results[0].isDone)
            let near = try await control.settings.change(
                "left", .init(changes: ["iso": "320"], nearest: true))
            #expect(near.results.map(\.result) == [.set])
            #expect(near.results[0].value == "400" && near.results[0].isDone)
            #expect(near.results[0].reason?.contains("nearest") == true)
        }
    }

    @Test(arguments: [
        (["apperture": "4"], "Did you mean 'aperture'?"), (["raw.": "4"], "The settings are mode, drive,"),
        (["iso": "blue"], "Write it like 400 or auto."), (["shutter": "1/0"], "Write it like 1/125"),
        (["iso": ""], nil), ([:], "For example"),
    ])
    func `rejects invalid changes before contacting the camera`(
        changes: [String: String], hint: String?
    ) async throws {
        let body = Self.body()
        try await ScriptedService().running(with: [body], photos: 0) { control in
            let refusal = await #expect(throws: ControlError.self) {
                try await control.settings.change(
                    "left", try SettingsChangeRequest(changes: changes).checked())
            }
            #expect(refusal?.code == .invalid)
            if let hint { #expect(refusal?.nextStep?.contains(hint) == true) }
            #expect(body.worker.settings.commands.isEmpty)
        }
    }

    @Test func `returns an error for a disconnected or failing camera`() async throws {
        let body = Self.body()
        let service = try await ScriptedService()
        try await service.remember([body])
        try await service.running {
            let control = service.control
            let away = await #expect(throws: ControlError.self) {
                try await control.settings.settings("left", .init())
            }
            #expect(away?.code == .conflict)
            try service.connect(body)
            let unknown = await #expect(throws: ControlError.self) {
                try await control.settings.settings("left", .init(names: ["izo"]))
            }
            #expect(unknown?.code == .badRequest && unknown?.nextStep?.contains("'iso'") == true)
            for (kind, code) in [
                (WorkerFailure.Kind.timeout, ErrorReply.Code.cameraFailed), (.occupied, .conflict),
                (.unguarded, .unsupported),
            ] {
                body.worker.settingsFail(WorkerFailure(kind: kind, during: "settings", text: "bulb"))
                let failed = await #expect(throws: ControlError.self) {
                    try await control.settings.change("test-t-1", .init(changes: ["iso": "400"]))
                }
                #expect(failed?.code == code)
            }
        }
    }
}
