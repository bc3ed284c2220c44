import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of live view on the live screen, without a terminal.
@Suite struct WatchLiveViewTests {
    @Test func `v starts live view, s shoots, and Esc ends it`() {
        let (state, actions) = WatchModelTests.pressed([.character("v"), .character("s")])
        #expect(actions == [.startLiveView("studio-a"), .shoot("studio-a")])
        guard case .live(let live) = state.page else {
            Issue.record("live view is not shown")
            return
        }
        #expect(live.camera == "studio-a" && !live.hasFrame && state.isBusy)
        var shown = state
        shown.markFrameShown()
        let (after, end) = WatchModelTests.pressed([.escape], shown)
        #expect(end == [.stopLiveView] && after.page == .overview)
    }

    @Test func `live view requires a single ready camera or a focused camera`() {
        let two = WatchModelTests.state {
            var second = Samples.camera
            (second.id, second.name) = ("b", "right")
            $0.cameras.append(second)
        }
        #expect(WatchModelTests.pressed([.character("v")], two).1.isEmpty)
        #expect(WatchModelTests.pressed([.tab, .down, .character("v")], two).1 == [.startLiveView("b")])
        let away = WatchModelTests.state { $0.cameras[0].state = .gone }
        #expect(WatchModelTests.pressed([.character("v")], away).1.isEmpty)
    }

    @Test(arguments: [(80, 24), (40, 12), (120, 50)])
    func `leaves empty lines for the live view frame`(
        width: Int, height: Int
    ) {
        var (state, _) = WatchModelTests.pressed([.character("v")])
        state.markFrameShown()
        let layout = Layout(width: width, height: height)
        let screen = WatchScreen(state: state, now: WatchModelTests.now)
        let lines = screen.lines(layout)
        let rows = screen.pictureRows(layout)
        #expect(lines.count == height && rows.count > height / 2)
        #expect(lines[rows].allSatisfy { $0 == .empty })
        #expect(lines[rows.lowerBound - 1] != .empty && lines[rows.upperBound] != .empty)
    }
}
