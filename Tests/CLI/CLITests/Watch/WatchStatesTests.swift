import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of the states of the live screen: loading, empty, failed, last known and offline.
@Suite struct WatchStatesTests {
    private static let now = WatchModelTests.now
    private static let away = Explanation(
        status: .daemonAway, code: .daemonAway, message: "framefastd is not running")

    private static func press(_ keys: [Key], _ state: inout WatchState) -> [WatchState.Action] {
        keys.flatMap { state.press($0, now: now) }
    }

    private static func frame(_ state: WatchState, width: Int = 100, height: Int = 40) -> [Line] {
        WatchScreen(state: state, now: now).lines(Layout(width: width, height: height))
    }

    private static func text(_ state: WatchState, width: Int = 100, height: Int = 40) -> String {
        frame(state, width: width, height: height).map(\.text).joined(separator: "\n")
    }

    // MARK: States

    @Test func `shows why listing photos failed and retries with Ctrl-L`() {
        var state = WatchModelTests.state()
        state.model.shots.clear()
        state.model.isListed = false
        #expect(Self.text(state).contains("⠋ Loading the newest photos"))
        state.model.listFailure = Explanation(
            status: .failed, code: .internal, message: "cannot read the ledger")
        #expect(Self.text(state).contains("✗ The photos cannot be listed: cannot read the ledger."))
        #expect(
            Self.text(state).contains("1. Press Ctrl-L to try again.")
                && !Self.text(state).contains("⠋ Asking"))
        #expect(Self.press([.redraw], &state) == [.redraw, .requestNewest])
        state.model.addNewest([Samples.capture(1)], [])
        #expect(state.model.listFailure == nil && Self.press([.redraw], &state) == [.redraw])
    }

    @Test func `dims the last known data while the daemon is away`() {
        var state = WatchModelTests.state()
        state.model.offline = Self.away
        let lines = Self.frame(state)
        let body = lines.drop { !$0.text.contains("Offline  framefastd") }.dropFirst(1).dropLast(1)
        #expect(body.contains { $0.text.contains("studio-a") })
        for line in body {
            #expect(line.spans.allSatisfy { [.caption, .primary].contains($0.role) }, "\(line.text)")
            let isDim = line.spans.allSatisfy { $0.role == .caption || $0.text.allSatisfy(\.isWhitespace) }
            #expect(isDim, "\(line.text)")
        }
    }

    @Test(arguments: [[Key.character("m")], [.character("x")]])
    func `disables an open question when the daemon goes away`(keys: [Key]) {
        var state = WatchModelTests.state { $0.uploads.failed = 2 }
        #expect(Self.press(keys, &state).isEmpty)
        #expect(!Self.text(state).contains("framefastd is unavailable."))
        state.model.offline = Self.away
        #expect(Self.text(state).contains("framefastd is unavailable."))
        let answers: [Key] = keys == [.character("m")] ? [.enter, .character("2")] : [.character("y")]
        for answer in answers {
            var asked = state
            #expect(Self.press([answer], &asked).isEmpty)
            #expect(asked.banner(now: Self.now)?.sentence == "framefastd is unavailable.")
        }
    }

    @Test func `never draws a card inside a card`() {
        for (name, state) in WatchModelTests.scenes {
            for line in Self.frame(state, width: 60, height: 60).map(\.text) {
                let sides = line.count { "│║".contains($0) }
                let corners = line.count { "╭╮╰╯╔╗╚╝".contains($0) }
                #expect(sides <= 2 && corners <= 2 && (sides == 0 || corners == 0), "\(name): \(line)")
            }
        }
    }

    // MARK: Head

    @Test(arguments: [
        ([], "FrameFast  ✓ Running"), ([Key.character("d")], "FrameFast · Session  ✓ Running"),
        // If a card hides the list of cameras, the head shows the state of the camera.
        ([.character("?")], "✓ Ready  studio-a · Bangkok Wedding"), ([.tab, .enter], "✓ Ready  studio-a"),
        ([.character("m")], "✓ Ready  studio-a"),
    ])
    func `the head shows the page or the camera state`(keys: [Key], head: String) {
        var state = WatchModelTests.state()
        _ = Self.press(keys, &state)
        #expect(Self.frame(state)[0].text.contains(head), "\(Self.frame(state)[0].text)")
    }

    @Test func `shows notes only if serious conditions leave space`() {
        var note = Samples.condition
        (note.severity, note.sentence, note.nextStep) = (.info, "Two cameras share a number.", nil)
        let quiet = WatchModelTests.state { $0.conditions = [note] }
        #expect(Self.text(quiet, height: 24).contains("● Note  Two cameras share a number."))
        #expect(!Self.text(quiet, height: 20).contains("share a number"))
        let loud = WatchModelTests.state { $0.conditions = [Samples.condition, note] }
        #expect(!Self.text(loud, height: 24).contains("share a number"))
        #expect(Self.text(loud, height: 40).contains("● Note     Two cameras share a number."))
    }

    @Test func `raises the alarm once, and only for a new warning`() {
        var state = WatchModelTests.state { $0.conditions = [Samples.condition] }
        #expect(state.model.consumeNewAlarm() == false, "the condition existed when the screen opened")
        var note = Samples.condition
        (note.code, note.severity) = ("note", .info)
        var other = Samples.condition
        other.code = "camera-gone"
        for (conditions, rings) in [
            ([Samples.condition, note], false), ([Samples.condition, other], true),
            ([Samples.condition, other], false),
            ([Samples.condition], false), ([Samples.condition, other], true),
        ] {
            _ = state.model.apply(WatchModelTests.event(.conditions(conditions)))
            #expect(state.model.consumeNewAlarm() == rings, "\(conditions.map(\.code))")
            #expect(state.model.consumeNewAlarm() == false)
        }
    }

    // MARK: Rows and cards

    @Test func `a camera's row ends with the last photo and the photo's age`() {
        let state = WatchModelTests.state { $0.cameras[0].progress = nil }
        let row = Self.frame(state, width: 80, height: 24).map(\.text).first { $0.contains("last a.jpg") }
        #expect(row?.hasSuffix("42 s ago │") == true, "\(row ?? "")")
    }

    @Test func `a camera's card, row and details show the progress of an interval`() {
        var state = WatchModelTests.state {
            $0.cameras[0].operation = OperationReply(
                kind: .interval, state: .running, done: 12, total: 100,
                nextAt: Self.now.addingTimeInterval(7.2))
        }
        let progress = "interval 12 of 100, next in 8 s"
        #expect(Self.text(state).contains("│ \(progress) · battery 84 %"), "\(Self.text(state))")
        // A low window shows a row instead of the card.
        let low = Self.text(state, height: 16)
        #expect(low.contains("studio-a  \(progress), 1/125"), "\(low)")
        _ = Self.press([.tab, .enter], &state)
        let details = Self.frame(state).map(\.text).first { $0.contains("Activity") }
        #expect(details?.contains(progress) == true, "\(Self.text(state))")
    }

    @Test func `shows the filter as a label and in the empty list`() {
        var state = WatchModelTests.state()
        _ = Self.press([.character("f")], &state)
        #expect(Self.text(state).contains("Photos 12 [not delivered]"))
        _ = Self.press([.character("f")], &state)
        #expect(Self.text(state).contains("Photos 0 [failed or retrying]"))
        #expect(
            Self.text(state).contains(
                "○ No photo matches the filter: failed or retrying.  f changes the filter."))
    }

    @Test func `the help fits in 80 columns below a warning`() {
        var state = WatchModelTests.state { $0.conditions = [Samples.condition] }
        _ = Self.press([.character("?")], &state)
        let text = Self.text(state, width: 80, height: 24)
        for command in WatchCommand.allCases where command != .help {
            #expect(text.contains(command.meaning), "\(command)")
        }
    }

    @Test func `shows the Enter hint only with a focus`() {
        var state = WatchModelTests.state()
        #expect(!Self.text(state).contains("Enter details"))
        _ = Self.press([.tab], &state)
        #expect(Self.text(state).contains("Enter details"))
    }

    // MARK: Uploads of the focused item

    private static func job(_ id: Int64, _ state: UploadJobReply.State, of capture: CaptureID)
        -> UploadJobReply
    {
        var job = Samples.job(id, state, to: "agency")
        job.capture = capture
        return job
    }

    private static var failing: WatchState {
        var state = WatchModelTests.state { $0.uploads.failed = 9 }
        var failed = Samples.capture(12)
        (failed.state, failed.shotState) = (.uploadFailed, .uploadFailed)
        _ = state.model.apply(WatchModelTests.event(.capture(failed)))
        for job in [job(31, .failed, of: 12), job(32, .retrying, of: 12), job(33, .delivered, of: 12)] {
            _ = state.model.apply(WatchModelTests.event(.upload(job)))
        }
        return state
    }

    @Test func `retry applies to the focused item, or to all uploads`() {
        var all = Self.failing
        #expect(Self.press([.character("r")], &all) == [.retry(FailedUploads(failed: 9, retrying: 0))])
        #expect(FailedUploads(failed: 9, retrying: 0).selection().all == true)
        var photo = Self.failing
        let own = FailedUploads(ids: [31, 32], photo: "12.jpg", failed: 1, retrying: 1)
        #expect(Self.press([.tab, .tab, .tab, .character("r")], &photo) == [.retry(own)])
        #expect(own.selection().ids == [31, 32] && own.selection().all == nil)
        var destination = Self.failing
        let uploads = FailedUploads(destination: "agency", failed: 1, retrying: 40)
        #expect(Self.press([.tab, .tab, .down, .character("r")], &destination) == [.retry(uploads)])
        #expect(
            uploads.selection(.failed).destination == "agency"
                && uploads.selection(.failed).state?.known == .failed)
    }

    @Test func `asks before dropping the focused photo's uploads`() {
        var photo = Self.failing
        #expect(Self.press([.tab, .tab, .tab, .character("x")], &photo).isEmpty)
        #expect(Self.text(photo).contains("✗ Drop 1 upload of 12.jpg that failed?"))
        let lines = Self.frame(photo)
        #expect(lines.contains { $0.spans.contains { $0.role == .tone(.danger) && $0.text.contains("╔") } })
        #expect(lines.last?.spans.first { $0.text == "y" }?.role == .tone(.danger))
        let own = FailedUploads(ids: [31, 32], photo: "12.jpg", failed: 1, retrying: 1)
        #expect(Self.press([.character("y")], &photo) == [.drop(own)])
    }

    @Test
    func `retry explains why a photo has no uploads to retry`() {
        var fine = Self.failing
        #expect(Self.press([.tab, .tab, .tab, .down, .character("r")], &fine).isEmpty)
        #expect(
            fine.banner(now: Self.now)?.sentence
                == "No upload of 11.jpg failed. For all uploads, press Esc, then r.")
        var old = Self.failing
        var unknown = Samples.capture(10)
        (unknown.state, unknown.shotState) = (.uploadFailed, .uploadFailed)
        _ = old.model.apply(WatchModelTests.event(.capture(unknown)))
        #expect(Self.press([.tab, .tab, .tab, .down, .down, .character("r")], &old).isEmpty)
        #expect(
            old.banner(now: Self.now)?.sentence
                == "The uploads of this photo are not listed here: see `framefast queue`.")
    }
}
