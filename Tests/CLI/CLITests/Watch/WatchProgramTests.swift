import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import TestRig
import Testing

/// Tests of the built `framefast watch`, against a scripted daemon.
@Suite(.serialized, .programs(1)) struct WatchProgramTests {
    @Test(arguments: [(["--bell"], true), ([], false)])
    func `rings the bell for a new condition only with --bell`(
        flags: [String], rings: Bool
    ) async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.status.conditions = [Samples.condition] }
            try await blocking {
                let terminal = try PseudoTerminal(["watch", "--socket", server.socketPath] + flags)
                // Conditions that exist when the screen opens do not ring.
                #expect(try !terminal.waitForText("The disk is getting short.").contains("\u{07}"))
                var new = Samples.condition
                (new.code, new.sentence) = ("battery-low", "The battery is at 4 %.")
                server.hub.publish(.conditions([Samples.condition, new]))
                #expect(try terminal.waitForText("The battery is at 4 %.").contains("\u{07}") == rings)
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
    }

    @Test func `Ctrl-L retries listing photos after an error`() async throws {
        try await RunningServer.run { server in
            server.surface.change {
                $0.captures = [Samples.capture(7)]
                $0.captureFailure = ControlError(.internal, "cannot read the ledger")
            }
            try await blocking {
                let terminal = try PseudoTerminal(["watch", "--socket", server.socketPath])
                try terminal.waitForText("The photos cannot be listed: cannot read the ledger.")
                server.surface.change { $0.captureFailure = nil }
                terminal.press("\u{0C}")
                try terminal.waitForText("7.jpg")
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
    }

    private final class RecordedRequests: Sendable {
        let changes = Mutex<[String: SettingsChangeRequest]>([:])
    }

    /// Returns a surface with one setting. The surface records the requested changes, by camera, and replies
    /// with the result.
    private static func surface(
        _ recorded: RecordedRequests, _ result: SettingResultReply.Result, value: String
    ) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.handle(\.cameras.settings) { camera, query throws(ControlError) in
                SettingsReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    settings: [
                        SettingReply(
                            key: "white_balance", name: "whitebalance", value: "auto", cameraValue: "Auto",
                            choices: ["auto", "daylight"], cameraChoices: ["Auto", "Daylight"], writable: .yes
                        )
                    ])
            }
            table.handle(\.cameras.changeSettings) { camera, request throws(ControlError) in
                recorded.changes.withLock { $0["\(camera)"] = request }
                return SettingsChangeReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    results: [.init(key: "white_balance", result: result, asked: "daylight", value: value)])
            }
        }
    }

    @Test(arguments: [
        (SettingResultReply.Result.set, "daylight", "studio-a: white_balance daylight."),
        (.ignored, "auto", "white_balance daylight, is auto."),
    ])
    func `changes the chosen setting in the camera and shows the result`(
        result: SettingResultReply.Result, value: String, sentence: String
    ) async throws {
        let recorded = RecordedRequests()
        try await RunningServer.run(surface: Self.surface(recorded, result, value: value)) { server in
            try await blocking {
                let terminal = try PseudoTerminal(["watch", "--socket", server.socketPath])
                try terminal.waitForText("212 today")
                terminal.press("e")
                try terminal.waitForText("white_balance")
                terminal.press("\r")
                try terminal.waitForText("white_balance of studio-a")
                // The list opens at the current value. The other value is in the next row.
                terminal.press("j\r")
                try terminal.waitForText(sentence)
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
        let changes = recorded.changes.withLock { $0 }
        #expect(changes == ["studio-a": SettingsChangeRequest(changes: ["white_balance": "daylight"])])
    }
}
