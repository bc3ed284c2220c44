import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// The guided flow as a picture.
struct ConnectScreen {
    static var titles: [String] {
        [
            localized("Maker"), localized("Session"), localized("Upload"), localized("Connection"),
            localized("Camera"), localized("Ready"),
        ]
    }

    /// Lines of the hints, with the gap before them.
    private static let hintLines = 2
    /// Lines between top and hints, however small the window is.
    private static let bodyLinesMin = 4

    let flow: ConnectFlow
    /// For countdowns.
    let now: Date
    /// Which picture of the spinner.
    var frame = 0

    /// What a screen is made of, from top to bottom.
    enum Block {
        case title(String)
        case text(String)
        case badge(Tone, String, String)
        case guidance(GuidanceView)
        case choices(ChoiceListView)
        case info(InfoRowView)
        case busy(String)
        case input(InputView)
        case gap
    }

    /// Lines for a terminal, the key hints last.
    func lines(_ layout: Layout) -> [Line] {
        let bottom = [.empty, KeyHintsView(hints: hints(layout)).line(layout)]
        return (top(layout) + fitted(room(layout)) + bottom).map {
            $0.cut(to: layout.inner, layout).indented(layout.margin)
        }
    }

    /// How far the steps can be scrolled; 0 where everything fits.
    func scrollMax(_ layout: Layout) -> Int {
        let room = room(layout)
        let (steps, rest) = parts(room)
        return steps.isEmpty ? 0 : ScrolledLines(steps, height: room.height - rest.count).offsetMax
    }

    private func top(_ layout: Layout) -> [Line] {
        [Line(localized("Connect a camera"), .pageTitle)]
            + StepsView(titles: Self.titles, current: step).lines(layout)
            + [.empty] + (flow.offline.map { banner($0, layout) } ?? [])
    }

    /// What is left between top and hints.
    private func room(_ layout: Layout) -> Layout {
        var room = layout
        room.height = max(Self.bodyLinesMin, layout.height - top(layout).count - Self.hintLines)
        return room
    }

    /// What there is space for. Steps are scrolled above what goes on, which stays; a list shows what is around its
    /// focus.
    private func fitted(_ room: Layout) -> [Line] {
        let (steps, rest) = parts(room)
        guard steps.count + rest.count > room.height else { return steps + rest }
        guard !steps.isEmpty else {
            return rest.prefix(room.height - 1) + [
                Line(localized("\(room.ellipsis) make the window taller"), .caption)
            ]
        }
        return ScrolledLines(steps, height: room.height - rest.count).shown(from: flow.scroll, room) + rest
    }

    /// Steps that can be scrolled, and what stands below them: what goes on. Where there is a list, all is that.
    private func parts(_ room: Layout) -> (steps: [Line], rest: [Line]) {
        let blocks = blocks
        let end = blocks.firstIndex { if case .busy = $0 { true } else { false } }
        guard flow.choices.isEmpty, let end, end > 0 else { return ([], blocks.flatMap { render($0, room) }) }
        // The gap before what goes on stays with it.
        return (
            blocks[..<(end - 1)].flatMap { render($0, room) },
            blocks[(end - 1)...].flatMap { render($0, room) }
        )
    }

    /// What is said, without the frame around it.
    func body(_ layout: Layout) -> [Line] {
        (flow.offline.map { banner($0, layout) } ?? []) + blocks.flatMap { render($0, layout) }
    }

    /// Full words, one fact a line.
    func plain() -> [String] {
        var lines = StepsView(titles: Self.titles, current: step).plain()
        if let offline = flow.offline { lines.append(TerminalText.escaped(offline.message)) }
        return lines + blocks.flatMap(Self.plain)
    }

    /// Index of the step that is open.
    var step: Int {
        switch flow.stage {
        case .loading, .maker: 0
        case .session, .sessionName: 1
        case .uploadMode, .startingSession: 2
        case .connection, .network, .address, .looking, .pairing, .found: 3
        case .adding, .waiting: 4
        case .ready: Self.titles.count
        }
    }

    private func banner(_ offline: Explanation, _ layout: Layout) -> [Line] {
        GuidanceView(.danger, Self.sentence(offline.message), steps: offline.nextStep.map { [$0] } ?? [])
            .lines(layout) + [.empty]
    }

    private func render(_ block: Block, _ layout: Layout) -> [Line] {
        switch block {
        case .title(let text): return shown(TextView.wrapped(text, .section), layout)
        case .text(let text): return shown(TextView.wrapped(text, .caption), layout)
        case .badge(let tone, let word, let text):
            let line = Line(layout.badge(tone, word) + [.gap(Spacing.md), Span(text, .emphasised)])
            return shown(TextView([line], plain: []), layout)
        case .guidance(let view): return shown(view, layout)
        case .choices(let view):
            var room = layout
            // Title, text and gap stand above a list.
            room.height = layout.height - blocks.reduce(0) { $0 + heightBesideList($1, layout) }
            return shown(view, room)
        case .info(let view): return shown(view, layout)
        case .busy(let text): return StateView(TextView.gap, .loading(text), frame: frame).lines(layout)
        case .input(let view): return shown(view, layout)
        case .gap: return TextView.gap.lines(layout)
        }
    }

    /// While the daemon is away, what was true before; the banner says why.
    private func shown(_ view: some Component, _ layout: Layout) -> [Line] {
        StateView(view, flow.offline == nil ? .normal : .offline(nil)).lines(layout)
    }

    private func heightBesideList(_ block: Block, _ layout: Layout) -> Int {
        if case .choices = block { 0 } else { render(block, layout).count }
    }

    private static func plain(_ block: Block) -> [String] {
        switch block {
        case .title(let text), .text(let text), .busy(let text): [TerminalText.escaped(text)]
        case .badge(_, let word, let text): ["\(TerminalText.escaped(text)): \(word)"]
        case .guidance(let view): view.plain()
        case .choices(let view): view.plain()
        case .info(let view): view.plain()
        case .input(let view): view.plain()
        case .gap: []
        }
    }

    /// A message as a sentence.
    static func sentence(_ message: String) -> String {
        (message.hasPrefix("framefast") ? message.prefix(1) : message.prefix(1).uppercased()[...])
            + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
}
