/// The state of a camera that has only the standard's settings. Codes and values are the standard's (PIMA
/// 15740, 13.4).
struct GenericBody: SimulatedBody {
    /// The settings, by code.
    var settings = Self.defaultSettings
    /// The forced responses to setting these properties. A forced OK changes nothing.
    var forcedResponses: [UInt16: PTPResponse] = [:]

    /// The exposure modes (0x500E).
    private enum Mode: UInt16 {
        case manual = 1
        case program = 2
        case aperturePriority = 3
        case shutterPriority = 4
    }

    var destination = PhotoDestination.card
    var exposure: ShotExposure { ShotExposure() }

    func propertyCodes(of camera: CameraCore) -> [UInt16] {
        ([StandardProperty.battery, StandardProperty.dateTime] + settings.keys).sorted()
    }

    mutating func handleSessionStart(on camera: inout CameraCore) { camera.session?.isListening = true }

    mutating func run(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime)
        throws(SimulatorError) -> String
    {
        switch control {
        case .dials(let dials): for dial in dials { try turn(dial, on: &camera) }
        case .forceResponse(let code, let response): forcedResponses[code] = response
        case .controls: return "ok " + controls
        case .busy, .autofocus, .hot, .badFrame, .lensLimit, .bulbState, .frames, .locked:
            throw .usage("this camera does not support this command")
        }
        return "ok"
    }

    private var mode: Mode? {
        if case .u16(let code)? = settings[GenericProperty.exposureMode]?.current {
            Mode(rawValue: code)
        } else {
            nil
        }
    }

    /// Returns whether clients can set this property in the current mode. The list of allowed values doesn't
    /// depend on the mode.
    func isWritable(_ code: UInt16) -> Bool {
        switch code {
        case StandardProperty.fNumber: [.aperturePriority, .manual].contains(mode)
        case StandardProperty.exposureTime: [.shutterPriority, .manual].contains(mode)
        default: true
        }
    }

    /// The properties that are writable in some modes only.
    static let followsMode = [StandardProperty.fNumber, StandardProperty.exposureTime]

    /// The exposure times, in tenths of a millisecond.
    private static let times: [UInt32] = [5, 10, 20, 40, 80, 160, 333]

    private static let defaultSettings: [UInt16: DeviceProperty] = [
        GenericProperty.compression: .choice(.u8(1), [1, 2, 3].map(PropertyValue.u8)),
        GenericProperty.whiteBalance: .choice(.u16(2), (1...7).map(PropertyValue.u16)),
        StandardProperty.fNumber: .choice(
            .u16(280), [140, 200, 280, 400, 560, 800, 1100].map(PropertyValue.u16)),
        GenericProperty.focusMode: .choice(.u16(2), [1, 2, 3].map(PropertyValue.u16)),
        GenericProperty.meteringMode: .choice(.u16(2), [1, 2, 3, 4].map(PropertyValue.u16)),
        StandardProperty.exposureTime: .choice(.u32(40), times.map(PropertyValue.u32)),
        GenericProperty.exposureMode: .choice(.u16(1), [1, 2, 3, 4].map(PropertyValue.u16)),
        StandardProperty.exposureIndex: .choice(
            .u16(400), [100, 200, 400, 800, 1600, 3200].map(PropertyValue.u16)),
        GenericProperty.exposureCompensation: .choice(
            .i16(0), [-2000, -1500, -1000, -500, 0, 500, 1000, 1500, 2000].map(PropertyValue.i16)),
        GenericProperty.captureMode: .choice(.u16(1), [1, 2, 3].map(PropertyValue.u16)),
    ]

    /// Parses a dial setting into a property and its value, or returns `nil` if the text isn't valid.
    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "mode": ["M": 1, "P": 2, "A": 3, "S": 4][word].map { (GenericProperty.exposureMode, $0) }
        case "aperture":
            DialText.number(word).flatMap { UInt32(exactly: ($0 * 100).rounded()) }
                .map { (StandardProperty.fNumber, $0) }
        case "shutter":
            DialText.number(word).flatMap { seconds in
                times.min { abs(Double($0) - seconds * 10_000) < abs(Double($1) - seconds * 10_000) }
            }.map { (StandardProperty.exposureTime, $0) }
        case "iso": UInt32(word).map { (StandardProperty.exposureIndex, $0) }
        case "ev":
            DialText.signed(word).flatMap { Int16(exactly: ($0 * 1000).rounded()) }
                .map { (GenericProperty.exposureCompensation, UInt32(UInt16(bitPattern: $0))) }
        default: DialText.raw(name, word)
        }
    }
}

/// The codes of the standard's settings (PIMA 15740, table 27), except the settings that all cameras have.
enum GenericProperty {
    static let compression: UInt16 = 0x5004
    static let whiteBalance: UInt16 = 0x5005
    static let focusMode: UInt16 = 0x500A
    static let meteringMode: UInt16 = 0x500B
    static let exposureMode: UInt16 = 0x500E
    static let exposureCompensation: UInt16 = 0x5010
    static let captureMode: UInt16 = 0x5013
}
