/// The state of a Canon EOS.
struct CanonBody: SimulatedBody {
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
        /// Whether a FocusResult record reports the result, in addition to the display.
        var reportsResult: Bool
        var isReported = false
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
    /// Live-view output is a bit mask: 1 is the body's screen; 2, 4 and 8 send large, medium and small frames
    /// to the computer. The movie recording value 4 records a movie to the card. Bracketing counts eighths of
    /// a stop between shots.
    static let choices: [UInt16: [UInt32]] = [
        CanonProperty.whiteBalanceShiftA: (-9...9).map { UInt32(bitPattern: $0) },
        CanonProperty.whiteBalanceShiftB: (-9...9).map { UInt32(bitPattern: $0) },
        CanonProperty.viewfinderMode: [0, 1], CanonProperty.viewfinderOutput: [0, 1, 2, 3, 4, 5, 8, 9],
        CanonProperty.movieRecording: [0, 4],
        CanonProperty.exposureBracketing: [
            0, 0x03, 0x04, 0x05, 0x08, 0x0B, 0x0C, 0x0D, 0x10, 0x13, 0x14, 0x15, 0x18,
        ],
    ]
    /// The position of the release button. The position does not change when the connection is lost.
    var button = Button.up
    var isLocked = false
    var destination = PhotoDestination.card
    let destinations: [PhotoDestination] = [.card, .host]
    let settingsAfterShot = [CanonProperty.availableShots, CanonProperty.shutterCounter]
    /// Whether the switch between photos and movies is set to movies (operations 0x9133, 0x9134).
    var isMovieSwitchOn = false
    /// The display fields that the client requested, as the mask of SetRequestOLCInfoGroup.
    var displayMask: UInt32 = 0
    /// The forced responses to property changes, by property code. For example, a real R6 may reply OK
    /// without a change (gphoto2 issue 508).
    var forcedResponses: [UInt16: PTPResponse] = [:]
    var autofocus = Autofocus.succeeds
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

    init(recording: Recording? = nil) {
        if let recording { dials.imageFormat = CanonImageFormat(recording) }
    }

    var recording: Recording? { dials.imageFormat.recording }

    var exposure: ShotExposure {
        var exposure = dials.exposure
        if dials.isBulb, let tenths = shutter.openTenths {
            exposure.seconds = ShotExposure.Fraction(tenths, 10)
        }
        return exposure
    }

    /// Returns the code of the battery level, or of the model name for an older body. All other settings are
    /// properties of Canon's extension. The list of a real EOS is never empty. With an empty list, the driver
    /// would report success for settings that do not exist (_get_config).
    func propertyCodes(of camera: CameraCore) -> [UInt16] {
        switch camera.identity.eosBattery {
        case .percent, .levels: [StandardProperty.battery]
        case .steps: [CanonProperty.friendlyName]
        }
    }

    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        switch code {
        case CanonProperty.friendlyName:
            let model = PropertyValue.text(CameraText(camera.identity.model))
            return DeviceProperty(isWritable: false, standard: model, current: model)
        case StandardProperty.battery where camera.identity.eosBattery == .levels:
            let levels: ClosedRange<UInt8> = 0...3
            return DeviceProperty(
                isWritable: false, standard: .u8(levels.upperBound),
                current: .u8(min(camera.battery / 25, levels.upperBound)),
                form: .choice(levels.map(PropertyValue.u8)))
        default: return nil
        }
    }

    /// Ends the display subscription, unlocks the body's buttons and saves new photos on the card again. The
    /// client's other settings remain.
    mutating func handleSessionEnd(on camera: inout CameraCore) {
        displayMask = 0
        isLocked = false
        destination = .card
    }

    mutating func perform(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime) -> String? {
        switch control {
        case .busy(let time): busyUntilMs = now.hostMs + Int64(time)
        case .autofocus(let outcome): autofocus = outcome
        case .hot(let isHot): setHot(isHot, on: &camera, at: now)
        case .badFrame(let fault): frameFault = fault
        case .bulbState: return "ok {\(shutter.json),\"button\":\"\(button.rawValue)\"}"
        case .frames: return liveView.reply(isOn: isLiveViewOn)
        case .locked: return "ok {\"locked\":\(isLocked)}"
        default: return nil
        }
        return "ok"
    }
}
