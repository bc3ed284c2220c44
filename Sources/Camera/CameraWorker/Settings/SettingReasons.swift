import FrameFastModel
import GPhoto2

/// User-facing texts for settings that were not changed.
enum SettingReasons {
    static func noValue(_ text: String, of key: CameraSettingKey) -> String {
        "'\(text)' is no value of \(key.rawValue): write \(key.example)."
    }

    static func notOffered(_ value: CameraSettingValue, nearest: CameraSettingValue?) -> String {
        "The camera does not offer \(value) now"
            + (nearest.map { "; the nearest value that it offers is \($0)." } ?? ".")
    }

    static func readOnly(_ setting: CameraSetting, mode: String?) -> String {
        guard let mode else { return "The camera does not let this be changed now." }
        return "The camera does not let this be changed in mode \(mode)."
    }

    static let unknownName = "The camera has no such setting."
    static let skipped = "The mode was not set, and this depends on it."
    static let busy = "The camera is busy. Try again when it has finished."
    static let unconfirmed = "The camera did not say whether it took the value."

    static func ignored(_ now: String) -> String {
        "The camera accepted the change and still has \(now)."
    }

    static let nearest = "This is the nearest value that the camera offers."

    static func adjusted(_ now: String) -> String { "The camera has set \(now) instead." }

    static func refused(_ error: CameraError) -> String {
        switch error.response {
        case PTPResponse.accessDenied: "The camera does not allow this now. Look at its screen and its dials."
        case PTPResponse.invalidPropertyValue, PTPResponse.invalidPropertyFormat:
            "The camera does not take this value now."
        case PTPResponse.propertyNotSupported: "The camera has no such setting in this mode."
        // Some of the driver's messages end with a full stop.
        default: "The camera refused: \(error.text)" + (error.text.hasSuffix(".") ? "" : ".")
        }
    }
}
