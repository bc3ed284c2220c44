import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The guided flow as a picture.
struct ConnectScreen {
    static let titles = ["Maker", "Session", "Upload", "Connection", "Camera", "Ready"]

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
        var top = [Line("Connect a camera", .pageTitle)]
        top += StepsView(titles: Self.titles, current: step).lines(layout) + [.empty]
        if let offline = flow.offline { top += banner(offline, layout) }
        let bottom = [.empty, KeyHintsView(hints: hints(layout)).line(layout)]
        var room = layout
        room.height = max(4, layout.height - top.count - bottom.count)
        var body = blocks.flatMap { render($0, room) }
        if body.count > room.height {
            body =
                body.prefix(room.height - 1) + [Line("\(layout.ellipsis) make the window taller", .caption)]
        }
        return (top + body + bottom).map { $0.cut(to: layout.inner, layout).indented(layout.margin) }
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
