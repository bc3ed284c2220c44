import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of search, closed sections and older pages on the live screen, without a terminal.
@Suite struct WatchListTests {
    private static let now = WatchModelTests.now

    private static func press(_ keys: [Key], _ state: inout WatchState) -> [WatchState.Action] {
        keys.flatMap { state.press($0, now: now) }
    }

    private static func screen(_ state: WatchState, height: Int = 40) -> [String] {
        WatchScreen(state: state, now: now).lines(Layout(width: 100, height: height)).map(\.text)
    }

    // MARK: Search

    @Test(
        arguments: [
            ("IMG_0009", [9]), ("img_000", [9, 7, 5, 3, 2, 1]), ("0456", [5, 2, 1]), ("スタジオ", [6, 4]),
            ("failed", [2]), ("damaged eos", [5]), ("eos  0123 deliv", [3]), ("披露宴", [6]), ("cr3", [9, 7]),
            ("tokyo", []), ("", [9, 7, 6, 5, 4, 3, 2, 1]),
        ] as [(String, [ShotID])])
    func `search matches file names, cameras and states`(text: String, ids: [ShotID]) {
        var state = WatchModelTests.wedding
        #expect(Self.press([.character("/")] + WatchModelTests.typed(text), &state).isEmpty)
        #expect(state.shots.map(\.id) == ids)
        #expect(Self.screen(state).contains { $0.contains("Photos \(ids.count) of 8") })
    }

    @Test func `treats letters as search text while typing`() {
        var state = WatchModelTests.wedding
        #expect(Self.press(WatchModelTests.typed("/squid"), &state).isEmpty)
        #expect(state.search?.text == "squid" && state.page == .overview)
        _ = Self.press([.backspace, .backspace], &state)
        #expect(state.search?.text == "squ")
        _ = Self.press([.clear], &state)
        #expect(state.search?.text == "" && state.shots.count == 8)
        _ = Self.press([.backspace], &state)
        #expect(state.search == nil)
        _ = Self.press(WatchModelTests.typed("/" + String(repeating: "a", count: 200)), &state)
        #expect(state.search?.text.count == ShotSearch.lengthMax)
    }

    @Test func `Enter keeps the search and focuses its first photo`() {
        var state = WatchModelTests.wedding
        _ = Self.press(WatchModelTests.typed("/0456") + [.enter], &state)
        #expect(state.focus == .photo(5) && state.search?.isTyping == false)
        // Letters are commands again.
        #expect(Self.press([.character("q")], &state) == [.quit])
        _ = Self.press([.character("/")] + WatchModelTests.typed(" held"), &state)
        #expect(state.shots.map(\.id) == [1] && state.focus == nil)
        _ = Self.press([.escape], &state)
        #expect(state.search == nil && state.shots.count == 8)
    }

    @Test func `Esc on the session page ends the search first`() {
        var state = WatchModelTests.wedding
        _ = Self.press([.character("d")] + WatchModelTests.typed("/0456") + [.enter, .escape], &state)
        #expect(state.search == nil && state.page == .session)
        _ = Self.press([.escape], &state)
        #expect(state.page == .overview)
    }

    @Test func `search is not available without photos`() {
        var state = WatchModelTests.wedding
        state.model.shots.clear()
        _ = Self.press([.character("/")], &state)
        #expect(state.search == nil && state.banner(now: Self.now)?.sentence == "No photos are listed yet.")
    }

    // MARK: Closing sections

