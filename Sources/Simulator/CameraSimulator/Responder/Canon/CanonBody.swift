/// What an EOS keeps beside its dials, and what a client does with its buttons.
struct CanonBody: Sendable {
    /// How far the release button is pressed by the client.
    enum Button: String, Sendable {
        case up
        case half
        case full
    }

    /// Focus that takes its time.
    struct LateFocus: Sendable {
        /// When it will be found, by the host's clock.
        var atMs: Int64
        /// Whether a record of its own is to tell the result.
        var tellsResult: Bool
        var isTold = false
    }

    /// What can be wrong with a picture of the live view.
    enum PictureFault: String, Sendable {
        /// A blob of no length and a kind that the driver does not know: it reads the same blob for ever.
        case endless
        /// The picture ends too soon.
        case cut
        /// There is no picture among the blobs.
        case missing
    }

    var dials = CanonDials()
    /// Settings that are no dial's, by code.
    var settings: [UInt16: CanonValue] = [
        CanonProperty.whiteBalanceShiftA: .number(0), CanonProperty.whiteBalanceShiftB: .number(0),
        CanonProperty.autoPowerOff: .number(60), CanonProperty.owner: .text(""),
        CanonProperty.artist: .text(""), CanonProperty.copyright: .text(""),
        CanonProperty.viewfinderMode: .number(0), CanonProperty.viewfinderOutput: .number(0),
        CanonProperty.movieRecording: .number(0), CanonProperty.exposureBracketing: .number(0),
    ]
    /// What those settings may be: sizes of the live view as bits (1 on the body's screen, 2 large, 4 medium, 8 small), 4 to record a
    /// movie on the card, eighths of a stop between bracketed shots.
    static let choices: [UInt16: [UInt32]] = [
        CanonProperty.whiteBalanceShiftA: (-9...9).map { UInt32(bitPattern: $0) },
        CanonProperty.whiteBalanceShiftB: (-9...9).map { UInt32(bitPattern: $0) },
        CanonProperty.viewfinderMode: [0, 1], CanonProperty.viewfinderOutput: [0, 1, 2, 3, 4, 5, 8, 9],
        CanonProperty.movieRecording: [0, 4],
        CanonProperty.exposureBracketing: [
            0, 0x03, 0x04, 0x05, 0x08, 0x0B, 0x0C, 0x0D, 0x10, 0x13, 0x14, 0x15, 0x18,
        ],
    ]
    /// The button as the client holds it. A link that breaks does not let go of it.
    var button = Button.up
    /// Whether the client locked the body's buttons and dials.
    var isLocked = false
    /// Whether the switch between photos and movies is on movies (operations 0x9133, 0x9134).
    var isMovieSwitchOn = false
    /// Fields of the display that the client asked for: a mask, as SetRequestOLCInfoGroup has it.
    var displayMask: UInt32 = 0
    /// What a set of these properties is answered with, whatever is right; OK changes nothing, as seen on an R6 (gphoto2 issue 508).
    var answers: [UInt16: PTPResponse] = [:]
    var autofocus = Autofocus.finds
    var shutter = BulbShutter()
    /// Everything is answered with "busy" until then, by the host's clock.
    var busyUntilMs: Int64 = 0
    /// Focus that is looked for; `nil` while it is not.
    var lateFocus: LateFocus?
    /// The lens moves until then.
    var lensBusyUntilMs: Int64 = 0
    var liveView = LiveViewPictures()
    /// What is wrong with the next picture of the live view.
    var pictureFault: PictureFault?
    /// Whether the body is too hot for live view.
    var isHot = false
    /// Bulb seconds that the client has been told of.
    var toldBulbSeconds: UInt32 = 0
    /// Magnification of the live view, and its upper left corner in pixels of the sensor.
    var zoom: UInt32 = 1
    var zoomCorner: (x: UInt32, y: UInt32) = (0, 0)

    func number(_ code: UInt16) -> UInt32 {
        guard case .number(let value)? = settings[code] else { return 0 }
        return value
    }

    func isBusy(at now: WallTime) -> Bool { now.hostMs < busyUntilMs }

    /// The session is over: nobody is asked for the display, and the body's buttons work again. What the client set stays.
    mutating func sessionEnded() {
        displayMask = 0
        isLocked = false
    }
}
