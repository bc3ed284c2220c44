import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of the live screen, without a terminal.
@Suite struct WatchModelTests {
    static let now = Samples.time.addingTimeInterval(42)

    static func state(_ change: (inout StatusReply) -> Void = { _ in }) -> WatchState {
        var state = WatchState()
        var status = Samples.status
        status.disk.totalBytes = 500_000_000_000
        status.destinations = Samples.destinations
        change(&status)
        _ = state.model.apply(EventReply(seq: 0, at: now, body: .snapshot(status)))
        state.model.addNewest((1...12).reversed().map { Samples.capture($0) }, [])
        return state
    }

    static func event(_ body: EventReply.Body, after seconds: Double = 0) -> EventReply {
        EventReply(seq: 1, at: now.addingTimeInterval(seconds), body: body)
    }

    private static func job(
        _ id: JobID, _ state: UploadJobReply.State, of capture: CaptureID = 12, sent: Int64 = 0
    ) -> UploadJobReply {
        UploadJobReply(
            id: id, capture: capture, originalName: "a", path: "/a", cameraID: "studio-a",
            cameraName: "studio-a",
            destination: DestinationName(rawValue: "d\(id)"),
            state: state, retryAt: now.addingTimeInterval(8), bytes: 100, bytesSent: sent, updatedAt: now)
    }

    @Test(
        arguments: [
            (.saved, [], "Saved", Tone.success), (.delivered, [job(1, .delivered)], "Delivered", .success),
            (.queued, [job(1, .delivered), job(2, .queued)], "Queued", .neutral),
            (.uploading, [job(1, .uploading, sent: 42), job(2, .queued)], "Uploading 42 %", .busy),
            (.uploading, [job(1, .verifying), job(2, .held)], "Uploading", .busy),
            (.retrying, [job(1, .uploading), job(2, .retrying)], "Retrying in 8 s", .warning),
            (.uploadFailed, [job(1, .retrying), job(2, .failed)], "Failed", .danger),
            (.held, [job(1, .held)], "Held", .neutral), (.damaged, [], "Damaged", .danger),
            (.receiving, [], "Saving", .busy), (.cleared, [job(1, .delivered)], "Cleared", .neutral),
        ] as [(CaptureReply.State, [UploadJobReply], String, Tone)])
    func `a shot's badge shows its state, progress and retry time`(
        word state: CaptureReply.State, jobs: [UploadJobReply], word: String, tone: Tone
    ) {
        var watch = Self.state()
        _ = watch.model.apply(Self.event(.capture(Self.capture(12, state))))
        for job in jobs { _ = watch.model.apply(Self.event(.upload(job))) }
        #expect(watch.model.shots.badge(watch.shots[0], now: Self.now) == BadgeView(tone, word))
    }

    @Test func `shows a RAW and its JPEG as one row`() {
        var watch = Self.state()
        func file(_ id: CaptureID, _ kind: String, of shot: ShotID) -> CaptureReply {
            var capture = Samples.capture(id.rawValue, name: "IMG_0013.\(kind)")
            (capture.shotID, capture.path) = (shot, "/photos/13.\(kind)")
            return capture
        }
        // The second file was a separate shot until the ledger paired the two files.
        for capture in [file(13, "jpg", of: 13), file(14, "cr3", of: 14), file(14, "cr3", of: 13)] {
            _ = watch.model.apply(Self.event(.capture(capture)))
        }
        #expect(watch.shots.map(\.id.rawValue) == (1...13).reversed())
        #expect(watch.shots[0].name == "13.jpg + cr3" && watch.shots[0].size == 2 * Samples.capture(1).size)
    }

    @Test func `keeps the newest photos, and a listed page does not overwrite an event`() {
        var state = Self.state()
        let last = Int64(WatchShots.countMax) + 100
        for id in 13...last { _ = state.model.apply(Self.event(.capture(Samples.capture(id)))) }
        #expect(state.model.shots.all.count == WatchShots.countMax)
        #expect(state.model.shots.all.map(\.id.rawValue) == (101...last).reversed())
        #expect(state.model.shots.olderPages == .tooMany)
        var old = Samples.capture(last)
        old.state = .receiving
        state.model.addNewest([old], [])
        #expect(state.model.shots.all[0].state.known == .saved)
    }

