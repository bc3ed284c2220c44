import FrameFastAPI
import TerminalUI

extension GuidanceView {
    /// What the daemon says that a person should do.
    init(_ tone: Tone, _ guidance: GuidanceReply) {
        self.init(tone, guidance.sentence, steps: guidance.steps)
    }
}
