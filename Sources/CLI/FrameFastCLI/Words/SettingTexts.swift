import FrameFastAPI
import TerminalUI

/// Texts about settings.
enum SettingTexts {
    /// Examples of keys and values, for the help.
    static let examples = "iso 400, aperture 5.6, shutter 1/125, exposure_compensation +0.7, mode M"

    /// Returns the tone and the word for whether a setting can be changed now.
    static func writable(_ writable: Word<SettingWritability>) -> (tone: Tone, word: String) {
        switch writable.known {
        case .yes: (.success, "Writable")
        case .no: (.neutral, "Read-only")
        case .unknown: (.info, "Unknown")
        case nil: (.neutral, writable.text)
        }
    }

    /// Returns the tone and the word for the result of a change.
    static func result(_ result: Word<SettingOutcome>) -> (tone: Tone, word: String) {
        switch result.known {
        case .set: (.success, "Set")
        case .unchanged: (.success, "Unchanged")
        case .trial: (.info, "Would set")
        case .adjusted: (.warning, "Adjusted")
        case .ignored: (.warning, "Ignored")
        case .unconfirmed: (.warning, "Unconfirmed")
        case .busy: (.warning, "Busy")
        case .readOnly: (.warning, "Read-only")
        case .skipped: (.neutral, "Skipped")
        case .refused: (.danger, "Refused")
        case .unsupported: (.danger, "Unsupported")
        case nil: (.neutral, result.text)
        }
    }

    /// Returns the result of a change as a sentence. The sentence contains the reason. If the camera's value
    /// differs from the request, the sentence also contains the camera's value.
    static func sentence(_ result: SettingResultReply) -> String {
        let now = result.value ?? result.cameraValue
        let what =
            switch result.result {
            case .set, .unchanged: "\(result.key) \(now ?? result.asked)"
            case .trial:
                now.map { "\(result.key) \(result.asked), is \($0)" } ?? "\(result.key) \(result.asked)"
            default: "\(result.key) \(result.asked)" + (now.map { ", is \($0)" } ?? "")
            }
        return what + (result.reason.map { ": \($0)" } ?? "")
    }
}