    @Test func `a snapshot clears the photos and requests new ones`() {
        var state = Self.state()
        state.model.offline = ClientErrors.away
        let asks = state.model.apply(Self.event(.snapshot(Samples.status)))
        #expect(asks && state.model.offline == nil && state.model.shots.all.isEmpty)
    }

    @Test func `computes transfer rate and time left from the progress`() {
        var rate = TransferRate()
        func progress(_ bytes: Int64, _ name: String = "A") -> ProgressReply {
            ProgressReply(originalName: name, bytes: bytes, totalBytes: 100_000_000)
        }
        func time(_ seconds: Double) -> Date { Self.now.addingTimeInterval(seconds) }
        rate.add(progress(0), at: time(0))
        #expect(rate.bytesPerSecond(at: time(0)) == nil)
        rate.add(progress(20_000_000), at: time(0.5))
        rate.add(progress(40_000_000), at: time(1))
        #expect(rate.bytesPerSecond(at: time(1)) == 40_000_000)
        #expect(rate.secondsLeft(progress(40_000_000), at: time(1)) == 2)
        // The rate does not drop when the next photo starts.
        rate.add(nil, at: time(1.125))
        rate.add(progress(10_000_000, "B"), at: time(1.25))
        #expect(rate.bytesPerSecond(at: time(1.25)) == 40_000_000)
        // The rate is unknown while the transfer stalls.
        #expect(rate.bytesPerSecond(at: time(5.25)) == 40_000_000)
        #expect(rate.bytesPerSecond(at: time(5.5)) == nil)
        #expect(rate.secondsLeft(progress(10_000_000, "B"), at: time(5.5)) == nil)
    }

    @Test func `counts each shot once, in the minute of its save`() {
        var pace = ShotPace()
        for id in Int64(1)...3 { pace.add(ShotID(rawValue: id), savedAt: Self.now) }
        pace.add(3, savedAt: Self.now)
        pace.add(4, savedAt: Self.now.addingTimeInterval(-60))
        pace.add(5, savedAt: Self.now.addingTimeInterval(-7200))
        let values = pace.values(now: Self.now)
        #expect(values.count == SparklineView.pointsMax)
        #expect(values.suffix(2) == [1, 3] && values.reduce(0, +) == 4)
    }

    // MARK: Keys

    /// Returns the keys of a text.
    static func typed(_ text: String) -> [Key] { text.map { .character($0) } }

    static func pressed(_ keys: [Key], _ state: WatchState = state()) -> (
        WatchState, [WatchState.Action]
    ) {
        var state = state
        var actions: [WatchState.Action] = []
        for key in keys { actions += state.press(key, now: now) }
        return (state, actions)
    }

    private static let failed = FailedUploads(failed: 2, retrying: 0)

    @Test(arguments: [
        ([Key.character("s")], [WatchState.Action.shoot(nil)]),
        ([.down, .character("s")], [.shoot("studio-a")]), ([.character("p")], [.pause(nil, true)]),
        ([.tab, .tab, .character("p")], [.pause("nas", true)]), ([.character("r")], [.retry(failed)]),
        // Keys for irreversible actions ask for confirmation. The default answer is no.
        ([.character("x"), .enter], []), ([.character("x"), .character("y")], [.drop(failed)]),
        ([.character("x"), .escape, .character("y")], []),
        ([.character("m"), .character("2")], [.setMode(.offline)]),
        ([.character("m"), .down, .enter], [.setMode(.offline)]), ([.character("m"), .escape], []),
        ([.character("?"), .character("q")], []), ([.character("q")], [.quit]), ([.redraw], [.redraw]),
        ([.enter, .escape, .character("q")], [.quit]),
    ])
    func `keys return their actions`(keys: [Key], actions: [WatchState.Action]) {
        let state = Self.state {
            $0.uploads.failed = 2
            $0.destinations[0].name = "nas"
        }
        #expect(Self.pressed(keys, state).1 == actions)
    }

