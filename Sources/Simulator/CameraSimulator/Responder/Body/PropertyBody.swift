/// A body whose settings are device properties, as the PTP standard defines them.
protocol PropertyBody: SimulatedBody {
    /// The settings, by code.
    var settings: [UInt16: DeviceProperty] { get set }

    /// Returns the codes of the body's properties, except battery and clock.
    func ownPropertyCodes(of camera: CameraCore) -> [UInt16]

    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty?

    /// Returns whether clients can set this property in the current mode. The list of allowed values does not
    /// depend on the mode.
    func isWritable(_ code: UInt16) -> Bool

    /// Returns the setting that the photographer changes by this code, or `nil` if no setting has the code.
    func dialProperty(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty?

    /// Changes a property for a client, or for the photographer if `byHand` is `true`.
    mutating func change(
        _ code: UInt16, to value: PropertyValue, on camera: inout CameraCore, byHand: Bool)

    /// Parses a dial setting into a property and its value, or returns `nil` if the text is not valid.
    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)?
}

extension PropertyBody {
    var mode: ExposureMode? {
        guard case .u16(let code)? = settings[StandardProperty.exposureMode]?.current else { return nil }
        return ExposureMode(rawValue: code)
    }

    func isWritable(_ code: UInt16) -> Bool { isWritableInMode(code) }

    func isWritableInMode(_ code: UInt16) -> Bool {
        switch code {
        case StandardProperty.fNumber: [.aperturePriority, .manual].contains(mode)
        case StandardProperty.exposureTime: [.shutterPriority, .manual].contains(mode)
        default: true
        }
    }

    func propertyCodes(of camera: CameraCore) -> [UInt16] {
        ([StandardProperty.battery, StandardProperty.dateTime] + ownPropertyCodes(of: camera)).sorted()
    }

    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        ownProperty(code)
    }

    func dialProperty(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        ownProperty(code)
    }

    func ownProperty(_ code: UInt16) -> DeviceProperty? {
        var property = settings[code]
        property?.isWritable = isWritable(code)
        return property
    }

    mutating func setProperty(
        _ code: UInt16, _ property: DeviceProperty, _ data: [UInt8], on camera: inout CameraCore
    ) -> PTPReply { setOwnProperty(code, property, data, on: &camera) }

    mutating func setOwnProperty(
        _ code: UInt16, _ property: DeviceProperty, _ data: [UInt8], on camera: inout CameraCore
    ) -> PTPReply {
        if let answer = forcedResponses[code] { return PTPReply(answer) }
        guard let value = property.current.read(from: data) else { return PTPReply(.invalidDataset) }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard property.allows(value) else { return PTPReply(.invalidDevicePropValue) }
        change(code, to: value, on: &camera, byHand: false)
        return PTPReply(.ok)
    }

    mutating func turn(_ dial: BodyControl.Dial, on camera: inout CameraCore, at now: WallTime)
        throws(SimulatorError)
    {
        guard !isLocked else { throw .bodyLocked }
        let (code, number) = try dial.parse(with: Self.setting)
        guard let property = dialProperty(code, of: camera, at: now), let value = property.value(number),
            property.allows(value), property.isWritable || code == StandardProperty.exposureMode
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        change(code, to: value, on: &camera, byHand: true)
    }

    func controls(of camera: CameraCore, at now: WallTime) -> [UInt16: Int64] {
        var numbers: [UInt16: Int64] = [:]
        for code in ownPropertyCodes(of: camera) {
            numbers[code] = property(code, of: camera, at: now)?.current.number
        }
        return numbers
    }
}
