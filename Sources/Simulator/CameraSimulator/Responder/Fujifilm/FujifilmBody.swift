/// The state of a Fujifilm in tether shooting. Codes and values are those of libgphoto2's tables.
struct FujifilmBody: PropertyBody {
    /// The side that controls the camera (0xD207): the body's buttons and dials, or the computer.
    enum Priority: UInt16, Sendable {
        case body = 1
        case computer = 2
    }

    /// The next action of InitiateCapture (0xD208).
    enum Action {
        static let focus: UInt16 = 0x0200
        static let shoot: UInt16 = 0x0304
        static let beginBulb: UInt16 = 0x0500
        static let endBulb: UInt16 = 0x000C
        /// Starts or ends focusing without a shot.
        static let driveFocus: UInt16 = 0x9300
    }

    var settings = Self.defaultSettings
    var forcedResponses: [UInt16: PTPResponse] = [:]
    var priority = Priority.body
    var isLocked: Bool { priority == .computer }
    var destination = PhotoDestination.host
    /// The value of the release property.
    var action: UInt16 = 0
    var autofocus = Autofocus.succeeds
    /// The end of the current focus search, by the host's clock in milliseconds.
    var focusUntilMs: Int64 = 0
    var shutter = BulbShutter()
    /// The transaction that started the open capture, which provides live-view frames, or `nil`.
    var openCapture: UInt32?
    /// The live-view frames. The first frame is available after 80 ms, because the driver waits only 100 ms.
    var liveView = LiveViewFrames(startMs: 80)
    /// The current frame, or `nil`. A client deletes the frame after reading.
    var frame: [UInt8]?

    /// Returns the focus status (0xD209): 1 searching, 2 found, 3 not found.
    func focusStatus(at now: WallTime) -> UInt16 {
        now.hostMs < focusUntilMs ? 1 : autofocus == .fails ? 3 : 2
    }

    /// Returns whether clients can set this property. A ring of the body selects the exposure mode, so
    /// clients cannot set the mode.
    func isWritable(_ code: UInt16) -> Bool {
        code != StandardProperty.exposureMode && isWritableInMode(code)
    }

    /// Whether the shutter speed is set to bulb.
    var isBulb: Bool { settings[StandardProperty.exposureTime]?.current == .u32(Self.bulb) }

    /// Restarts the file numbers at 1, even if the memory still contains photos of earlier sessions.
    mutating func handleSessionStart(on camera: inout CameraCore) { camera.numbering.restart(at: 1) }

    /// Unlocks the body's buttons and stops live view at the end of a session.
    mutating func handleSessionEnd(on camera: inout CameraCore) {
        priority = .body
        openCapture = nil
        frame = nil
    }

    mutating func perform(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime) -> String? {
        switch control {
        case .autofocus(let outcome): autofocus = outcome
        case .bulbState: return "ok {\(shutter.json)}"
        case .frames: return liveView.reply(isOn: openCapture != nil)
        case .locked: return "ok {\"locked\":\(isLocked)}"
        default: return nil
        }
        return "ok"
    }

    static let bulb: UInt32 = .max
    /// 30 s to 1/8000 s in thirds of a stop, in microseconds. The times are truncated powers of two, as on a
    /// real body.
    static let times: [UInt32] = [
        32_000_000, 25_398_416, 20_158_736, 16_000_000, 12_699_208, 10_079_368, 8_000_000, 6_349_604,
        5_039_684, 4_000_000, 3_174_802, 2_519_842, 2_000_000, 1_587_401, 1_259_921, 1_000_000, 793_700,
        629_960, 500_000, 396_850, 314_980, 250_000, 198_425, 157_490, 125_000, 99_212, 78_745, 62_500,
        49_606, 39_372, 31_250, 24_803, 19_686, 15_625, 12_401, 9_843, 7_812, 6_200, 4_921, 3_906, 3_100,
        2_460, 1_953, 1_550, 1_230, 976, 775, 615, 488, 387, 307, 244, 193, 153, 122,
    ]

    private static let defaultSettings: [UInt16: DeviceProperty] = [
        StandardProperty.whiteBalance: .choice(
            .u16(2), [2, 4, 0x8006, 6, 0x8001, 0x8002, 0x8003, 0x8007, 0x8008].map(PropertyValue.u16)),
        StandardProperty.fNumber: .choice(.u16(280), StandardProperty.apertures.map(PropertyValue.u16)),
        StandardProperty.focusMode: .choice(.u16(0x8001), [1, 0x8001, 0x8002].map(PropertyValue.u16)),
        StandardProperty.meteringMode: .choice(.u16(3), [1, 2, 3, 4].map(PropertyValue.u16)),
        StandardProperty.exposureTime: .choice(.u32(3_906), ([bulb] + times).map(PropertyValue.u32)),
        StandardProperty.exposureMode: .choice(.u16(1), [1, 2, 3, 4].map(PropertyValue.u16)),
        // The three auto ISO modes have negative values.
        StandardProperty.exposureIndex: .choice(
            .i32(400),
            [-1, -2, -3, 160, 200, 250, 320, 400, 500, 640, 800, 1600, 3200, 6400, 12_800].map(
                PropertyValue.i32)),
        StandardProperty.exposureCompensation: .choice(
            .i16(0), (-9...9).map { .i16(Int16((Double($0) * 1000 / 3).rounded(.towardZero))) }),
        FujiProperty.colorTemperature: .choice(
            .u16(5200), stride(from: 2500, through: 10_000, by: 100).map { .u16($0) }),
        FujiProperty.quality: .choice(.u16(2), (1...5).map { .u16($0) }),
        FujiProperty.filmSimulation: .choice(.u16(1), (1...18).map { .u16($0) }),
        FujiProperty.liveViewSize: .choice(.u16(2), (1...3).map { .u16($0) }),
        FujiProperty.driveMode: .choice(.u16(1), (1...5).map { .u16($0) }),
    ]
}
