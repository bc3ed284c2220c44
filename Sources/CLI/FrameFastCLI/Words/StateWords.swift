import FrameFastAPI
import TerminalUI

/// The words and tones for states.
enum StateWords {
    static func camera(_ camera: CameraReply) -> (word: String, tone: Tone) {
        if camera.isIgnored { return ("Ignored", .neutral) }
        let (word, tone) = self.camera(camera.$state)
        return (camera.state == .downloading ? word + percent(camera.progress) : word, tone)
    }

    /// Returns the word and tone of a state without its progress, which changes many times a second.
    static func camera(_ state: Word<CameraState>) -> (word: String, tone: Tone) {
        switch state.known {
        case .searching: ("Looking", .busy)
        case .wrongMode: ("Needs you", .warning)
        case .inUse: ("In use", .warning)
        case .noPermission: ("No access", .warning)
        case .connecting: ("Connecting", .busy)
        case .ready: ("Ready", .success)
        case .downloading: ("Saving", .busy)
        case .reconnecting: ("Reconnecting", .warning)
        case .gone: ("Disconnected", .neutral)
        case .failed: ("Error", .danger)
        case nil: (TerminalText.escaped(state.text), .neutral)
        }
    }

    static func capture(_ state: Word<CaptureState>) -> (word: String, tone: Tone) {
        switch state.known {
        case .damaged: ("Damaged", .danger)
        case .uploadFailed: ("Failed", .danger)
        case .retrying: ("Retrying", .warning)
        case .receiving: ("Saving", .busy)
        case .uploading: ("Uploading", .busy)
        case .queued: ("Queued", .neutral)
        case .held: ("Held", .neutral)
        case .saved: ("Saved", .success)
        case .delivered: ("Delivered", .success)
        case .cleared: ("Cleared", .neutral)
        case nil: (TerminalText.escaped(state.text), .neutral)
        }
    }

    static func daemon(_ state: Word<DaemonState>) -> (word: String, tone: Tone) {
        switch state.known {
        case .starting: ("Starting", .busy)
        case .running: ("Running", .success)
        case nil: (TerminalText.escaped(state.text), .neutral)
        }
    }

    static func severity(_ severity: ConditionSeverity?) -> (word: String, tone: Tone) {
        switch severity {
        case .info: ("Note", .info)
        case .danger: ("Error", .danger)
        case .warning, nil: ("Warning", .warning)
        }
    }

    private static func percent(_ progress: ProgressReply?) -> String {
        guard let progress, progress.totalBytes > 0 else { return "" }
        let share = min(100, progress.bytes * 100 / progress.totalBytes)
        return " \(share) %"
    }
}
