import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import Testing

/// The verbs about settings: the built program against a real socket.
@Suite struct SettingsProgramTests {
    /// A surface that gives what it was asked for, with these results.
    private static func surface(
        _ asked: Asked, results: [SettingResultReply.Result] = [.set]
    ) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.on(\.cameras.settings) { camera, query throws(ControlError) in
                asked.names.withLock { $0 = query.names }
                return SettingsReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    settings: [
                        SettingReply(
                            key: "white_balance", name: "whitebalance", value: "auto", cameraValue: "Auto",
                            choices: ["auto", "daylight"], cameraChoices: ["Auto", "Daylight"], writable: .yes
                        )
                    ])
            }
            table.on(\.cameras.changeSettings) { camera, request throws(ControlError) in
                asked.request.withLock { $0 = request }
                return SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    results: results.map {
                        SettingResultReply(key: "iso", result: $0, asked: "400", value: "400")
                    })
            }
        }
    }

    private final class Asked: Sendable {
        let names = Mutex<[String]?>(nil)
        let request = Mutex<SettingsChangeRequest?>(nil)
    }

    @Test func `get asks for the keys that were named, and shows choices with them`() async throws {
        let asked = Asked()
        try await RunningServer.run(surface: Self.surface(asked)) { server in
            let all = try await ProgramRun.of(["get", "studio-a", "--plain", "--socket", server.socketPath])
            #expect(asked.names.withLock { $0 } == [])
            #expect(
                all.output
                    == "white_balance: auto\nwhite_balance camera's word: Auto\nwhite_balance writable: yes\n"
            )
            let one = try await ProgramRun.of(
                ["get", "studio-a", "white_balance", "raw.d1b0", "--plain", "--socket", server.socketPath])
            #expect(asked.names.withLock { $0 } == ["white_balance", "raw.d1b0"])
            #expect(one.output.hasSuffix("white_balance choices: auto, daylight\n"))
            let json = try await ProgramRun.of(["get", "studio-a", "--json", "--socket", server.socketPath])
            let reply = try WireCoder.decode(SettingsReply.self, from: Data(json.output.utf8))
            #expect(reply.settings.map(\.key) == ["white_balance"] && json.status == 0)
            #expect(json.output.contains(#""choices":["auto","daylight"]"#))
        }
    }

    @Test(arguments: [
        ([.set, .unchanged], 0), ([.trial], 0), ([.set, .adjusted], 1),
        ([.refused], 1), ([.ignored, .set], 1), ([.unconfirmed], 1),
    ] as [([SettingResultReply.Result], Int32)])
    func `set ends well only when the camera has every value`(
        results: [SettingResultReply.Result], status: Int32
    ) async throws {
        let asked = Asked()
        try await RunningServer.run(surface: Self.surface(asked, results: results)) { server in
            let run = try await ProgramRun.of(
                [
                    "set", "studio-a", "white_balance=daylight", "raw.focus=a=b", "exposure_compensation=-1",
                    "--nearest", "--json", "--socket", server.socketPath,
                ])
            #expect(run.status == status, "\(run.errors)")
            let request = asked.request.withLock { $0 }
            #expect(
                request?.changes
                    == ["white_balance": "daylight", "raw.focus": "a=b", "exposure_compensation": "-1"])
            #expect(request?.nearest == true && request?.dryRun == nil)
            #expect(run.output.contains(#""result":"\#(results[0])""#))
        }
    }

    @Test(arguments: [["iso"], ["=400"], ["iso="], ["iso=1", "iso=2"], []])
    func `what is no setting with its value is a wrong command line`(changes: [String]) async throws {
        let run = try await ProgramRun.of(["set", "studio-a"] + changes)
        #expect(run.status == 2 && run.output.isEmpty)
    }
}
