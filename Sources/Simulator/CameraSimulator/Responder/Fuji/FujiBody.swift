/// The state of a Fujifilm in tether shooting. Codes and values are those of libgphoto2's tables.
struct FujiBody: Sendable {
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

    /// The settings, by code.
    var settings = Self.defaultSettings
    /// The forced responses to setting these properties. A forced OK changes nothing.
    var forcedResponses: [UInt16: PTPResponse] = [:]
    var priority = Priority.body
    /// The value of the release property.
    var action: UInt16 = 0
    var autofocus = Autofocus.finds
    /// The end of the current focus search, by the host's clock in milliseconds.
    var focusUntilMs: Int64 = 0
    var shutter = BulbShutter()
    /// The transaction that started the open capture, which provides live-view frames, or `nil`.
    var openCapture: UInt32?
    /// The live-view frames. The first frame is available after 80 ms, because the driver waits only 100 ms.
    var liveView = LiveViewFrames(startMs: 80)
    /// The current frame, or `nil`. A client deletes it after reading.
    var frame: [UInt8]?

    /// Returns the focus status (0xD209): 1 searching, 2 found, 3 not found.
    func focusStatus(at now: WallTime) -> UInt16 {
        now.hostMs < focusUntilMs ? 1 : autofocus == .fails ? 3 : 2
    }

    /// The exposure modes (0x500E), which the rings of the body select.
    private enum Mode: UInt16 {
        case manual = 1
        case program = 2
        case aperturePriority = 3
        case shutterPriority = 4
    }

    private var mode: Mode? {
        if case .u16(let code)? = settings[FujiProperty.exposureMode]?.current {
            Mode(rawValue: code)
        } else {
            nil
        }
    }

    /// Returns whether clients can set this property in the current mode.
    func isWritable(_ code: UInt16) -> Bool {
        switch code {
        case Camera.Property.fNumber: [.aperturePriority, .manual].contains(mode)
        case Camera.Property.exposureTime: [.shutterPriority, .manual].contains(mode)
        case FujiProperty.exposureMode: false
        default: true
        }
    }

    /// Whether the shutter speed is set to bulb.
    var isBulb: Bool { settings[Camera.Property.exposureTime]?.current == .u32(Self.bulb) }

    /// Unlocks the body's buttons and stops live view at the end of a session.
    mutating func handleSessionEnd() {
        priority = .body
        openCapture = nil
        frame = nil
    }

    static let bulb: UInt32 = .max
    /// 30 s to 1/8000 s in thirds of a stop, in microseconds. The times are truncated powers of two, as on a
    /// real body.
    private static let times: [UInt32] = [
        32_000_000, 25_398_416, 20_158_736, 16_000_000, 12_699_208, 10_079_368, 8_000_000, 6_349_604,
        5_039_684, 4_000_000,
        3_174_802, 2_519_842, 2_000_000, 1_587_401, 1_259_921, 1_000_000, 793_700, 629_960, 500_000, 396_850,
        314_980, 250_000,
        198_425, 157_490, 125_000, 99_212, 78_745, 62_500, 49_606, 39_372, 31_250, 24_803, 19_686, 15_625,
        12_401, 9_843, 7_812,
        6_200, 4_921, 3_906, 3_100, 2_460, 1_953, 1_550, 1_230, 976, 775, 615, 488, 387, 307, 244, 193, 153,
        122,
    ]

    private static let defaultSettings: [UInt16: DeviceProperty] = [
        FujiProperty.whiteBalance: .choice(
            .u16(2), [2, 4, 0x8006, 6, 0x8001, 0x8002, 0x8003, 0x8007, 0x8008].map(PropertyValue.u16)),
        Camera.Property.fNumber: .choice(
            .u16(280),
            [
                140, 160, 180, 200, 220, 250, 280, 320, 350, 400, 450, 500, 560, 630, 710, 800, 900, 1000,
                1100, 1300, 1400, 1600,
            ]
            .map(PropertyValue.u16)),
        FujiProperty.focusMode: .choice(.u16(0x8001), [1, 0x8001, 0x8002].map(PropertyValue.u16)),
        FujiProperty.meteringMode: .choice(.u16(3), [1, 2, 3, 4].map(PropertyValue.u16)),
        Camera.Property.exposureTime: .choice(.u32(3_906), ([bulb] + times).map(PropertyValue.u32)),
        FujiProperty.exposureMode: .choice(.u16(1), [1, 2, 3, 4].map(PropertyValue.u16)),
        // The three kinds of auto ISO are negative.
        Camera.Property.exposureIndex: .choice(
            .i32(400),
            [-1, -2, -3, 160, 200, 250, 320, 400, 500, 640, 800, 1600, 3200, 6400, 12_800].map(
                PropertyValue.i32)),
        FujiProperty.exposureCompensation: .choice(
            .i16(0), (-9...9).map { .i16(Int16((Double($0) * 1000 / 3).rounded(.towardZero))) }),
        FujiProperty.colorTemperature: .choice(
            .u16(5200), stride(from: 2500, through: 10_000, by: 100).map { .u16($0) }),
        FujiProperty.quality: .choice(.u16(2), (1...5).map { .u16($0) }),
        FujiProperty.filmSimulation: .choice(.u16(1), (1...18).map { .u16($0) }),
        FujiProperty.liveViewSize: .choice(.u16(2), (1...3).map { .u16($0) }),
        FujiProperty.driveMode: .choice(.u16(1), (1...5).map { .u16($0) }),
    ]

    /// Parses a dial setting into a property and its value, or returns `nil` if the text isn't valid.
    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "mode": ["M": 1, "P": 2, "A": 3, "S": 4][word].map { (FujiProperty.exposureMode, $0) }
        case "aperture":
            DialText.number(word).map { (Camera.Property.fNumber, UInt32(($0 * 100).rounded())) }
        case "shutter" where word == "bulb": (Camera.Property.exposureTime, bulb)
        case "shutter":
            DialText.number(word).flatMap { seconds in
                times.min { abs(Double($0) - seconds * 1_000_000) < abs(Double($1) - seconds * 1_000_000) }
            }.map { (Camera.Property.exposureTime, $0) }
        case "iso" where word == "auto": (Camera.Property.exposureIndex, UInt32(bitPattern: -1))
        case "iso": DialText.number(word).map { (Camera.Property.exposureIndex, UInt32($0)) }
        case "ev":
            DialText.signed(word).map { stops in
                let value = Int16(((stops * 3).rounded() * 1000 / 3).rounded(.towardZero))
                return (FujiProperty.exposureCompensation, UInt32(UInt16(bitPattern: value)))
            }
        default: DialText.raw(name, word)
        }
    }
}

/// The property codes of a Fujifilm, as libgphoto2 names them, and its additional standard properties.
enum FujiProperty {
    static let whiteBalance: UInt16 = 0x5005
    static let focusMode: UInt16 = 0x500A
    static let meteringMode: UInt16 = 0x500B
    static let exposureMode: UInt16 = 0x500E
    static let exposureCompensation: UInt16 = 0x5010
    static let filmSimulation: UInt16 = 0xD001
    static let colorTemperature: UInt16 = 0xD017
    static let quality: UInt16 = 0xD018
    static let liveViewSize: UInt16 = 0xD174
    static let driveMode: UInt16 = 0xD201
    static let priorityMode: UInt16 = 0xD207
    static let release: UInt16 = 0xD208
    static let focusStatus: UInt16 = 0xD209
    static let freeMemoryImages: UInt16 = 0xD20E
    static let currentState: UInt16 = 0xD212
    static let computerMode: UInt16 = 0xD38C
}