    @Test func `a closed section keeps the focus on its heading`() {
        var state = WatchModelTests.wedding
        _ = Self.press([.tab, .tab, .down, .character("c")], &state)
        #expect(state.focus == .part(.destinations))
        let screen = Self.screen(state)
        #expect(
            screen.contains { $0.contains("❯ ▸ Destinations 3") }
                && !screen.contains { $0.contains("agency  ") })
        // The heading is a single item between the other sections.
        _ = Self.press([.down], &state)
        #expect(state.focus == .photo(9))
        _ = Self.press([.up, .up], &state)
        #expect(state.focus == .camera("nikon-z8"))
        _ = Self.press([.down, .enter], &state)
        #expect(state.focus == .destination("nas") && state.closed.isEmpty)
        #expect(Self.screen(state).contains { $0.contains("▾ Destinations 3") })
    }

    @Test(arguments: [(1, WatchState.Part.cameras, "▸ Cameras 3"), (3, .photos, "▸ Photos 8")])
    func `closes and opens every section`(tabs: Int, part: WatchState.Part, head: String) {
        var state = WatchModelTests.wedding
        _ = Self.press(Array(repeating: .tab, count: tabs) + [.character("c")], &state)
        #expect(state.closed == [part])
        #expect(Self.screen(state).contains { $0.contains(head) })
        _ = Self.press([.character("c")], &state)
        #expect(state.closed.isEmpty)
    }

    @Test func `search opens the photo section, and closing a section requires a focus`() {
        var state = WatchModelTests.wedding
        _ = Self.press([.character("c")], &state)
        #expect(state.closed.isEmpty && state.banner(now: Self.now) != nil)
        _ = Self.press([.tab, .tab, .tab, .character("c"), .character("/")], &state)
        #expect(state.closed.isEmpty && state.search != nil)
    }

    // MARK: Older pages

    /// A state with the newest 20 of 60 photos.
    private static var paged: WatchState {
        var state = WatchModelTests.state()
        state.model.shots.clear()
        state.model.addNewest((41...60).reversed().map { Samples.capture($0) }, [], nextCursor: "41")
        return state
    }

    private static func page(_ ids: ClosedRange<Int64>, _ cursor: String?) -> CapturesReply {
        CapturesReply(captures: ids.reversed().map { Samples.capture($0) }, nextCursor: cursor)
    }

    @Test func `requests older photos once near the end of the list`() {
        var state = Self.paged
        #expect(Self.screen(state).contains { $0.contains("Photos newest 20") })
        #expect(Self.press([.tab, .tab, .tab, .down, .down], &state).isEmpty)
        #expect(Self.press([.character("G")], &state) == [.requestOlder("41")])
        #expect(Self.press([.down, .pageDown, .character("G")], &state).isEmpty)
        #expect(Self.screen(state).contains { $0.contains("loading older photos") })
        state.model.shots.addOlder(Self.page(21...40, "21"), requestedWith: "41")
        #expect(state.shots.map(\.id.rawValue) == (21...60).reversed() && state.focus == .photo(41))
        #expect(Self.press([.character("G")], &state) == [.requestOlder("21")])
        state.model.shots.addOlder(Self.page(1...20, nil), requestedWith: "21")
        #expect(Self.press([.character("G"), .down], &state).isEmpty)
        #expect(state.focus == .photo(1) && Self.screen(state).contains { $0.contains("Photos 60") })
    }

    @Test
    func `retries a failed page and ignores pages requested before a snapshot`() {
        var state = Self.paged
        #expect(Self.press([.character("G")], &state) == [.requestOlder("41")])
        state.model.shots.resetOlder(to: "41")
        #expect(Self.press([.character("G")], &state) == [.requestOlder("41")])
        _ = state.model.apply(WatchModelTests.event(.snapshot(Samples.status)))
        state.model.shots.addOlder(Self.page(21...40, "21"), requestedWith: "41")
        #expect(state.shots.isEmpty)
    }

    @Test func `requests older photos if no loaded photo matches the search`() {
        var state = Self.paged
        let actions = Self.press(WatchModelTests.typed("/30.jpg") + [.enter], &state)
        #expect(actions.isEmpty && state.shots.isEmpty)
        #expect(Self.screen(state).contains { $0.contains("Down loads older photos") })
        #expect(Self.press([.character("G")], &state) == [.requestOlder("41")])
        state.model.shots.addOlder(Self.page(21...40, "21"), requestedWith: "41")
        #expect(state.shots.map(\.id) == [30])
    }

    @Test func `requests no photos while offline or while the list is closed`() {
        var away = Self.paged
        away.model.offline = Explanation(status: .daemonAway, code: .daemonAway, message: "away")
        #expect(Self.press([.character("G")], &away).isEmpty)
        var closed = Self.paged
        #expect(Self.press([.tab, .tab, .tab, .character("c"), .character("G")], &closed).isEmpty)
    }
}
