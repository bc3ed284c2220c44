import FrameFastAPI
import Localization
import TerminalUI

/// What is said of settings.
enum SettingTexts {
    /// Some keys and values, for help.
    static let examples = "iso 400, aperture 5.6, shutter 1/125, exposure_compensation +0.7, mode M"

    /// Whether a setting can be changed now.
    static func writable(_ writable: SettingReply.Writable) -> (tone: Tone, word: String) {
        switch writable {
        case .yes: (.success, localized("Writable"))
        case .no: (.neutral, localized("Read-only"))
        case .unknown: (.info, localized("Unknown"))
        default: (.neutral, writable.rawValue)
        }
    }

    /// How a change ended.
    static func result(_ result: SettingResultReply.Result) -> (tone: Tone, word: String) {
        switch result {
        case .set: (.success, localized("Set"))
        case .unchanged: (.success, localized("Unchanged"))
        case .trial: (.info, localized("Would set"))
        case .adjusted: (.warning, localized("Adjusted"))
        case .ignored: (.warning, localized("Ignored"))
        case .unconfirmed: (.warning, localized("Unconfirmed"))
        case .busy: (.warning, localized("Busy"))
        case .readOnly: (.warning, localized("Read-only"))
        case .skipped: (.neutral, localized("Skipped"))
        case .refused: (.danger, localized("Refused"))
        case .unsupported: (.danger, localized("Unsupported"))
        default: (.neutral, result.rawValue)
        }
    }

    /// What a change came to: what the camera has now, and why it is not what was asked for.
    static func sentence(_ result: SettingResultReply) -> String {
        let now = result.value ?? result.cameraValue
        let what =
            switch result.result {
            case .set, .unchanged: "\(result.key) \(now ?? result.asked)"
            case .trial:
                now.map { localized("\(result.key) \(result.asked), is \($0)") }
                    ?? "\(result.key) \(result.asked)"
            default: "\(result.key) \(result.asked)" + (now.map { ", " + localized("is \($0)") } ?? "")
            }
        return what + (result.reason.map { ": \($0)" } ?? "")
    }
}
