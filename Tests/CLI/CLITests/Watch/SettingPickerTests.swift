import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of changing a setting on the live screen.
@Suite struct SettingPickerTests {
    @Test(
        arguments: [
            // The list starts with the mode, followed by ISO.
            ([Key.enter, .down, .enter], ["mode=A"]), ([.down, .enter, .up, .enter], ["iso=320"]),
            ([.down, .enter, .end, .enter], ["iso=1000"]), ([.down, .enter, .home, .enter], ["iso=auto"]),
            ([.down, .enter, .escape, .up, .enter, .enter], ["mode=S"]), ([.escape], []),
            ([.enter, .escape, .escape], []),
            ([.down, .down, .down, .enter, .pageDown, .enter], ["iso=1000"]),
        ] as [([Key], [String])])
    func `a list opens at the current value, and Enter sets a value`(keys: [Key], set: [String]) {
        let before = WatchModelTests.adjusting([])
        var (state, actions) = WatchModelTests.pressed(keys, before)
        #expect(
            actions.map { action in
                guard case .set("studio-a", let key, let value) = action else { return "\(action)" }
                return "\(key)=\(value)"
            } == set)
        #expect(state.page == .overview)
        // A late reply does not open the list again.
        state.showSettings(SettingScenes.settings)
        #expect(state.page == .overview)
    }

    @Test func `settings require a focused camera if several cameras are connected`() {
        let two = WatchModelTests.state {
            var second = Samples.camera
            (second.id, second.name) = ("b", "right")
            $0.cameras.append(second)
        }
        let (unsure, none) = WatchModelTests.pressed([.character("e")], two)
        #expect(none.isEmpty && unsure.page == .overview)
        #expect(unsure.banner(now: WatchModelTests.now)?.sentence == "Select a camera with Tab first.")
        let (state, asked) = WatchModelTests.pressed([.tab, .down, .character("e")], two)
        #expect(asked == [.requestSettings("b")])
        guard case .settings(let picker) = state.page else {
            Issue.record("no list is open")
            return
        }
        #expect(picker.camera == "b" && picker.rows == nil)
    }

    @Test func `closes the settings list if the camera does not answer`() {
        var state = WatchModelTests.pressed([.character("e")]).0
        state.closeSettings()
        #expect(state.page == .overview)
    }

    @Test func `does not open a read-only setting`() {
        var reply = SettingScenes.settings
        reply.camera = .init(id: "studio-a", name: "studio-a")
        reply.settings = [
            SettingReply(
                key: "aperture", name: "aperture", value: "5.6", cameraValue: "5.6", choices: ["5.6", "8"],
                cameraChoices: ["5.6", "8"], writable: .no)
        ]
        var state = WatchModelTests.pressed([.character("e")]).0
        state.showSettings(reply)
        let (after, actions) = WatchModelTests.pressed([.enter, .enter], state)
        #expect(actions.isEmpty && after.page == state.page)
    }
}
