import TerminalUI

/// The hint that a list has more pages.
struct MoreView: Component {
    private let text: String

    init(_ cursor: String) {
        text = "Show more with `--cursor \(TerminalText.escaped(cursor))`, or all with `--all`."
    }

    func lines(_ layout: Layout) -> [Line] { TextView.wrapped(text, .caption).lines(layout) }
    func plain() -> [String] { [text] }
}
