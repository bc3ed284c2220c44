import FrameFastAPI
import Localization
import TerminalUI

/// The one vocabulary of states for people.
enum StateWords {
    static func camera(_ camera: CameraReply) -> (word: String, tone: Tone) {
        if camera.isIgnored { return (localized("Ignored"), .neutral) }
        let (word, tone) = self.camera(camera.state)
        return (camera.state == .downloading ? word + percent(camera.progress) : word, tone)
    }

    /// Without what changes many times a second.
    static func camera(_ state: CameraReply.State) -> (word: String, tone: Tone) {
        switch state {
        case .searching: (localized("Looking"), .busy)
        case .wrongMode: (localized("Needs you"), .warning)
        case .inUse: (localized("In use"), .warning)
        case .noPermission: (localized("No access"), .warning)
        case .connecting: (localized("Connecting"), .busy)
        case .ready: (localized("Ready"), .success)
        case .downloading: (localized("Saving"), .busy)
        case .reconnecting: (localized("Reconnecting"), .warning)
        case .gone: (localized("Disconnected"), .neutral)
        case .failed: (localized("Error"), .danger)
        default: (TerminalText.escaped(state.rawValue), .neutral)
        }
    }

    static func capture(_ state: CaptureReply.State) -> (word: String, tone: Tone) {
        switch state {
        case .damaged: (localized("Damaged"), .danger)
        case .uploadFailed: (localized("Failed"), .danger)
        case .retrying: (localized("Retrying"), .warning)
        case .receiving: (localized("Saving"), .busy)
        case .uploading: (localized("Uploading"), .busy)
        case .queued: (localized("Queued"), .neutral)
        case .held: (localized("Held"), .neutral)
        case .saved: (localized("Saved"), .success)
        case .delivered: (localized("Delivered"), .success)
        case .cleared: (localized("Cleared"), .neutral)
        default: (TerminalText.escaped(state.rawValue), .neutral)
        }
    }

    static func daemon(_ state: StatusReply.State) -> (word: String, tone: Tone) {
        switch state {
        case .starting: (localized("Starting"), .busy)
        case .running: (localized("Running"), .success)
        default: (TerminalText.escaped(state.rawValue), .neutral)
        }
    }

    static func severity(_ severity: ConditionReply.Severity) -> (word: String, tone: Tone) {
        switch severity {
        case .info: (localized("Note"), .info)
        case .danger: (localized("Error"), .danger)
        default: (localized("Warning"), .warning)
        }
    }

    private static func percent(_ progress: ProgressReply?) -> String {
        guard let progress, progress.totalBytes > 0 else { return "" }
        let share = min(100, progress.bytes * 100 / progress.totalBytes)
        return " \(share) %"
    }
}
