/// The state of a Canon EOS.
struct CanonBody: Sendable {
    /// The position of the release button that the client controls.
    enum Button: String, Sendable {
        case up
        case half
        case full
    }

    /// A focus operation that succeeds after a delay.
    struct LateFocus: Sendable {
        /// The time at which focus succeeds, by the host's clock in milliseconds.
        var atMs: Int64
        /// Whether the result is also reported in a FocusResult record.
        var reportsResult: Bool
        var isReported = false
    }

    /// A fault in a live-view frame.
    enum FrameFault: String, Sendable {
        /// The blob has length 0 and an unknown type. The driver reads this blob in an endless loop.
        case endless
        /// The frame is truncated.
        case cut
        /// The reply contains no frame.
        case missing
    }

    var dials = CanonDials()
    /// The settings that have no dial, by code.
    var settings: [UInt16: CanonValue] = [
        CanonProperty.whiteBalanceShiftA: .number(0), CanonProperty.whiteBalanceShiftB: .number(0),
        CanonProperty.autoPowerOff: .number(60), CanonProperty.owner: .text(""),
        CanonProperty.artist: .text(""), CanonProperty.copyright: .text(""),
        CanonProperty.viewfinderMode: .number(0), CanonProperty.viewfinderOutput: .number(0),
        CanonProperty.movieRecording: .number(0), CanonProperty.exposureBracketing: .number(0),
    ]
    /// The allowed values of the settings without a dial.
    ///
    /// Live-view output is a bit mask: 1 the body's screen, 2 large, 4 medium, 8 small. Movie recording 4
    /// means a movie on the card. Bracketing counts eighths of a stop between shots.
    static let choices: [UInt16: [UInt32]] = [
        CanonProperty.whiteBalanceShiftA: (-9...9).map { UInt32(bitPattern: $0) },
        CanonProperty.whiteBalanceShiftB: (-9...9).map { UInt32(bitPattern: $0) },
        CanonProperty.viewfinderMode: [0, 1], CanonProperty.viewfinderOutput: [0, 1, 2, 3, 4, 5, 8, 9],
        CanonProperty.movieRecording: [0, 4],
        CanonProperty.exposureBracketing: [
            0, 0x03, 0x04, 0x05, 0x08, 0x0B, 0x0C, 0x0D, 0x10, 0x13, 0x14, 0x15, 0x18,
        ],
    ]
    /// The position of the release button. The position doesn't change when the connection is lost.
    var button = Button.up
    /// Whether the client has locked the body's buttons and dials.
    var isLocked = false
    /// Whether the switch between photos and movies is set to movies (operations 0x9133, 0x9134).
    var isMovieSwitchOn = false
    /// The display fields that the client requested, as the mask of SetRequestOLCInfoGroup.
    var displayMask: UInt32 = 0
    /// The forced responses to setting these properties. A forced OK changes nothing, as seen on an R6
    /// (gphoto2 issue 508).
    var forcedResponses: [UInt16: PTPResponse] = [:]
    var autofocus = Autofocus.finds
    var shutter = BulbShutter()
    /// The end of the busy period, by the host's clock in milliseconds. Until then, the body replies "busy".
    var busyUntilMs: Int64 = 0
    /// The focus operation in progress, or `nil`.
    var lateFocus: LateFocus?
    /// The end of the current lens movement, by the host's clock in milliseconds.
    var lensBusyUntilMs: Int64 = 0
    var liveView = LiveViewFrames()
    /// The fault in the next live-view frame, or `nil`.
    var frameFault: FrameFault?
    /// Whether the body is too hot for live view.
    var isHot = false
    /// The bulb duration that the client last received, in seconds.
    var reportedBulbSeconds: UInt32 = 0
    /// The magnification of live view.
    var zoom: UInt32 = 1
    var zoomCorner: (x: UInt32, y: UInt32) = (0, 0)

    func number(_ code: UInt16) -> UInt32 {
        guard case .number(let value)? = settings[code] else { return 0 }
        return value
    }

    func isBusy(at now: WallTime) -> Bool { now.hostMs < busyUntilMs }

    /// Ends the display subscription and unlocks the body's buttons at the end of a session. The client's
    /// settings remain.
    mutating func handleSessionEnd() {
        displayMask = 0
        isLocked = false
    }
}
