extension FujifilmBody {
    func ownPropertyCodes(of camera: CameraCore) -> [UInt16] {
        settings.keys
            + [
                FujiProperty.priorityMode, FujiProperty.release, FujiProperty.focusStatus,
                FujiProperty.currentState, FujiProperty.computerMode,
            ] + (camera.bufferShots == nil ? [] : [FujiProperty.freeMemoryImages])
    }

    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        func value(_ number: UInt16, _ form: DeviceProperty.Form = .any, isWritable: Bool = true)
            -> DeviceProperty
        {
            DeviceProperty(isWritable: isWritable, standard: .u16(1), current: .u16(number), form: form)
        }
        return switch code {
        case FujiProperty.priorityMode:
            value(priority.rawValue, .choice([Priority.body, .computer].map { .u16($0.rawValue) }))
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

    mutating func change(
        _ code: UInt16, to value: PropertyValue, on camera: inout CameraCore, byHand: Bool
    ) {
        switch (code, value) {
        case (FujiProperty.priorityMode, .u16(let number)):
            priority = Priority(rawValue: number) ?? .body
        case (FujiProperty.release, .u16(let number)): action = number
        default: settings[code]?.current = value
        }
    }

    /// The exposure that the settings select. Auto ISO has a negative value. With auto ISO, the photo's
    /// metadata contains the default ISO.
    var exposure: ShotExposure {
        let iso = settings[StandardProperty.exposureIndex]?.current.number ?? 0
        let time = settings[StandardProperty.exposureTime]?.current
        var seconds: ShotExposure.Fraction?
        if case .u32(let microseconds)? = time, microseconds != Self.bulb {
            seconds = .init(microseconds, 1_000_000)
        }
        return ShotExposure(
            fNumber: settings[StandardProperty.fNumber], iso: iso > 0 ? UInt16(clamping: iso) : nil,
            seconds: seconds, shutter: shutter)
    }

    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
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
                return (StandardProperty.exposureCompensation, UInt32(UInt16(bitPattern: value)))
            }
        default: DialText.standard(name, word)
        }
    }
}
