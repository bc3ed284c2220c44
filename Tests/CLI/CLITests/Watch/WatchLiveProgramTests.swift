import APIServer
import FrameFastAPI
import Glibc
import SurfaceTestSupport
import Synchronization
import TestRig
import Testing

/// Tests of live view in the built `framefast watch`, against a scripted daemon.
@Suite(.serialized, .programs(1)) struct WatchLiveProgramTests {
    private static let frame = "a=T,f=24,s=16,v=8"
    private static let erasing = "\u{1B}_Ga=d,d=I,i=1,q=2\u{1B}\\"
    private static let failure = "cannot display images"
    /// The largest number of times that a test presses `v`.
    private static let attemptsMax = 20
    /// The program waits 200 ms for the answer to its query. An answer within a quarter of this time counts
    /// as prompt.
    private static let promptAnswer = Duration.milliseconds(50)

    /// Opens the screen, presses `v`, and answers the query for picture support.
    private static func open(_ server: RunningServer, answer: String) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(["watch", "--socket", server.socketPath])
        try terminal.waitForText("212 today")
        for _ in 1...attemptsMax {
            let pressed = ContinuousClock.now
            terminal.press("v")
            // The query is a picture of one pixel.
            try terminal.waitForText("a=q,t=d,f=24")
            // Ctrl-L redraws a failure that is already on the screen.
            terminal.press(answer + "\u{0C}")
            let isPrompt = ContinuousClock.now - pressed < promptAnswer
            guard answer == ScriptedLiveView.kitty else { return terminal }
            // The program waits only a short time for the answer. After a late answer, the program shows a
            // failure, and the test presses `v` again.
            if try terminal.waitForText(oneOf: [frame, failure]).found == frame { return terminal }
            try #require(!isPrompt, "the program refused a prompt answer")
        }
        throw PseudoTerminal.Failure(description: "each of \(attemptsMax) answers was late")
    }

    @Test func `live view shows conditions, releases the shutter, and ends with Esc`() async throws {
        let lens = ScriptedLiveView()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.open(server, answer: ScriptedLiveView.kitty)
                for _ in 0..<3 { try terminal.waitForText(Self.frame) }
                var new = Samples.condition
                (new.code, new.sentence) = ("battery-low", "The battery is at 4 %.")
                server.hub.publish(.conditions([new]))
                try terminal.waitForText("The battery is at 4 %.")
                try terminal.waitForText(Self.frame)
                terminal.press("s")
                try terminal.waitForText("Released")
                terminal.press("\u{1B}")
                try terminal.waitForText(Self.erasing)
                // The overview is back, without a picture.
                #expect(try !terminal.waitForText("Session").contains(Self.frame))
                terminal.press("q")
                #expect(try terminal.wait() == 0)
                #expect(!terminal.text.contains(Self.frame))
            }
        }
        #expect(lens.requests.withLock { $0 } == ["studio-a"])
    }

    @Test func `returns to the overview with the error when live view fails`() async throws {
        let lens = ScriptedLiveView()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.open(server, answer: ScriptedLiveView.kitty)
                try terminal.waitForText(Self.frame)
                lens.isOpen.store(false, ordering: .relaxed)
                try terminal.waitForText(Self.erasing)
                try terminal.waitForText("The camera is too hot")
                try terminal.waitForText("Session")
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
    }

    @Test func `returns to the overview with an error when the decoder exits`() async throws {
        let lens = ScriptedLiveView()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.open(server, answer: ScriptedLiveView.kitty)
                let decoder = try #require(RunningProgram.descendants(of: terminal.child).first)
                kill(decoder, SIGKILL)
                try terminal.waitForText(Self.erasing)
                try terminal.waitForText("framefast-picture has exited")
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
    }

    @Test func `suggests other terminals if the terminal can't draw pictures`() async throws {
        let lens = ScriptedLiveView()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.open(server, answer: ScriptedLiveView.noPictures)
                try terminal.waitForText("kitty")
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
        #expect(lens.requests.withLock { $0 } == [])
    }
}
