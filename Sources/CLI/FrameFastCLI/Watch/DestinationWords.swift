import FrameFastAPI
import Localization
import TerminalUI

/// The words of a destination's queue.
enum DestinationWords {
    /// What is in it, and what its breaker says.
    static func queue(_ destination: DestinationReply) -> [String] {
        var words = UploadWords.statistics(destination.statistics)
        if words.isEmpty { words = [localized("nothing to upload")] }
        switch destination.breaker {
        case .open: words.append(localized("sending stopped until it answers"))
        case .halfOpen: words.append(localized("trying one photo"))
        default: break
        }
        return words
    }

    /// The same below the row, where it does not fit beside the name.
    static func below(_ destination: DestinationReply, _ layout: Layout) -> Line? {
        let indent = Spacing.base + Line(layout.sign(.neutral)).width
        return Line(queue(destination).joined(separator: ", "), .caption).indented(indent).cut(
            to: layout.inner, layout)
    }
}
