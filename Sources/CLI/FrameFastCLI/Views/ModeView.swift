import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The upload mode, followed by the list of modes.
struct ModeView: Presentation {
    let mode: ModeReply
    /// Whether the verb has just changed the mode. If so, the list of modes is omitted.
    var isChanged = false
    let json: Data

    func lines(_ layout: Layout) -> [Line] {
        var lines = GuidanceView(.success, "\(UploadWords.mode(mode.$mode)): \(mode.sentence)").lines(layout)
        lines += InfoRowView(rows: facts).lines(layout).map { $0.indented(Line(layout.sign(.success)).width) }
        guard !isChanged else { return lines }
        lines +=
            [.empty] + TextView.wrapped("Change the mode with `framefast mode MODE`:", .caption).lines(layout)
        let words = UploadMode.allCases.map(\.rawValue)
        let cells = words.map(Cells.width).max() ?? 0
        for choice in UploadMode.allCases {
            let isCurrent = choice == mode.mode
            let pointer = Cells.padded(isCurrent ? layout.pointer : "", Cells.width(layout.pointer))
            let word = Span(Cells.padded(choice.rawValue, cells), isCurrent ? .accent : .primary)
            let head = [Span(pointer, .accent), .gap(Spacing.xs), word, .gap(Spacing.md)]
            lines += Line.hanging(head, UploadWords.meaning(choice), .caption, to: layout.prose)
        }
        return lines
    }

    func plain() -> [String] {
        [
            "mode: \(TerminalText.escaped(mode.$mode.text))",
            "meaning: \(TerminalText.escaped(mode.sentence))",
        ]
            + InfoRowView(rows: facts).plain()
    }

    private var facts: [(label: String, value: String)] {
        var facts = [(label: "Session", value: mode.sessionName ?? "none")]
        if let threshold = mode.threshold { facts.append(("Stars", "\(threshold) or more")) }
        if let window = mode.window { facts.append(("Window", window)) }
        if let photos = mode.afterPhotos { facts.append(("After", Formatted.photos(photos))) }
        facts.append(("Held", UploadWords.uploads(mode.held)))
        return facts
    }
}
