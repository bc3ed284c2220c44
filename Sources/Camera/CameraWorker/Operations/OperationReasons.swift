import FrameFastModel
import GPhoto2

/// User-facing texts for operations that can't start, or that have ended.
enum OperationReasons {
    static let noRelease = "the shutter cannot be released from here in the USB mode that the camera is in"
    static let bounds = "a number of the order is out of its bounds"
    static let needsBulb = "turn the camera's mode dial to M or B, and set its shutter speed to bulb"
    static let busyForMovie =
        "it is busy, or not in its movie mode: turn its dial or switch to movies, or set its mode to movie"
    static let noExposure = "the camera offers neither shutter speeds nor an exposure compensation to change"
    static let missed = "The camera or the computer was busy at its time."
    static let sessionEnds = "The connection to the camera was ended before it was done."
    static let asked = "It was ended."
    static let shutterMayBeOpen =
        "The shutter may be open: press the shutter button half-way, or switch the camera off."
    static let lost = "The connection to the camera broke."
    static let mayRecord = "The camera may be recording still: press its movie button."
    static let notBack = "What was changed could not be set back; it is tried again at the next connection."

    static func cannot(_ what: CameraOperation.Kind) -> String {
        switch what {
        case .bulb: "the driver cannot hold this camera's shutter open"
        case .movie: "the driver cannot record movies with this camera"
        case .focusStack: "the driver cannot move this camera's focus"
        case .interval, .bracket, .release, .liveView: noRelease
        }
    }

    static func refused(_ error: CameraError) -> String {
        if error.isOutOfFocus { return "The camera found no focus." }
        // The driver's text may end with a full stop.
        let text = error.text.hasSuffix(".") ? String(error.text.dropLast()) : error.text
        return error.kind == .busy ? "The camera was busy." : "The camera refused: \(text)."
    }
}
