import FrameFastAPI
import Localization
import TerminalUI

extension GuidanceView {
    /// What the daemon says that a person should do.
    init(_ tone: Tone, _ guidance: GuidanceReply) {
        self.init(
            tone, localized(whole: guidance.sentence), steps: guidance.steps.map { localized(whole: $0) })
    }
}
