import FrameFastAPI
import TerminalUI

/// The words and tones for states.
enum StateWords {
    static func camera(_ camera: CameraReply) -> (word: String, tone: Tone) {
        if camera.isIgnored { return ("Ignored", .neutral) }
        let (word, tone) = self.camera(camera.$state)
        return (camera.state == .downloading ? word + percent(camera.progress) : word, tone)
    }

    /// Returns the word and tone of a state, without the progress of a download, which changes many times a
    /// second.
    static func camera(_ state: Word<CameraState>) -> (word: String, tone: Tone) {
        state.known?.badge ?? unknown(state.text)
    }

    static func capture(_ state: Word<CaptureState>) -> (word: String, tone: Tone) {
        state.known?.badge ?? unknown(state.text)
    }

    static func daemon(_ state: Word<DaemonState>) -> (word: String, tone: Tone) {
        state.known?.badge ?? unknown(state.text)
    }

    static func severity(_ severity: ConditionSeverity?) -> (word: String, tone: Tone) {
        (severity ?? .warning).badge
    }

    /// Returns the word of a state that this build does not know.
    static func unknown(_ text: String) -> (word: String, tone: Tone) {
        (TerminalText.escaped(text), .neutral)
    }

    private static func percent(_ progress: ProgressReply?) -> String {
        guard let progress, progress.totalBytes > 0 else { return "" }
        let share = min(100, progress.bytes * 100 / progress.totalBytes)
        return " \(share) %"
    }
}
