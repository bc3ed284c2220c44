import Localization
import TerminalUI

/// How a long list goes on.
struct MoreView: Component {
    private let text: String

    init(_ cursor: String) {
        text = localized("More with `--cursor \(TerminalText.escaped(cursor))`, or all with `--all`.")
    }

    func lines(_ layout: Layout) -> [Line] { TextView.wrapped(text, .caption).lines(layout) }
    func plain() -> [String] { [text] }
}
