import FoundationEssentials
import TerminalUI

/// The screen of the guided `connect` flow, as terminal lines.
struct ConnectScreen {
    static let titles = ["Maker", "Session", "Upload", "Connection", "Camera", "Ready"]

    /// The height of the key hints and the gap above them, in lines.
    private static let hintLines = 2
    /// The minimum height between the header and the hints, in lines.
    private static let bodyLinesMin = 4

    let flow: ConnectFlow
    /// The current time, for countdowns.
    let now: Date
    /// The index of the spinner's animation frame.
    var frame = 0

    /// A part of a screen. A screen lists its parts from top to bottom.
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

    /// Returns the lines of the whole screen. The key hints come last.
    func lines(_ layout: Layout) -> [Line] {
        let bottom = [.empty, KeyHintsView(hints: hints(layout)).line(layout)]
        return (top(layout) + visibleLines(bodyLayout(layout)) + bottom).map {
            $0.cut(to: layout.inner, layout).indented(layout.margin)
        }
    }

    /// Returns the largest scroll offset of the steps, in lines, or 0 if everything fits.
    func scrollMax(_ layout: Layout) -> Int {
        let area = bodyLayout(layout)
        let (steps, rest) = parts(area)
        return steps.isEmpty ? 0 : ScrolledLines(steps, height: area.height - rest.count).offsetMax
    }

    private func top(_ layout: Layout) -> [Line] {
        [Line("Connect a camera", .pageTitle)] + StepsView(titles: Self.titles, current: step).lines(layout)
            + [.empty] + (flow.offline.map { banner($0, layout) } ?? [])
    }

    /// Returns the layout of the area between the header and the hints.
    private func bodyLayout(_ layout: Layout) -> Layout {
        var area = layout
        area.height = max(Self.bodyLinesMin, layout.height - top(layout).count - Self.hintLines)
        return area
    }

    /// Returns the lines that fit. Long guidance scrolls, and the line with the spinner below it stays
    /// visible. A list shows the rows around the focused row.
    private func visibleLines(_ area: Layout) -> [Line] {
        let (steps, rest) = parts(area)
        guard steps.count + rest.count > area.height else { return steps + rest }
        guard !steps.isEmpty else {
            return rest.prefix(area.height - 1) + [Line("\(area.ellipsis) make the window taller", .caption)]
        }
        return ScrolledLines(steps, height: area.height - rest.count).shown(from: flow.scroll, area) + rest
    }

    /// Splits the screen into two parts. The first part has the guidance, which scrolls. The second part
    /// starts with the gap above the ``Block/busy(_:)`` line, and does not scroll.
    ///
    /// The first part is empty on a screen with a list or without a ``Block/busy(_:)`` line.
    private func parts(_ area: Layout) -> (steps: [Line], rest: [Line]) {
        let blocks = blocks
        let end = blocks.firstIndex { if case .busy = $0 { true } else { false } }
        guard flow.choices.isEmpty, let end, end > 0 else { return ([], blocks.flatMap { render($0, area) }) }
        // The gap above the `busy` line does not scroll.
        return (
            blocks[..<(end - 1)].flatMap { render($0, area) },
            blocks[(end - 1)...].flatMap { render($0, area) }
        )
    }

    /// Returns the contents without the title, the progress of the flow, and the hints.
    func body(_ layout: Layout) -> [Line] {
        (flow.offline.map { banner($0, layout) } ?? []) + blocks.flatMap { render($0, layout) }
    }

    /// Returns the contents as plain text, one fact per line.
    func plain() -> [String] {
        var lines = StepsView(titles: Self.titles, current: step).plain()
        if let offline = flow.offline { lines.append(TerminalText.escaped(offline.message)) }
        return lines + blocks.flatMap(Self.plain)
    }

    /// The index of the current step in ``titles``, or the number of titles if all steps are done.
    var step: Int {
        switch flow.stage {
        case .loading, .maker: 0
        case .session, .sessionName: 1
        case .uploadMode, .startingSession: 2
        case .connection, .network, .address, .searching, .pairing, .found: 3
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
        case .title(let text): return dimmedIfOffline(TextView.wrapped(text, .section), layout)
        case .text(let text): return dimmedIfOffline(TextView.wrapped(text, .caption), layout)
        case .badge(let tone, let word, let text):
            let line = Line(layout.badge(tone, word) + [.gap(Spacing.md), Span(text, .emphasised)])
            return dimmedIfOffline(TextView([line], plain: []), layout)
        case .guidance(let view): return dimmedIfOffline(view, layout)
        case .choices(let view):
            var area = layout
            // Reserve space for the other blocks of the screen.
            area.height = layout.height - blocks.reduce(0) { $0 + heightOutsideList($1, layout) }
            return dimmedIfOffline(view, area)
        case .info(let view): return dimmedIfOffline(view, layout)
        case .busy(let text): return StateView(TextView.gap, .loading(text), frame: frame).lines(layout)
        case .input(let view): return dimmedIfOffline(view, layout)
        case .gap: return TextView.gap.lines(layout)
        }
    }

    /// Returns a component's lines, dimmed while the daemon is unreachable. The banner shows the reason.
    private func dimmedIfOffline(_ view: some Component, _ layout: Layout) -> [Line] {
        StateView(view, flow.offline == nil ? .normal : .offline(nil)).lines(layout)
    }

    private func heightOutsideList(_ block: Block, _ layout: Layout) -> Int {
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

    /// Returns a message as a sentence with a capital letter and a period. A program name at the start stays
    /// in lower case.
    static func sentence(_ message: String) -> String {
        (message.hasPrefix("framefast") ? message.prefix(1) : message.prefix(1).uppercased()[...])
            + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
}
