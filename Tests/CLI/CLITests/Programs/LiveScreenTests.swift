import FrameFastAPI
import Glibc
import SurfaceTestSupport
import Synchronization
import TestRig
import Testing

/// Tests of the built `framefast live` on a terminal, against a scripted daemon.
@Suite(.serialized, .programs(1)) struct LiveScreenTests {
    private static let entering = "\u{1B}[?1049h"
    private static let leaving = "\u{1B}[?25h\u{1B}[?1049l"
    /// The query for picture support: a picture of one pixel.
    private static let query = "a=q,t=d,f=24"

    /// Starts the program on a terminal that answers the query for picture support.
    ///
    /// The program waits only a short time for the answer. Therefore the test types the answer in advance.
    private static func open(_ server: RunningServer, answer: String) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(["live", "studio-a", "--socket", server.socketPath])
        terminal.press(answer)
        return terminal
    }

    @Test(
        arguments: [
            (ScriptedLiveView.kitty, "a=T,f=24,s=16,v=8"), (ScriptedLiveView.sixel, "\u{1B}Pq\"1;1;16;8"),
        ])
    func `draws frames in the terminal's protocol until Ctrl-C, and restores the screen`(
        answer: String, frame: String
    ) async throws {
        let lens = ScriptedLiveView()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.open(server, answer: answer)
                try terminal.waitForText(Self.entering)
                try terminal.waitForText(Self.query)
                for _ in 0..<3 { try terminal.waitForText(frame) }
                #expect(!terminal.isCooked)
                terminal.press("\u{03}")
                try terminal.waitForText(Self.leaving)
                #expect(try terminal.wait() == 128 + SIGINT)
                #expect(terminal.isCooked)
            }
        }
        #expect(lens.requests.withLock { $0 } == ["studio-a"])
    }

    @Test func `the error for a terminal without pictures names other terminals and options`() async throws {
        let lens = ScriptedLiveView()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.open(server, answer: ScriptedLiveView.noPictures)
                try terminal.waitForText(Self.leaving)
                let usage: Int32 = 2
                #expect(try terminal.wait() == usage)
                #expect(terminal.isCooked)
                // The error is on the normal screen.
                let error = terminal.text
                #expect(error.contains("framefast: this terminal cannot display images"), "\(error)")
                for word in ["kitty", "--open", "--save", "--mjpeg"] {
                    #expect(error.contains(word), "\(error)")
                }
            }
        }
        #expect(lens.requests.withLock { $0 } == [])
    }
}
