import FrameFastModel
import GPhoto2

/// User-facing texts for settings that were not changed.
enum SettingReasons {
    static func noValue(_ text: String, of key: CameraSettingKey) -> String {
        "'\(text)' is not a value of \(key.rawValue): write \(key.example)."
    }

    static func notOffered(_ value: CameraSettingValue, nearest: CameraSettingValue?) -> String {
        "The camera does not offer \(value) right now"
            + (nearest.map { "; the nearest available value is \($0)." } ?? ".")
    }

    static func readOnly(_ setting: CameraSetting, mode: String?) -> String {
        guard let mode else { return "The camera does not allow changing this right now." }
        return "The camera does not allow changing this in mode \(mode)."
    }

    static let unknownName = "The camera does not have this setting."
    static let skipped = "This setting depends on the mode, and the mode was not set."
    static let crashed = "The driver crashed during an earlier attempt. Set the value with 'framefast set'."
    static let busy = "The camera is busy. Try again when it is done."
    static let unconfirmed = "The camera did not confirm the value."

    static func ignored(_ now: String) -> String {
        "The camera accepted the change, but still reports \(now)."
    }

    static let nearest = "This is the nearest value that the camera offers."

    static func adjusted(_ now: String) -> String { "The camera set \(now) instead." }

    static let notAllowed = "The camera does not allow this right now. Check its screen and its dials."

    static func refused(_ error: CameraError) -> String {
        switch error.response {
        case PTPResponse.accessDenied: notAllowed
        case PTPResponse.invalidPropertyValue, PTPResponse.invalidPropertyFormat:
            "The camera does not accept this value right now."
        case PTPResponse.propertyNotSupported: "The camera does not have this setting in this mode."
        // The driver's text may end with a period.
        default: "The camera refused: \(error.text)" + (error.text.hasSuffix(".") ? "" : ".")
        }
    }
}
