import FrameFastAPI
import TerminalUI

extension GuidanceView {
    /// Creates a view of the daemon's guidance.
    init(_ tone: Tone, _ guidance: GuidanceReply) {
        self.init(tone, guidance.sentence, steps: guidance.steps)
    }
}