    @Test(
        arguments: [
            (.character("s"), "No camera is ready."), (.character("e"), "No camera is ready."),
            (.character("p"), "No destination is configured."),
            (.character("r"), "No upload failed."), (.character("x"), "No upload failed."),
        ] as [(Key, String)])
    func `an unavailable key shows the reason, and its hint is in parentheses`(key: Key, reason: String) {
        let bare = Self.state {
            $0.cameras = []
            $0.destinations = []
        }
        let (state, actions) = Self.pressed([key], bare)
        #expect(actions.isEmpty && state.banner(now: Self.now)?.sentence == reason)
        let lines = WatchScreen(state: bare, now: Self.now).lines(Layout(width: 120, height: 40))
        #expect(
            lines.last?.text.contains(
                "(s shoot)   (p pause)   ? help   q quit   d session   (e settings)   m mode   / find   (r retry)"
            ) == true)
    }

    @Test(arguments: ["s", "e", "p", "r", "m", "x"])
    func `control keys do nothing while the daemon is away`(key: Character) {
        var away = Self.state { $0.uploads.failed = 2 }
        away.model.offline = ClientErrors.away
        let (state, actions) = Self.pressed([.character(key)], away)
        #expect(actions.isEmpty && state.page == .overview)
        #expect(state.banner(now: Self.now)?.sentence == "framefastd is unavailable.")
    }

    @Test func `emphasizes at most two available keys`() {
        for (name, state) in Self.scenes {
            let hints = WatchScreen(state: state, now: Self.now).lines(Layout(width: 120, height: 40)).last
            let strong = hints?.spans.filter { $0.role == .emphasised } ?? []
            #expect(strong.count <= KeyHintsView.primaryMax, "\(name)")
            #expect(strong.allSatisfy { !$0.text.contains("(") }, "\(name)")
        }
    }

    @Test func `asks for confirmation before sending held photos`() {
        let state = Self.state { $0.uploads.held = 40 }
        let (asked, none) = Self.pressed([.character("m"), .character("1")], state)
        guard case .confirm(let view, _) = asked.page else {
            Issue.record("no confirmation is open")
            return
        }
        #expect(none.isEmpty && view.question == "Switch to Real-time upload?")
        #expect(
            Self.pressed([.character("m"), .character("1"), .character("y")], state).1 == [
                .setMode(.realtime)
            ])
    }

    @Test func `keeps the focus on its photo when new photos arrive`() {
        var (state, _) = Self.pressed([.tab, .tab, .tab, .down])
        #expect(state.focus == .photo(11))
        _ = state.model.apply(Self.event(.capture(Samples.capture(13))))
        #expect(state.focus == .photo(11))
        _ = state.press(.up, now: Self.now)
        #expect(state.focus == .photo(12))
        _ = state.press(.character("G"), now: Self.now)
        #expect(state.focus == .photo(1))
        _ = state.press(.home, now: Self.now)
        #expect(state.focus == .camera("studio-a"))
    }

    /// Returns a photo in the given state.
    private static func capture(_ id: CaptureID, _ state: CaptureReply.State) -> CaptureReply {
        var capture = Samples.capture(id.rawValue)
        (capture.state, capture.shotState) = (state, state)
        return capture
    }

    @Test func `filters photos by state`() {
        var state = Self.state()
        _ = state.model.apply(Self.event(.capture(Self.capture(12, .uploadFailed))))
        _ = state.model.apply(Self.event(.capture(Self.capture(11, .delivered))))
        _ = state.press(.character("f"), now: Self.now)
        #expect(state.shots.count == 11)
        _ = state.press(.character("f"), now: Self.now)
        #expect(state.shots.map(\.id) == [12])
    }

    // MARK: Golden files

    /// A state with cameras of the same name, RAWs with JPEGs, a damaged photo, wide names and two
    /// conditions.
    static var wedding: WatchState {
        var state = state {
            let destinations = $0.destinations
            $0 = EverydayScenes.status[0].reply
            $0.destinations = destinations
        }
        state.model.shots.clear()
        state.model.addNewest(EverydayScenes.captures.captures, [])
        return state
    }

    static var scenes: [(name: String, state: WatchState)] {
        var transfer = state {
            $0.conditions = [Samples.condition]
            $0.cameras.append(Scenes.cardReader)
            $0.cameras[0].progress = ProgressReply(
                originalName: "IMG_0008.CR3", bytes: 12_000_000, totalBytes: 31_000_000)
            $0.cameras[0].state = .downloading
        }
        for (index, bytes) in [Int64(1), 12_000_000].enumerated() {
            var camera = transfer.model.cameras[0]
            camera.progress?.bytes = bytes
            _ = transfer.model.apply(event(.camera(camera), after: Double(index) - 1))
        }
        _ = transfer.model.apply(event(.capture(capture(12, .uploading))))
        _ = transfer.model.apply(event(.upload(job(1, .uploading, sent: 42))))
        _ = transfer.model.apply(event(.capture(capture(10, .retrying))))
        _ = transfer.model.apply(event(.upload(job(2, .retrying, of: 10))))
        var raw = Samples.capture(13, name: "IMG_0012.CR3")
        (raw.shotID, raw.path) = (11, "/photos/11.cr3")
        _ = transfer.model.apply(event(.capture(raw)))
        var away = state()
        away.model.offline = ClientErrors.away
        var first = WatchState()
        first.model.offline = ClientErrors.away
        return [
            ("loading", WatchState()), ("first start without a daemon", first),
            ("at rest", state { $0.cameras[0].progress = nil }), ("shooting", transfer),
            ("a wedding", wedding),
            (
                "empty",
                state {
                    $0.cameras = []
                    $0.session = nil
                    $0.destinations = []
                }
            ),
            ("daemon away", away), ("a photo with the focus", pressed([.tab, .tab, .tab], transfer).0),
            ("details of a camera", pressed([.tab, .down, .enter], transfer).0),
            ("details of a destination", pressed([.tab, .tab, .down, .enter]).0),
            ("details of a photo", pressed([.tab, .tab, .tab, .enter], transfer).0),
            ("session", pressed([.character("d")], transfer).0), ("modes", pressed([.character("m")]).0),
            ("settings of a camera", adjusting([])),
            ("settings being loaded", pressed([.character("e")]).0),
            ("choices of a setting", adjusting([.down, .enter, .down])),
            ("help", pressed([.character("?")]).0),
            ("searching for photos", pressed(typed("/eos 0456"), wedding).0),
            ("found", pressed(typed("/披露宴") + [.enter], wedding).0),
            ("nothing found", pressed(typed("/tokyo"), wedding).0),
            ("parts closed", pressed([.tab, .character("c"), .tab, .character("c")], wedding).0),
            ("question", pressed([.character("x")], state { $0.uploads.failed = 2 }).0),
            ("photos that failed", pressed([.character("f"), .character("f")], wedding).0),
            ("photos cannot be listed", unlisted), ("modes while the daemon is away", modesAway),
            ("ten thousand photos and a camera that fails", tenThousand),
        ]
    }

    /// Returns a state with an open list of settings, after the given keys.
    static func adjusting(_ keys: [Key]) -> WatchState {
        var state = pressed([.character("e")]).0
        var reply = SettingScenes.settings
        reply.camera = .init(id: Samples.camera.id, name: Samples.camera.name)
        state.showSettings(reply)
        return pressed(keys, state).0
    }

    private static var unlisted: WatchState {
        var state = state { $0.conditions = [EverydayScenes.note] }
        state.model.shots.clear()
        state.model.isListed = false
        state.model.listFailure = Explanation(
            status: .failed, code: .internal, message: "cannot read the ledger: the disk does not answer")
        return state
    }

    private static var modesAway: WatchState {
        var state = pressed([.character("m")]).0
        state.model.offline = ClientErrors.away
        return state
    }

    /// A state with the largest number of shots and a camera with a right-to-left name.
    private static var tenThousand: WatchState {
        var state = state { $0 = EverydayScenes.tenThousand }
        for id in Int64(1)...Int64(WatchShots.countMax) + 1 {
            _ = state.model.apply(event(.capture(Samples.capture(id))))
        }
        return state
    }

    @Test(arguments: [(40, 20), (80, 24), (120, 40)])
    func `every watch screen matches its golden file`(columns: Int, rows: Int) throws {
        let screens = Self.scenes.map { name, state -> GoldenTests.Screen in
            let screen = WatchScreen(state: state, now: Self.now)
            return (
                name: name,
                lines: { layout in
                    let lines = screen.lines(layout)
                    #expect(lines.count == rows, "\(name)")
                    #expect(lines.allSatisfy { $0.width <= columns }, "\(name)")
                    return lines
                }
            )
        }
        try GoldenTests.expect(screens, "watch", Layout(width: columns, height: rows))
    }

    private enum ClientErrors {
        static let away = Explanation(
            status: .daemonAway, code: .daemonAway,
            message: "framefastd is not running (no socket at /run/f.sock)",
            nextStep: "Start it with `systemctl start framefastd`.")
    }
}
