import FrameFastAPI
import TerminalUI

/// Texts about a destination's queue.
enum DestinationWords {
    /// Returns the counts of uploads, and the state of the circuit breaker unless it is closed.
    static func queue(_ destination: DestinationReply) -> [String] {
        var words = UploadWords.statistics(destination.statistics)
        if words.isEmpty { words = ["nothing to upload"] }
        switch destination.breaker {
        case .open: words.append("stopped until it responds")
        case .halfOpen: words.append("testing with one photo")
        default: break
        }
        return words
    }

    /// Returns the queue as a separate line, for screens that are too narrow for the queue next to the name.
    static func below(_ destination: DestinationReply, _ layout: Layout) -> Line? {
        let indent = Spacing.base + Line(layout.sign(.neutral)).width
        return Line(queue(destination).joined(separator: ", "), .caption).indented(indent).cut(
            to: layout.inner, layout)
    }
}
