extension FujifilmBody {
    func propertyCodes(of camera: CameraCore) -> [UInt16] {
        ([StandardProperty.battery, StandardProperty.dateTime] + ownPropertyCodes(of: camera)).sorted()
    }

    /// Returns the properties of a Fujifilm, except the properties that all cameras have.
    private func ownPropertyCodes(of camera: CameraCore) -> [UInt16] {
        (settings.keys
            + [
                FujiProperty.priorityMode, FujiProperty.release, FujiProperty.focusStatus,
                FujiProperty.currentState,
                FujiProperty.computerMode,
            ] + (camera.bufferShots == nil ? [] : [FujiProperty.freeMemoryImages])).sorted()
    }

    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        func value(_ number: UInt16, _ form: DeviceProperty.Form = .any, isWritable: Bool = true)
            -> DeviceProperty
        {
            DeviceProperty(isWritable: isWritable, standard: .u16(1), current: .u16(number), form: form)
        }
        return switch code {
        case FujiProperty.priorityMode:
            value(
                priority.rawValue,
                .choice([Priority.body, .computer].map { .u16($0.rawValue) }))
        case FujiProperty.release: value(action)
        case FujiProperty.computerMode: value(1)
        case FujiProperty.focusStatus: value(focusStatus(at: now), isWritable: false)
        // 1 means ready.
        case FujiProperty.currentState: value(1, isWritable: false)
        case FujiProperty.freeMemoryImages:
            camera.bufferShots.map { value(UInt16(clamping: $0 - camera.bufferedShots), isWritable: false) }
        default: ownProperty(code)
        }
    }

    private func ownProperty(_ code: UInt16) -> DeviceProperty? {
        var property = settings[code]
        property?.isWritable = isWritable(code)
        return property
    }

    /// Sets a property for a client.
    mutating func setProperty(
        _ code: UInt16, _ property: DeviceProperty, _ data: [UInt8], on camera: inout CameraCore
    ) -> PTPReply {
        if let answer = forcedResponses[code] { return PTPReply(answer) }
        guard let value = property.current.read(from: data) else { return PTPReply(.invalidDataset) }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard property.allows(value) else { return PTPReply(.invalidDevicePropValue) }
        switch (code, value) {
        case (FujiProperty.priorityMode, .u16(let number)):
            priority = Priority(rawValue: number) ?? .body
        case (FujiProperty.release, .u16(let number)): action = number
        default: settings[code]?.current = value
        }
        return PTPReply(.ok)
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    mutating func turn(_ dial: BodyControl.Dial) throws(SimulatorError) {
        guard !isLocked else { throw .bodyLocked }
        let (code, number) = try dial.parse(with: Self.setting)
        guard let property = ownProperty(code), let value = property.value(number),
            property.allows(value), property.isWritable || code == FujiProperty.exposureMode
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        settings[code]?.current = value
    }

    /// Returns the settings as JSON, a number for each property.
    func controls(of camera: CameraCore, at now: WallTime) -> String {
        let numbers = ownPropertyCodes(of: camera).compactMap { code in
            property(code, of: camera, at: now)?.current.number.map { "\"\(String(code, radix: 16))\":\($0)" }
        }
        return "{\(numbers.joined(separator: ","))}"
    }

    var exposure: ShotExposure {
        var exposure = ShotExposure()
        if case .u16(let hundredths)? = settings[StandardProperty.fNumber]?.current {
            exposure.fNumber = ShotExposure.Fraction(UInt32(hundredths) / 10, 10)
        }
        if case .i32(let iso)? = settings[StandardProperty.exposureIndex]?.current, iso > 0 {
            exposure.iso = UInt16(clamping: iso)
        }
        guard case .u32(let time)? = settings[StandardProperty.exposureTime]?.current else { return exposure }
        if time != Self.bulb {
            exposure.seconds = ShotExposure.Fraction(time, 1_000_000)
        } else if let tenths = shutter.openTenths {
            exposure.seconds = ShotExposure.Fraction(tenths, 10)
        }
        return exposure
    }

    /// Parses a dial setting into a property and its value, or returns `nil` if the text isn't valid.
    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "mode": ["M": 1, "P": 2, "A": 3, "S": 4][word].map { (FujiProperty.exposureMode, $0) }
        case "aperture":
            DialText.number(word).map { (StandardProperty.fNumber, UInt32(($0 * 100).rounded())) }
        case "shutter" where word == "bulb": (StandardProperty.exposureTime, bulb)
        case "shutter":
            DialText.number(word).flatMap { seconds in
                times.min { abs(Double($0) - seconds * 1_000_000) < abs(Double($1) - seconds * 1_000_000) }
            }.map { (StandardProperty.exposureTime, $0) }
        case "iso" where word == "auto": (StandardProperty.exposureIndex, UInt32(bitPattern: -1))
        case "iso": DialText.number(word).map { (StandardProperty.exposureIndex, UInt32($0)) }
        case "ev":
            DialText.signed(word).map { stops in
                let value = Int16(((stops * 3).rounded() * 1000 / 3).rounded(.towardZero))
                return (FujiProperty.exposureCompensation, UInt32(UInt16(bitPattern: value)))
            }
        default: DialText.raw(name, word)
        }
    }
}
