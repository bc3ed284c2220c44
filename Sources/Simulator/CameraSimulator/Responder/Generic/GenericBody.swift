/// The state of a camera that has only the settings of the PTP standard. The standard defines their codes and
/// values (PIMA 15740, 13.4).
struct GenericBody: PropertyBody {
    var settings = Self.defaultSettings
    var forcedResponses: [UInt16: PTPResponse] = [:]
    var destination = PhotoDestination.card
    var exposure: ShotExposure { ShotExposure() }

    func ownPropertyCodes(of camera: CameraCore) -> [UInt16] { Array(settings.keys) }

    mutating func handleSessionStart(on camera: inout CameraCore) { camera.session?.isListening = true }

    /// The properties that are writable only in some exposure modes.
    static let followsMode = [StandardProperty.fNumber, StandardProperty.exposureTime]

    /// Changes a property. Notifies the client if the photographer changed the property. Also notifies the
    /// client of properties that become writable or read-only.
    mutating func change(
        _ code: UInt16, to value: PropertyValue, on camera: inout CameraCore, byHand: Bool
    ) {
        let before = Self.followsMode.map { isWritable($0) }
        settings[code]?.current = value
        if byHand { camera.emit(.propertyChanged(code)) }
        for (code, wasWritable) in zip(Self.followsMode, before)
        where isWritable(code) != wasWritable {
            camera.emit(.propertyChanged(code))
        }
    }

    /// The exposure times, in tenths of a millisecond.
    private static let times: [UInt32] = [5, 10, 20, 40, 80, 160, 333]

    private static let defaultSettings: [UInt16: DeviceProperty] = [
        StandardProperty.compression: .choice(.u8(1), [1, 2, 3].map(PropertyValue.u8)),
        StandardProperty.whiteBalance: .choice(.u16(2), (1...7).map(PropertyValue.u16)),
        StandardProperty.fNumber: .choice(
            .u16(280), [140, 200, 280, 400, 560, 800, 1100].map(PropertyValue.u16)),
        StandardProperty.focusMode: .choice(.u16(2), [1, 2, 3].map(PropertyValue.u16)),
        StandardProperty.meteringMode: .choice(.u16(2), [1, 2, 3, 4].map(PropertyValue.u16)),
        StandardProperty.exposureTime: .choice(.u32(40), times.map(PropertyValue.u32)),
        StandardProperty.exposureMode: .choice(.u16(1), [1, 2, 3, 4].map(PropertyValue.u16)),
        StandardProperty.exposureIndex: .choice(
            .u16(400), [100, 200, 400, 800, 1600, 3200].map(PropertyValue.u16)),
        StandardProperty.exposureCompensation: .choice(
            .i16(0), [-2000, -1500, -1000, -500, 0, 500, 1000, 1500, 2000].map(PropertyValue.i16)),
        StandardProperty.captureMode: .choice(.u16(1), [1, 2, 3].map(PropertyValue.u16)),
    ]

    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "shutter":
            DialText.number(word).flatMap { seconds in
                times.min { abs(Double($0) - seconds * 10_000) < abs(Double($1) - seconds * 10_000) }
            }.map { (StandardProperty.exposureTime, $0) }
        case "iso": UInt32(word).map { (StandardProperty.exposureIndex, $0) }
        case "ev":
            DialText.signed(word).flatMap { Int16(exactly: ($0 * 1000).rounded()) }
                .map { (StandardProperty.exposureCompensation, UInt32(UInt16(bitPattern: $0))) }
        default: DialText.standard(name, word)
        }
    }
}
