import FrameFastModel
import GPhoto2

/// User-facing texts for operations that can't start or have ended.
enum OperationReasons {
    static let noRelease = "the shutter cannot be released remotely in the camera's current USB mode"
    static let bounds = "a value is out of range"
    static let needsBulb = "turn the camera's mode dial to M or B, and set its shutter speed to bulb"
    static let noShutterSpeed =
        "the driver has no setting for this camera's shutter speed, which must be bulb"
    static let shutterIsAtBulb =
        "the shutter speed is bulb or time: take a long exposure with 'framefast bulb', or set a shutter speed"
    static let busyForMovie =
        "the camera is busy or not in movie mode: set its dial, switch or mode setting to movie"
    static let noExposure = "the camera has no setting for shutter speed or exposure compensation"
    static let missed = "The camera or the computer was busy at the scheduled time."
    static let connectionClosed = "The connection to the camera was closed before the operation finished."
    static let asked = "The operation was stopped."
    static let shutterMayBeOpen =
        "The shutter may be open: press the shutter button halfway, or switch the camera off."
    static let lost = "The connection to the camera was lost."
    static let mayRecord = "The camera may still be recording: press its movie button."
    static let settingsNotRestored =
        "The changed settings could not be restored; FrameFast tries again at the next connection."

    /// - Parameters:
    ///   - photos: The number of photos that the camera announced.
    ///   - expected: The number of photos that the operation should have taken.
    ///   - kind: The kind of the operation.
    static func notAnnounced(_ photos: Int, of expected: Int, by kind: CameraOperation.Kind) -> String {
        let count =
            photos == 0 ? "no photo was announced" : "only \(photos) of \(expected) photos were announced"
        // With mirror lock-up, a release may only raise the mirror (libgphoto2 issues 287 and 662).
        return kind == .movie
            ? count : count + ": check the card, and turn off the camera's mirror lock-up and self-timer"
    }

    static func cannot(_ what: CameraOperation.Kind) -> String {
        switch what {
        case .bulb: "the driver does not support long exposures with this camera"
        case .movie: "the driver does not support movie recording with this camera"
        case .focusStack: "the driver does not support moving this camera's focus"
        case .interval, .bracket, .release, .liveView: noRelease
        }
    }

    static func refused(_ error: CameraError) -> String {
        if error.isOutOfFocus { return "The camera could not focus." }
        // An EOS that cannot focus also reports busy (gphoto2 issue 150, pibooth issue 246).
        if error.kind == .busy, error.text.contains("Full-Press failed") {
            return "The camera was busy, or it could not focus."
        }
        // The driver's text may end with a period.
        let text = error.text.hasSuffix(".") ? String(error.text.dropLast()) : error.text
        return error.kind == .busy ? "The camera was busy." : "The camera refused: \(text)."
    }
}
