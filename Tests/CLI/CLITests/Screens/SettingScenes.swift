import Foundation
import FrameFastAPI

@testable import CameraWorker
@testable import FrameFastCLI

/// Sample output of the settings verbs. The worker sends the reasons to the service, so the samples use the
/// worker's texts.
enum SettingScenes {
    static let settings = SettingsReply(
        camera: .init(id: "canon-eos-r5-0456", name: "studio-a"),
        settings: [
            SettingReply(
                key: "mode", name: "autoexposuremode", value: "S", cameraValue: "TV",
                choices: ["P", "S", "A", "M"], cameraChoices: ["P", "TV", "AV", "Manual"], writable: .unknown),
            SettingReply(
                key: "iso", name: "iso", value: "400", cameraValue: "400",
                choices: [
                    "auto", "100", "125", "160", "200", "250", "320", "400", "500", "640", "800", "1000",
                ],
                cameraChoices: [
                    "Auto", "100", "125", "160", "200", "250", "320", "400", "500", "640", "800", "1000",
                ],
                writable: .yes),
            SettingReply(
                key: "aperture", name: "aperture", value: "5.6", cameraValue: "5.6", writable: .no),
            SettingReply(
                key: "kelvin", name: "colortemperature", value: "5200", cameraValue: "5200",
                range: .init(least: 2500, most: 10_000, step: 100), writable: .yes),
            SettingReply(
                key: "shutter", name: "shutterspeed", value: nil, cameraValue: "Unknown value 005d",
                writable: .yes),
            SettingReply(
                key: "raw.d1b0", name: "d1b0", value: "2 披露宴", cameraValue: "2 披露宴", writable: .unknown),
        ])

    static let results: [SettingResultReply] = [
        .init(key: "mode", result: .set, asked: "M", value: "M", cameraValue: "Manual"),
        .init(key: "iso", result: .unchanged, asked: "400", value: "400", cameraValue: "400"),
        .init(
            key: "aperture", result: .adjusted, asked: "5.8", value: "5.6", cameraValue: "f/5.6",
            reason: SettingReasons.adjusted("5.6")),
        .init(
            key: "shutter", result: .refused, asked: "1/4000", value: "1/125", cameraValue: "0.0080s",
            reason: SettingReasons.notAllowed),
        .init(key: "white_balance", result: .skipped, asked: "daylight", reason: SettingReasons.skipped),
        .init(key: "kelvin", result: .unsupported, asked: "5200", reason: SettingReasons.unknownName),
        .init(key: "drive", result: .trial, asked: "single", value: "continuous"),
    ]

    static var scenes: [SmallScenes.Scene] {
        [
            ("settings", SettingsView(reply: settings, json: Data())),
            ("with choices", SettingsView(reply: settings, hasChoices: true, json: Data())),
            (
                "no such setting",
                SettingsView(reply: .init(camera: settings.camera, settings: []), json: Data())
            ),
            ("results", SettingResultsView(results: results, json: Data())),
        ]
    }

    static var presets: [SmallScenes.Scene] {
        let studio = PresetReply(
            name: "studio",
            settings: ["mode": "M", "iso": "100", "aperture": "8", "white_balance": "daylight"])
        let faulty = PresetReply(
            name: "披露宴", settings: [:],
            problem: "/var/lib/framefast/presets/披露宴.toml:3: there is no setting 'isso'. Did you mean 'iso'?")
        return [
            ("presets", PresetsView(presets: [studio, faulty], json: Data())),
            ("no presets", PresetsView(presets: [], json: Data())),
            ("one", PresetView(preset: studio, json: Data())),
            ("saved", PresetView(preset: studio, badge: "Saved", json: Data())),
            (
                "applied at the start of a session",
                SessionView(
                    session: {
                        var session = EverydayScenes.sessions[0]
                        session.applied = [
                            SettingsChangeReply(
                                camera: .init(id: "a", name: "studio-a"), results: Array(results.prefix(2))),
                            SettingsChangeReply(
                                camera: .init(id: "b", name: EverydayScenes.wideName),
                                results: Array(results[3...4])),
                        ]
                        return session
                    }(), verb: "started", json: Data())
            ),
        ]
    }

    static var clocks: [SmallScenes.Scene] {
        let clocks = ClocksReply(
            clocks: [
                ClockReply(camera: .init(id: "a", name: "studio-a"), driftMs: 120, driftBeforeMs: -3_607_000),
                ClockReply(camera: .init(id: "b", name: EverydayScenes.wideName), driftMs: 75_000),
                ClockReply(camera: .init(id: "c", name: "left"), driftMs: nil, driftBeforeMs: 3_000),
            ], refused: [.init(camera: "sony", message: "the camera does not report its time")])
        return [
            ("clocks", ClocksView(reply: clocks, json: Data())),
            ("set", ClocksView(reply: clocks, wasSet: true, json: Data())),
            ("no camera", ClocksView(reply: ClocksReply(clocks: []), json: Data())),
        ]
    }
}
