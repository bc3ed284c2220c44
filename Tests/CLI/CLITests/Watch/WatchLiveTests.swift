import APIServer
import Foundation
import FrameFastAPI
import Glibc
import SurfaceTestSupport
import Synchronization
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Live view on the live screen.
@Suite(.serialized) struct WatchLiveTests {
    /// 16 × 8 grey pixels.
    private static let jpeg =
        Data(
            base64Encoded:
                "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP////////////////////////////////////////////////////////"
                + "//////////////////////////////wAALCAAIABABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAA"
                + "AAAAAAAAAAAAAAD/2gAIAQEAAD8AD//Z") ?? Data()

    /// Ends when the test says so.
    private final class Lens: Sendable {
        let asked = Mutex<[CameraReference]>([])
        let isOpen = Atomic(true)

        func surface() -> ScriptedControlSurface {
            ScriptedControlSurface { [self] table in
                table.on(\.cameras.livePictures) {
                    (camera, _) async throws(ControlError) -> LivePictures in
                    self.asked.withLock { $0.append(camera) }
                    guard self.isOpen.load(ordering: .relaxed) else {
                        throw ControlError(.cameraFailed, "the camera is too hot")
                    }
                    return LivePictures(first: LivePicture(jpeg: WatchLiveTests.jpeg)) {
                        try? await Task.sleep(for: .milliseconds(20))
                        return self.isOpen.load(ordering: .relaxed)
                            ? LivePicture(jpeg: WatchLiveTests.jpeg) : nil
                    }
                }
            }
        }
    }

    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c"
    private static let frame = "a=T,f=24,s=16,v=8"
    private static let erasing = "\u{1B}_Ga=d,d=I,i=1,q=2\u{1B}\\"

    /// Opens the screen and presses `v`; answers what the terminal is asked.
    private static func looking(_ server: RunningServer, answer: String) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(["watch", "--socket", server.socketPath])
        try terminal.see("212 today")
        terminal.press("v")
        // What draws pictures is asked for with one of one pixel.
        try terminal.see("a=q,t=d,f=24")
        terminal.press(answer)
        return terminal
    }

    @Test func `a camera is looked through while everything else goes on, and Esc ends it`() async throws {
        let lens = Lens()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.looking(server, answer: Self.kitty)
                for _ in 0..<3 { try terminal.see(Self.frame) }
                // Conditions are told beside the picture.
                var new = Samples.condition
                (new.code, new.sentence) = ("battery-low", "The battery is at 4 %.")
                server.hub.publish(.conditions([new]))
                try terminal.see("The battery is at 4 %.")
                try terminal.see(Self.frame)
                terminal.press("s")
                try terminal.see("Released")
                terminal.press("\u{1B}")
                try terminal.see(Self.erasing)
                // The overview is back, and no picture comes any more.
                #expect(try !terminal.see("Session").contains(Self.frame))
                terminal.press("q")
                #expect(try terminal.wait() == 0)
                #expect(!terminal.text.contains(Self.frame))
            }
        }
        #expect(lens.asked.withLock { $0 } == ["studio-a"])
    }

    @Test func `live view that the camera ends leaves the overview, and says why it does not begin again`()
        async throws
    {
        let lens = Lens()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.looking(server, answer: Self.kitty)
                try terminal.see(Self.frame)
                lens.isOpen.store(false, ordering: .relaxed)
                try terminal.see(Self.erasing)
                try terminal.see("Session")
                terminal.press("v")
                try terminal.see("The camera is too hot")
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
    }

    @Test func `a terminal without pictures is told what to use`() async throws {
        let lens = Lens()
        try await RunningServer.run(surface: lens.surface()) { server in
            try await blocking {
                let terminal = try Self.looking(server, answer: "\u{1B}[?62;22c")
                try terminal.see("kitty")
                terminal.press("q")
                #expect(try terminal.wait() == 0)
            }
        }
        #expect(lens.asked.withLock { $0 } == [])
    }

    @Test func `the camera that is meant is looked through, and keys release its shutter`() {
        let (state, actions) = WatchModelTests.pressed([.character("v"), .character("s")])
        #expect(actions == [.look("studio-a"), .shoot("studio-a")])
        guard case .live(let live) = state.page else {
            Issue.record("not looking")
            return
        }
        #expect(live.camera == "studio-a" && !live.hasFrame && state.isBusy)
        var shown = state
        shown.showFrame()
        let (after, away) = WatchModelTests.pressed([.escape], shown)
        #expect(away == [.lookAway] && after.page == .overview)
    }

    @Test func `one of several cameras has to be meant, and one that is not ready is not asked`() {
        let two = WatchModelTests.state {
            var second = Samples.camera
            (second.id, second.name) = ("b", "right")
            $0.cameras.append(second)
        }
        #expect(WatchModelTests.pressed([.character("v")], two).1.isEmpty)
        #expect(WatchModelTests.pressed([.tab, .down, .character("v")], two).1 == [.look("b")])
        let away = WatchModelTests.state { $0.cameras[0].state = .gone }
        #expect(WatchModelTests.pressed([.character("v")], away).1.isEmpty)
    }

    @Test(arguments: [(80, 24), (40, 12), (120, 50)])
    func `the picture has the lines between the camera's and the keys, and they are empty`(
        width: Int, height: Int
    ) {
        var (state, _) = WatchModelTests.pressed([.character("v")])
        state.showFrame()
        let layout = Layout(width: width, height: height)
        let screen = WatchScreen(state: state, now: WatchModelTests.now)
        let lines = screen.lines(layout)
        let rows = screen.pictureRows(layout)
        #expect(lines.count == height && rows.count > height / 2)
        #expect(lines[rows].allSatisfy { $0 == .empty })
        #expect(lines[rows.lowerBound - 1] != .empty && lines[rows.upperBound] != .empty)
    }
}
