import ArgumentParser
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

@Suite struct TextTests {
    @Test(arguments: [
        (["status", "--json"], ["status", "--json"]), (["--json", "status"], ["status", "--json"]),
        (
            ["--socket", "/s", "session", "--plain", "start", "x"],
            ["session", "start", "x", "--socket", "/s", "--plain"]
        ),
        (["--socket=/s", "status"], ["status", "--socket=/s"]),
        (["template", "test", "--", "--json"], ["template", "test", "--", "--json"]),
        (["--plain", "template", "test", "--", "-x"], ["template", "test", "--plain", "--", "-x"]),
        (["--json"], ["--json"]), ([], []), (["status", "--socket"], ["status", "--socket"]),
    ])
    func `accepts global options before the verb`(arguments: [String], moved: [String]) {
        #expect(GlobalOptions.movedBehindVerb(arguments) == moved)
    }

    @Test(arguments: [("0", nil), ("1", 1), ("60", 60), ("61", nil), ("fast", nil)] as [(String, Int?)])
    func `live accepts frame rates from 1 to 60`(text: String, rate: Int?) {
        let verb = try? LiveVerb.parse(["studio-a", "--rate", text])
        #expect(verb?.rate == rate)
    }

    @Test func `help tables keep their indent at 80 columns`() {
        let help = CommandReference.markdown(columns: 80).split(
            separator: "\n", omittingEmptySubsequences: false)
        let options = help.drop { !$0.hasPrefix("Global options") }.dropFirst().prefix { !$0.isEmpty }
        #expect(options.count > 6 && options.allSatisfy { $0.hasPrefix("  ") }, "\(options)")
        for table in [
            ExitStatus.table, HelpTable.text(StatusTemplate.Field.allCases.map { ($0.rawValue, $0.meaning) }),
        ] {
            #expect(
                table.split(separator: "\n").allSatisfy { $0.count < 80 && $0.hasPrefix("  ") }, "\(table)")
        }
    }

    @Test func `framefast and a verb have the same help for global options`() {
        let help = { (command: any ParsableCommand.Type) in
            FrameFast.helpMessage(for: command, columns: 100).split { $0.isWhitespace }.joined(separator: " ")
        }
        let (root, verb) = (help(FrameFast.self), help(WatchVerb.self))
        for option in GlobalOption.allCases {
            let name = option.name
            let rootValue = option.valueName.map { " \($0.uppercased())" } ?? ""
            let verbValue = option.valueName.map { " <\($0)>" } ?? ""
            #expect(root.contains("\(name)\(rootValue) \(option.purpose)"))
            #expect(verb.contains("\(name)\(verbValue) \(option.purpose)"))
        }
    }

    @Test(arguments: [
        (["FRAMEFAST_SOCKET": "/f", "XDG_RUNTIME_DIR": "/x"], true, "/f"),
        (["XDG_RUNTIME_DIR": "/x"], true, "/x/framefast/framefast.sock"),
        (["XDG_RUNTIME_DIR": "/x"], false, "/run/framefast/framefast.sock"),
        (["FRAMEFAST_SOCKET": ""], true, "/run/framefast/framefast.sock"),
        ([:], true, "/run/framefast/framefast.sock"),
    ])
    func `finds the default socket from the environment`(
        environment: [String: String], exists: Bool, path: String
    ) {
        #expect(
            GlobalOptions.defaultSocket(environment: { environment[$0] }, exists: { _ in exists }) == path)
    }

    @Test(arguments: [
        ("IMG_0001.JPG", "IMG_0001.JPG"), ("a\u{1B}[31mb", "a\\u{1b}[31mb"), ("a\u{9B}b", "a\\u{9b}b"),
        ("a\nb\u{7F}", "a\\u{a}b\\u{7f}"), ("evil\u{202E}gpj.exe", "evil\\u{202e}gpj.exe"), ("ภาพ", "ภาพ"),
    ])
    func `escapes control characters in names`(text: String, escaped: String) {
        #expect(TerminalText.escaped(text) == escaped)
    }

    @Test func `escapes control characters in JSON without changing its value`() throws {
        let names = ["a\u{9B}b", "c\u{202E}d", "e\u{1B}f", "ภาพ"]
        let escaped = TerminalText.escapedJSON(try JSONEncoder().encode(names))
        #expect(escaped.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{9B}" && $0 != "\u{202E}" })
        #expect(try JSONDecoder().decode([String].self, from: Data(escaped.utf8)) == names)
    }

    @Test func `a badge has the same text without colors`() {
        for tone in Tone.allCases {
            let badge = BadgeView(tone, "Word").lines(Layout(width: 20))[0]
            let colored = Style(depth: .sixteen, hasUnicode: true).encode(badge)
            #expect(colored.contains(Style(depth: .plain, hasUnicode: true).encode(badge)))
        }
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (8_123_456, "8.1 MB"), (31_200_000_000, "31.2 GB"),
            (5_000_000_000_000_000, "5,000.0 TB"),
        ] as [(Int64, String)])
    func `formats sizes in decimal units with one decimal`(bytes: Int64, text: String) {
        #expect(Formatted.size(bytes) == text)
    }

    @Test(arguments: [
        (0.0, "0 s ago"), (59, "59 s ago"), (61, "1 min ago"), (7300, "2 h ago"), (200_000, "2 d ago"),
        (-5, "0 s ago"),
    ])
    func `formats ages in whole seconds, minutes, hours or days`(seconds: Double, text: String) {
        let now = Date()
        #expect(Formatted.age(of: now.addingTimeInterval(-seconds), now: now) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1204, "1,204"), (-1_000_000, "-1,000,000")])
    func `groups digits of counts by thousands`(number: Int, text: String) {
        #expect(Formatted.count(number) == text)
    }

    @Test func `prints the plain status with one fact per line`() {
        let lines = StatusView(status: Samples.status, json: Data(), now: Scenes.now).plain()
        #expect(
            lines == [
                "version: 9.8.7", "state: Running", "session: Bangkok Wedding", "shots saved: 1204",
                "shots saved today: 212", "photos saved: 2408", "photos saved today: 424",
                "bytes saved: 31200000000", "shots per minute: 12",
                "photos verified by: structure", "photos awaiting a second reading: 0",
                "disk free bytes: 212400000000", "disk guard: ok", "camera studio-a: Ready",
                "camera studio-a model: Canon EOS R5", "camera studio-a serial: 0123",
                "camera studio-a port: ptpip:127.0.0.1:15740", "camera studio-a battery: 84 percent",
                "camera studio-a shots left: 512",
                "camera studio-a exposure: 1/125 f/5.6 ISO 400 AWB RAW+J",
                "camera studio-a capture target: card",
                "camera studio-a clock drift seconds: 1",
                "camera studio-a last photo: /photos/a.jpg", "conditions: none",
            ])
    }

    @Test(
        arguments: [
            (nil, nil, nil), (12, nil, "space for 12 shots"), (1, 0, "space for 1 shot"),
            (0, 4, "space for 0 shots, 4 photos not saved yet"), (nil, 1, "1 photo not saved yet"),
        ] as [(Int?, Int?, String?)])
    func `describes the camera's buffer by free shots and unsaved photos`(
        shots: Int?, unsaved: Int?, text: String?
    ) {
        var camera = Samples.camera
        (camera.burstShotsLeft, camera.inMemory) = (shots, unsaved)
        #expect(CameraFactLines.buffer(camera) == text)
    }

    @Test(
        arguments: [
            (
                OperationReply(kind: .interval, state: .running, done: 12, total: 100), false,
                "interval 12 of 100"
            ),
            (OperationReply(kind: .bulb, state: .running, elapsedMs: 12_400), false, "bulb 12 s"),
            (OperationReply(kind: .bulb, state: .ended, elapsedMs: 12_400), false, nil),
            (nil, true, "live view"), (nil, false, nil),
            (OperationReply(kind: .interval, state: .running, done: 3), true, "interval 3"),
        ] as [(OperationReply?, Bool, String?)])
    func `describes the running operation of a camera`(
        operation: OperationReply?, isLive: Bool, text: String?
    ) {
        var camera = Samples.camera
        (camera.operation, camera.isLive) = (operation, isLive)
        #expect(OperationView.summary(camera) == text)
    }

    @Test(arguments: [
        (OperationReply.Kind.bulb, "the bulb of R5"), (.bracket, "the bracket of R5"),
        (.focusStack, "the focus stack of R5"), (.movie, "the movie of R5"),
    ])
    func `an operation with an unknown result has a next step`(
        kind: OperationReply.Kind, words: String
    ) {
        let explanation = OperationView.unknownEnd(of: Word(kind), on: "R5")
        #expect(explanation.status == .failed)
        #expect(explanation.message.hasPrefix("cannot determine how \(words) ended"))
        #expect(explanation.nextStep?.contains("framefast captures") == true)
    }

    @Test(arguments: [
        (nil, "interval 12 of 100"), (0.5, "interval 12 of 100"),
        (7.2, "interval 12 of 100, next in 8 s"), (150, "interval 12 of 100, next in 2 min"),
    ])
    func `omits a wait of up to one second for the next photo`(seconds: Double?, text: String) {
        var camera = Samples.camera
        camera.operation = OperationReply(
            kind: .interval, state: .running, done: 12, total: 100,
            nextAt: seconds.map { Samples.time.addingTimeInterval($0) })
        #expect(OperationView.summary(camera, at: Samples.time) == text)
    }

    @Test(arguments: [
        ("canon-1", "R5", "This Canon shows its card as a disk.", "R5: This Canon shows its card as a disk."),
        ("canon-1", "R5", "The battery of R5 is at 4 %.", "The battery of R5 is at 4 %."),
        (nil, nil, "The disk is full.", "The disk is full."),
    ])
    func `the sentence of a condition contains the camera's name once`(
        id: String?, name: String?, sentence: String, shown: String
    ) {
        var condition = Samples.condition
        (condition.about, condition.subject, condition.name) = (.camera, id, name)
        condition.sentence = sentence
        #expect(ConditionLines.sentence(condition) == shown)
        #expect(ConditionLines.plain(condition).first == "warning: " + shown)
    }

    @Test func `the human-readable status shows states, counts and next steps`() {
        var status = Samples.status
        status.conditions = [Samples.condition]
        let text = StatusView(status: status, json: Data(), now: Scenes.now).human(.bare).joined(
            separator: "\n")
        #expect(text.contains("FrameFast 9.8.7  ok Running"))
        #expect(text.contains("1,204 shots saved (31.2 GB), 212 today, 12 per minute"))
        #expect(
            text.contains(
                "ok Ready  studio-a  Canon EOS R5     84 %  512 shots  1/125 f/5.6 ISO 400 AWB RAW+J  a.jpg, "
            ))
        #expect(text.contains("!  Warning  The disk is getting short."))
        #expect(text.contains("  > Free some space."))
        #expect(!text.contains("\u{1B}"))
    }

    @Test(arguments: [
        CameraReply.State.searching, .wrongMode, .inUse, .connecting, .ready, .downloading,
        .reconnecting, .gone, .failed,
    ])
    func `every camera state has a capitalized word`(state: CameraReply.State) {
        let word = StateWords.camera(CameraReply(id: "a", name: "a", state: state)).word
        #expect(word.first?.isUppercase == true)
        #expect(word != state.rawValue)
    }

    @Test func `shows the listing progress of a card in every view`() {
        var status = Samples.status
        let before = StatusView(status: status, json: Data(), now: Scenes.now)
        #expect(!before.human(.bare).joined().contains("Reading card"))
        status.cameras[0].listing = ListingReply(objects: 1_200, totalObjects: 5_003)
        let view = StatusView(status: status, json: Data(), now: Scenes.now)
        let text = view.human(.bare).joined(separator: "\n")
        #expect(text.contains("Reading card") && text.contains("1,200 of 5,003"))
        #expect(view.plain().contains("camera studio-a reading the card: 1,200 of 5,003"))
        status.cameras[0].listing = ListingReply(objects: 1_200)
        #expect(
            StatusView(status: status, json: Data(), now: Scenes.now).plain().contains(
                "camera studio-a reading the card: 1,200"))
    }

    @Test func `the command reference matches the help`() throws {
        let text = CommandReference.markdown()
        let file = try DocumentFile("docs/command-reference.md").text(writing: text)
        #expect(file == text, "write it with scripts/docs")
    }
}
