import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests that compare status, captures, session and other everyday screens with golden files. ``GoldenTests``
/// explains how to update the files.
@Suite struct EverydayGoldenTests {
    static var topics: [(name: String, scenes: [SmallScenes.Scene])] {
        [
            (
                "cameras",
                [("cameras", CameraTableView(cameras: Scenes.cameras, json: Data(), now: Scenes.now))]
            ), ("doctor", [("doctor", DiagnosisView(Scenes.checks, json: Data()))]),
            (
                "status",
                EverydayScenes.status.map { scene in
                    (scene.name, StatusView(status: scene.reply, json: Data(), now: EverydayScenes.now))
                }
            ),
            (
                "captures",
                [
                    ("photos", CapturesView(page: EverydayScenes.captures, json: Data())),
                    ("no photos", CapturesView(page: .init(captures: []), json: Data())),
                ]
            ),
            (
                "session",
                [
                    ("sessions", SessionsView(sessions: EverydayScenes.sessions, json: Data())),
                    ("no sessions", SessionsView(sessions: [], json: Data())),
                    (
                        "started",
                        SessionView(session: EverydayScenes.sessions[0], verb: "started", json: Data())
                    ),
                ]
            ),
            (
                "cameras-of-one-name",
                [
                    (
                        "cameras",
                        CameraTableView(
                            cameras: EverydayScenes.cameras, json: Data(), now: EverydayScenes.now)
                    ), ("no cameras", CameraTableView(cameras: [], json: Data(), now: Scenes.now)),
                ]
            ),
            ("settings", SettingScenes.scenes), ("presets", SettingScenes.presets),
            ("clocks", SettingScenes.clocks), ("shoot", SmallScenes.shoot), ("group", GroupScenes.scenes),
            ("web", WebScenes.scenes),
            ("version", SmallScenes.version),
            ("template", SmallScenes.template), ("cameras-changed", SmallScenes.cameras),
            (
                "queue-of-one-name",
                [("uploads", QueueView(page: EverydayScenes.jobs, json: Data(), now: EverydayScenes.now))]
            ),
        ]
    }

    @Test(arguments: GoldenTests.columns)
    func `everyday screens match their golden files`(columns: Int) throws {
        for (topic, scenes) in Self.topics { try GoldenTests.expect(scenes, topic, columns: columns) }
    }

    @Test func `plain text of everyday screens matches the golden files`() throws {
        for (topic, scenes) in Self.topics {
            try GoldenTests.expect(
                scenes.flatMap { ["=== \($0.name)"] + $0.view.plain() }, "\(topic).plain")
        }
    }

    @Test func `output without a terminal is never truncated`() {
        let style = Style(depth: .plain, hasUnicode: true)
        for (topic, scenes) in Self.topics {
            for (name, view) in scenes {
                #expect(view.human(style).allSatisfy { !$0.contains("…") }, "\(topic), \(name)")
            }
        }
        let captures = CapturesView(page: EverydayScenes.captures, json: Data()).human(style)
        #expect(
            captures.contains { $0.contains(EverydayScenes.longFile) && $0.contains("/srv/photos/2025/") })
        let sessions = SessionsView(sessions: EverydayScenes.sessions, json: Data()).human(style)
        #expect(sessions[1].contains("披露宴") && sessions[1].hasSuffix("12"))
        let status = StatusView(status: EverydayScenes.status[0].reply, json: Data(), now: Scenes.now).human(
            style)
        #expect(
            status.contains { $0.contains("did not answer within 10 s; photos wait here until it does.") })
    }

    @Test func `empty lists have the same layout and suggest a command`() {
        let empty: [any Presentation] = [
            CapturesView(page: .init(captures: []), json: Data()), SessionsView(sessions: [], json: Data()),
            CameraTableView(cameras: [], json: Data(), now: Scenes.now),
            QueueView(page: .init(jobs: []), json: Data(), now: Scenes.now),
            DestinationsView(destinations: [], json: Data()), StorageView(summary: .init(), json: Data()),
        ]
        for view in empty {
            let lines = view.human(Style(depth: .plain, hasUnicode: true, columns: 40))
            #expect(lines.first?.hasPrefix("○ ") == true && lines.count > 1)
            #expect(lines.joined(separator: " ").contains("`") || lines.joined().contains("framefast"))
        }
    }
}
