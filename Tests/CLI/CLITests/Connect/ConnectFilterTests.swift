import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import TestRig
import Testing

@testable import FrameFastCLI

/// Tests of the maker filter, the list of upload modes, and the validation of names.
@Suite struct ConnectFilterTests {
    private static var picker: ConnectFlow { Scenes.flow("maker, none plugged in") }

    private static func typed(_ text: String, _ flow: ConnectFlow = picker) -> ConnectFlow {
        var flow = flow
        for letter in text { _ = flow.press(.character(letter)) }
        return flow
    }

    private static func text(_ flow: ConnectFlow) -> String {
        ConnectScreen(flow: flow, now: Scenes.now).lines(Layout(width: 80, height: 24)).map(\.text).joined(
            separator: "\n")
    }

    @Test(arguments: [
        ("/sony", ["Sony"]), ("/son", ["Panasonic", "Sony", "Epson"]), ("/bodies of le", ["Leica"]),
        ("/zzz", []),
        ("/EOS", ["Canon"]),
    ])
    func `filters makers by text and always keeps the row for other makers`(
        keys: String, titles: [String]
    ) {
        let flow = Self.typed(keys)
        #expect(Set(flow.choices.dropLast().map(\.title)) == Set(titles))
        #expect(flow.choices.last?.title == "Another maker, or not sure")
        #expect(flow.cursor == nil && flow.stage == .maker)
    }

    @Test func `Enter focuses the first match, and a second Enter chooses it`() {
        var flow = Self.typed("/leica")
        #expect(flow.press(.enter).isEmpty && flow.cursor == 0 && flow.stage == .maker)
        #expect(flow.press(.enter).isEmpty)
        #expect(flow.selections.makerID == "leica" && flow.stage == .sessionName && flow.filter == nil)
    }

    @Test func `focuses nothing if no maker matches`() {
        var flow = Self.typed("/zzz")
        _ = flow.press(.enter)
        #expect(flow.cursor == nil)
        _ = flow.press(.enter)
        #expect(flow.stage == .maker && flow.selections.maker == nil)
    }

    @Test func `treats letters and digits as filter text until Esc`() {
        var flow = Self.typed("/q1")
        #expect(flow.filter?.text == "q1" && flow.stage == .maker)
        _ = flow.press(.backspace)
        #expect(flow.filter?.text == "q")
        _ = flow.press(.escape)
        #expect(flow.filter == nil && flow.choices.count == Scenes.makers.count + 1 && flow.cursor == 0)
        flow = Self.typed("/" + String(repeating: "a", count: 100))
        #expect(flow.filter?.text.count == ListFilter.lengthMax)
        _ = flow.press(.clear)
        #expect(flow.filter?.text == "")
        _ = flow.press(.backspace)
        #expect(flow.filter == nil)
    }

    @Test func `draws the filter and its key hints`() {
        let typing = Self.typed("/son")
        #expect(Self.text(typing).contains("/ son_") && Self.text(typing).contains("Enter keep   Esc end"))
        #expect(Self.text(Self.picker).contains("/ find"))
    }

    // MARK: Modes

    private static func destination(
        _ name: DestinationName, _ state: DestinationReply.State,
        _ breaker: DestinationReply.Breaker = .closed
    ) -> DestinationReply {
        var destination = Samples.destinations[0]
        (destination.name, destination.state, destination.breaker) = (name, state, breaker)
        destination.statistics = UploadStatisticsReply()
        return destination
    }

    @Test(
        arguments: [
            ([], BadgeView(.neutral, "No destination yet")), ([destination("nas", .ready)], nil),
            (
                [destination("nas", .ready), destination("agency", .away, .halfOpen)],
                BadgeView(.busy, "Testing agency")
            ),
            ([destination("agency", .away, .open)], BadgeView(.warning, "agency away")),
            ([destination("agency", .refusing)], BadgeView(.danger, "agency refused")),
            ([destination("nas", .paused)], nil),
        ] as [([DestinationReply], BadgeView?)])
    func `marks real-time upload with the state of blocked destinations`(
        destinations: [DestinationReply], mark: BadgeView?
    ) {
        let rows = UploadModeChoices.rows(destinations)
        #expect(rows.count == UploadMode.allCases.count)
        #expect(rows[0].mark == mark && rows.dropFirst().allSatisfy { $0.mark == nil })
    }

    @Test func `marks the current upload mode`() {
        let rows = UploadModeChoices.rows([Self.destination("nas", .ready)], current: .rated)
        #expect(rows.map { $0.mark?.word } == [nil, nil, nil, "Now", nil, nil])
    }

    @Test(arguments: UploadMode.allCases.indices)
    func `starts a session with each upload mode`(index: Int) {
        var flow = Scenes.flow("session name")
        _ = flow.enterLine("Wedding")
        #expect(
            flow.choose(index) == [.startSession(name: "Wedding", mode: UploadMode.allCases[index])])
    }

    // MARK: Names

    @Test func `rejects a session name that is too long, with an example`() {
        let limit = SessionStartRequest.nameLengthMax
        var flow = Scenes.flow("session name")
        _ = flow.enterLine(String(repeating: "x", count: limit + 1))
        #expect(flow.stage == .sessionName && flow.errorMessage == "A name must have 1 to 120 characters.")
        // On a screen, the field accepts no text beyond the limit, and shows an error.
        flow = Scenes.flow("session name")
        for _ in 0..<limit { _ = flow.press(.character("é")) }
        #expect(flow.draft.count == limit && flow.errorMessage == nil)
        _ = flow.press(.character("é"))
        #expect(flow.draft.count == limit && flow.errorMessage != nil)
        #expect(Self.text(flow).contains("For example: Bangkok Wedding"))
        _ = flow.press(.backspace)
        #expect(flow.errorMessage == nil)
    }

    @Test(arguments: [
        ("x", nil), ("", "A name must have 1 to 120 characters."),
        ("  ", "A name must have 1 to 120 characters."),
    ])
    func `validates the length of a session name`(name: String, error: String?) {
        #expect(SessionName.validationError(for: name) == error)
    }

    @Test(
        .programs(1),
        arguments: Tier.rows(
            [["session", "start", ""], ["connect", "--session", String(repeating: "x", count: 121)]], gate: 1)
    )
    func `rejects an invalid session name before contacting the daemon`(
        arguments: [String]
    ) async throws {
        let run = try await ProgramRun.of(arguments + ["--socket", "/nonexistent.sock"])
        #expect(run.status == 2 && run.errors.contains("For example: \"Bangkok Wedding\""))
    }

    @Test(arguments: [
        ("nas", "nas does not answer.", true), ("nas", "The destination nas is unavailable.", true),
        ("nas", "nas.example.com does not answer.", false),
        ("agency", "sftp.agency.example.com is away.", false),
        ("R5", "The battery of R5 is at 4 %.", true), ("R5", "The R50 is asleep.", false),
        ("R5", "It is an R5.", true),
        ("nas", "my-nas is away", false), ("nas", "“nas” is away", true),
    ])
    func `finds a name only as a whole word`(name: String, sentence: String, isNamed: Bool) {
        #expect(Naming.isNamed(name, in: sentence) == isNamed)
    }
}
