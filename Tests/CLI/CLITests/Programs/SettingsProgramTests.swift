import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import TestRig
import Testing

@testable import FrameFastCLI

/// Tests of the settings verbs of the built program, against a real socket.
@Suite(.programs(1)) struct SettingsProgramTests {
    /// Returns a surface that records the requests and replies with these results.
    private static func surface(
        _ recorded: RecordedRequests, results: [SettingResultReply.Result] = [.set]
    ) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.handle(\.cameras.settings) { camera, query throws(ControlError) in
                recorded.names.withLock { $0 = query.names }
                return SettingsReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    settings: [
                        SettingReply(
                            key: "white_balance", name: "whitebalance", value: "auto", cameraValue: "Auto",
                            choices: ["auto", "daylight"], cameraChoices: ["Auto", "Daylight"], writable: .yes
                        )
                    ])
            }
            table.handle(\.cameras.changeSettings) { camera, request throws(ControlError) in
                recorded.request.withLock { $0 = request }
                return SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    results: results.map {
                        SettingResultReply(key: "iso", result: $0, asked: "400", value: "400")
                    })
            }
        }
    }

    private final class RecordedRequests: Sendable {
        let names = Mutex<[String]?>(nil)
        let request = Mutex<SettingsChangeRequest?>(nil)
    }

    @Test func `the verb get requests the given keys and shows their choices`() async throws {
        let recorded = RecordedRequests()
        try await RunningServer.run(surface: Self.surface(recorded)) { server in
            let all = try await ProgramRun.of(["get", "studio-a", "--plain", "--socket", server.socketPath])
            #expect(recorded.names.withLock { $0 } == [])
            #expect(
                all.output
                    == "white_balance: auto\nwhite_balance camera value: Auto\nwhite_balance writable: yes\n"
            )
            let one = try await ProgramRun.of(
                ["get", "studio-a", "white_balance", "raw.d1b0", "--plain", "--socket", server.socketPath])
            #expect(recorded.names.withLock { $0 } == ["white_balance", "raw.d1b0"])
            #expect(one.output.hasSuffix("white_balance choices: auto, daylight\n"))
            let json = try await ProgramRun.of(["get", "studio-a", "--json", "--socket", server.socketPath])
            let reply = try WireCoder.decode(SettingsReply.self, from: Data(json.output.utf8))
            #expect(reply.settings.map(\.key) == ["white_balance"] && json.status == 0)
            #expect(json.output.contains(#""choices":["auto","daylight"]"#))
            #expect(json.output.contains(#""writable":"yes""#))
            #expect(json.output.contains(#""read_only":false"#))
        }
    }

    private static let ends: [([SettingResultReply.Result], Int32)] = [
        ([.set, .unchanged], 0), ([.set, .adjusted], 1), ([.refused], 1), ([.ignored, .set], 1),
        ([.trial], 0), ([.unconfirmed], 1),
    ]

    @Test(arguments: Tier.rows(ends, gate: 4))
    func `the verb set exits with 0 only if every value was applied`(
        results: [SettingResultReply.Result], status: Int32
    ) async throws {
        let recorded = RecordedRequests()
        try await RunningServer.run(surface: Self.surface(recorded, results: results)) { server in
            let run = try await ProgramRun.of(
                [
                    "set", "studio-a", "white_balance=daylight", "raw.focus=a=b", "exposure_compensation=-1",
                    "--nearest", "--json", "--socket", server.socketPath,
                ])
            #expect(run.status == status, "\(run.errors)")
            let request = recorded.request.withLock { $0 }
            #expect(
                request?.changes
                    == ["white_balance": "daylight", "raw.focus": "a=b", "exposure_compensation": "-1"])
            #expect(request?.nearest == true && request?.dryRun == nil)
            #expect(run.output.contains(#""result":"\#(results[0])""#))
        }
    }

    /// The service reports the nearest value as `set`, because the user requested it with `--nearest`.
    @Test(arguments: Tier.rows([["--plain"], ["--json"], []], gate: 1))
    func `set --nearest exits with 0 for the nearest value and prints it`(format: [String]) async throws {
        let surface = ScriptedControlSurface { table in
            table.handle(\.cameras.changeSettings) { camera, request throws(ControlError) in
                SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    results: [
                        SettingResultReply(
                            key: "iso", result: request.nearest == true ? .set : .unsupported, asked: "700",
                            value: "640", reason: "This is the nearest value that the camera offers.")
                    ])
            }
        }
        try await RunningServer.run(surface: surface) { server in
            let verb = ["set", "studio-a", "iso=700", "--socket", server.socketPath] + format
            let nearest = try await ProgramRun.of(verb + ["--nearest"])
            #expect(nearest.status == 0, "\(nearest.errors)")
            #expect(nearest.output.contains("640") && nearest.output.contains("the nearest value"))
            let exact = try await ProgramRun.of(verb)
            #expect(exact.status == 1, "\(exact.errors)")
        }
    }

    @Test(arguments: Tier.rows([["iso"], ["=400"], ["iso="], ["iso=1", "iso=2"], []], gate: 1))
    func `the verb set rejects arguments that are not key=value`(changes: [String]) async throws {
        let run = try await ProgramRun.of(["set", "studio-a"] + changes)
        #expect(run.status == 2 && run.output.isEmpty)
    }

    private static let studio = PresetReply(name: "studio", settings: ["iso": "400"])

    private static func presets(_ calls: Calls) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.handle(\.presets.list) { () throws(ControlError) in PresetsReply(presets: [studio]) }
            table.handle(\.presets.get) { name throws(ControlError) in studio }
            table.handle(\.presets.save) { name, request throws(ControlError) in
                calls.add("save \(name) \(request.camera?.rawValue ?? "") \(request.names ?? [])")
                return studio
            }
            table.handle(\.presets.remove) { name throws(ControlError) in
                calls.add("remove \(name)")
                return PresetsReply(presets: [])
            }
            table.handle(\.presets.apply) { name, request throws(ControlError) in
                calls.add(
                    "apply \(name) \(request.camera) \(request.nearest ?? false) \(request.dryRun ?? false)")
                return SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "left"),
                    results: [
                        .init(key: "iso", result: request.dryRun == true ? .trial : .refused, asked: "400")
                    ])
            }
            let clocks = ClocksReply(
                clocks: [ClockReply(camera: .init(id: "a", name: "left"), driftMs: 90_000)])
            table.handle(\.cameras.clocks) { () throws(ControlError) in clocks }
            table.handle(\.cameras.clock) { camera throws(ControlError) in clocks }
            table.handle(\.cameras.setClock) { camera throws(ControlError) in
                calls.add("set the clock of \(camera)")
                return clocks
            }
            table.handle(\.cameras.setClocks) { () throws(ControlError) in
                calls.add("set all clocks")
                return ClocksReply(
                    clocks: [
                        ClockReply(camera: .init(id: "a", name: "left"), driftMs: 0, driftBeforeMs: 90_000)
                    ])
            }
        }
    }

    private final class Calls: Sendable {
        private let calls = Mutex<[String]>([])
        var all: [String] { calls.withLock { $0 } }
        func add(_ call: String) { calls.withLock { $0.append(call) } }
    }

    private static let verbs: [([String], Int32, String?)] = [
        (
            ["preset", "save", "studio", "left", "iso", "mode"], 0,
            #"save studio left ["iso", "mode"]"#
        ),
        (["preset", "apply", "studio", "left", "--nearest"], 1, "apply studio left true false"),
        (["preset", "diff", "studio", "left"], 4, "apply studio left false true"),
        (["preset", "remove", "studio"], 2, nil),
        (["clock", "--set"], 0, "set all clocks"),
        // The clock is still wrong after the change.
        (["clock", "left", "--set"], 1, "set the clock of left"),
        (["preset"], 0, nil), (["preset", "list"], 0, nil), (["preset", "show", "studio"], 0, nil),
        (["preset", "save", "studio", "left"], 0, "save studio left []"),
        (["preset", "apply", "studio", "left", "--dry-run"], 0, "apply studio left false true"),
        (["preset", "remove", "studio", "--yes"], 0, "remove studio"),
        (["preset", "save", "studio"], 2, nil),
        (["clock"], 0, nil), (["clock", "left"], 0, nil),
        (["session", "start", "A", "--give-back"], 2, nil),
    ]

    @Test(arguments: Tier.rows(verbs, gate: 6))
    func `preset and clock verbs call the expected endpoint in every format`(
        verb: [String], status: Int32, call: String?
    ) async throws {
        let calls = Calls()
        try await RunningServer.run(surface: Self.presets(calls)) { server in
            for format in [["--json"], ["--plain"], []] {
                let run = try await ProgramRun.of(verb + format + ["--socket", server.socketPath])
                #expect(run.status == status, "\(run.errors)")
                #expect((status == 2) == run.output.isEmpty)
                if format == ["--json"], status != 2 {
                    #expect(throws: Never.self) {
                        try JSONSerialization.jsonObject(with: Data(run.output.utf8))
                    }
                }
            }
            #expect(calls.all == (call.map { [$0, $0, $0] } ?? []))
        }
    }

    @Test(arguments: [SettingResultReply.Result.unchanged, .refused])
    func `session verbs exit with 1 if a camera refuses a preset's setting`(
        result: SettingResultReply.Result
    ) async throws {
        let reason = result == .refused ? "The camera does not accept this value right now." : nil
        let surface = ScriptedControlSurface()
        surface.change {
            $0.sessionSettings = [
                SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "left"),
                    results: [.init(key: "iso", result: .set, asked: "400")]),
                SettingsChangeReply(
                    camera: .init(id: "studio-b", name: "right"),
                    results: [.init(key: "iso", result: result, asked: "400", reason: reason)]),
            ]
        }
        try await RunningServer.run(surface: surface) { server in
            for format in [[], ["--plain"], ["--json"]] {
                for verb in [["session", "start", "A", "--preset", "studio"], ["session", "stop"]] {
                    let run = try await ProgramRun.of(verb + format + ["--socket", server.socketPath])
                    #expect(run.status == (result == .refused ? 1 : 0), "\(verb) \(run.errors)")
                    guard let reason else { continue }
                    // Long lines are wrapped.
                    let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    #expect(output.contains(reason), "\(output)")
                }
            }
        }
    }

    @Test func `the help of live states the frame rates for terminal and stream`() async throws {
        let run = try await ProgramRun.of(["live", "--help"])
        // Long lines are wrapped.
        let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let (terminal, stream) = (LiveScreen.defaultRate, LiveViewRequest.usualRate)
        #expect(
            output.contains("Default: \(terminal) in the terminal, \(stream) with --mjpeg."), "\(output)")
    }
}
