import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import TestRig
import Testing

@testable import FrameFastCLI

/// Tests of the differences that `session start --preset` shows, with the built program and a real socket.
@Suite(.programs(1)) struct SessionPresetProgramTests {
    private static let studio = PresetReply(name: "studio", settings: ["iso": "400", "mode": "M"])

    private final class Calls: Sendable {
        private let calls = Mutex<[String]>([])
        var all: [String] { calls.withLock { $0 } }
        func add(_ call: String) { calls.withLock { $0.append(call) } }
    }

    /// Returns a surface with four cameras, of which one is not connected.
    ///
    /// - Parameters:
    ///   - calls: Receives the requests to apply a preset.
    ///   - end: The camera `right` responds when this stream ends.
    private static func surface(_ calls: Calls, until end: AsyncStream<Void>) -> ScriptedControlSurface {
        let surface = ScriptedControlSurface { table in
            table.handle(\.presets.get) { name throws(ControlError) in Self.studio }
            table.handle(\.presets.apply) { name, request throws(ControlError) in
                calls.add("\(name) \(request.camera) \(request.dryRun ?? false)")
                switch request.camera.rawValue {
                case "studio-b": for await _ in end {}
                case "studio-c":
                    throw ControlError(.conflict, "cannot change the settings of 'busy': it takes a movie")
                default: break
                }
                return SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "left"),
                    results: [
                        .init(key: "iso", result: .trial, asked: "400", value: "200"),
                        .init(key: "mode", result: .unchanged, asked: "M", value: "M"),
                    ])
            }
        }
        let cameras: [(String, String, CameraReply.State)] = [
            ("studio-a", "left", .ready), ("studio-b", "right", .downloading), ("studio-c", "busy", .ready),
            ("studio-d", "gone", .searching),
        ]
        surface.change { script in
            script.status.cameras = cameras.map { id, name, state in
                CameraReply(id: CameraID(rawValue: id), name: name, port: "usb:", state: state)
            }
            script.sessionSettings = [
                SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "left"),
                    results: [.init(key: "iso", result: .set, asked: "400", value: "400")])
            ]
        }
        return surface
    }

    /// The camera `right` responds only after the program has ended.
    @Test(arguments: [["--plain"], []])
    func `session start shows each camera's differences without waiting for a silent camera`(
        format: [String]
    ) async throws {
        let calls = Calls()
        let (end, ending) = AsyncStream.makeStream(of: Void.self)
        let surface = Self.surface(calls, until: end)
        try await RunningServer.run(surface: surface) { server in
            defer { ending.finish() }
            let run = try await ProgramRun.of(
                ["session", "start", "A", "--preset", "studio", "--give-back", "--socket", server.socketPath]
                    + format)
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                calls.all.sorted() == [
                    "studio studio-a true", "studio studio-b true", "studio studio-c true",
                ])
            // Long lines are wrapped.
            let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
            // The differences come first, in the order of the cameras.
            let expected = [
                "left: iso 400, is 200", "right: no response within 2 s", "busy: cannot change the settings",
                "session started", "left: iso 400",
            ]
            var rest = output[...]
            for words in expected {
                let found = try #require(rest.range(of: words), "\(words) is missing in \(output)")
                rest = rest[found.upperBound...]
            }
            #expect(!output.contains("mode m") && !output.contains("gone"), "\(output)")
        }
    }

    @Test func `session start --json prints one document without differences`() async throws {
        let calls = Calls()
        let (end, ending) = AsyncStream.makeStream(of: Void.self)
        try await RunningServer.run(surface: Self.surface(calls, until: end)) { server in
            defer { ending.finish() }
            let run = try await ProgramRun.of(
                ["session", "start", "A", "--preset", "studio", "--json", "--socket", server.socketPath])
            let reply = try WireCoder.decode(SessionReply.self, from: Data(run.output.utf8))
            #expect(reply.name == "A" && calls.all == [])
        }
    }

    @Test func `preset differences list a camera that has all values`() {
        let view = PresetDifferencesView(
            differences: PresetDifferences(rows: [
                .init(
                    cameraName: "left",
                    answer: .results([.init(key: "iso", result: .unchanged, asked: "400")])),
                .init(cameraName: "right", answer: .silent),
            ]))
        #expect(
            view.plain() == [
                "unchanged: left: it has all values of the preset",
                "unknown: right: no response within 2 s; see the results below",
            ])
    }
}
