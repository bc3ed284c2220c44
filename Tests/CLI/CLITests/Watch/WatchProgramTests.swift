import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
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
}
