extension Camera {
    /// The properties of a Fujifilm, except the properties that all cameras have.
    var fujiPropertyCodes: [UInt16] {
        (fuji.settings.keys
            + [
                FujiProperty.priorityMode, FujiProperty.release, FujiProperty.focusStatus,
                FujiProperty.currentState,
                FujiProperty.computerMode,
            ] + (bufferShots == nil ? [] : [FujiProperty.freeMemoryImages])).sorted()
    }

    func fujiProperty(_ code: UInt16, at now: WallTime) -> DeviceProperty? {
        func value(_ number: UInt16, _ form: DeviceProperty.Form = .any, isWritable: Bool = true)
            -> DeviceProperty
        {
            DeviceProperty(isWritable: isWritable, standard: .u16(1), current: .u16(number), form: form)
        }
        return switch code {
        case FujiProperty.priorityMode:
            value(
                fuji.priority.rawValue,
                .choice([FujiBody.Priority.body, .computer].map { .u16($0.rawValue) }))
        case FujiProperty.release: value(fuji.action)
        case FujiProperty.computerMode: value(1)
        case FujiProperty.focusStatus: value(fuji.focusStatus(at: now), isWritable: false)
        // 1 means ready.
        case FujiProperty.currentState: value(1, isWritable: false)
        case FujiProperty.freeMemoryImages:
            bufferShots.map { value(UInt16(clamping: $0 - bufferedShots), isWritable: false) }
        default: fujiSetting(code)
        }
    }

    private func fujiSetting(_ code: UInt16) -> DeviceProperty? {
        var property = fuji.settings[code]
        property?.isWritable = fuji.isWritable(code)
        return property
    }

    /// Sets a property for a client.
    mutating func setFujiProperty(_ code: UInt16, _ property: DeviceProperty, _ data: [UInt8]) -> PTPReply {
        if let answer = fuji.forcedResponses[code] { return PTPReply(answer) }
        guard let value = property.current.read(from: data) else { return PTPReply(.invalidDataset) }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard property.allows(value) else { return PTPReply(.invalidDevicePropValue) }
        switch (code, value) {
        case (FujiProperty.priorityMode, .u16(let number)):
            fuji.priority = FujiBody.Priority(rawValue: number) ?? .body
        case (FujiProperty.release, .u16(let number)): fuji.action = number
        default: fuji.settings[code]?.current = value
        }
        return PTPReply(.ok)
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    fileprivate mutating func turnFuji(_ dial: BodyControl.Dial, at now: WallTime) throws(SimulatorError) {
        guard !isBodyLocked else { throw .bodyLocked }
        let (code, number) = try dial.parse(with: FujiBody.setting)
        guard let property = fujiSetting(code), let value = property.value(number),
            property.allows(value), property.isWritable || code == FujiProperty.exposureMode
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        fuji.settings[code]?.current = value
    }

    /// Returns the settings as JSON, a number for each property.
    fileprivate func fujiControls(at now: WallTime) -> String {
        let numbers = fujiPropertyCodes.compactMap { code in
            fujiProperty(code, at: now)?.current.number.map { "\"\(String(code, radix: 16))\":\($0)" }
        }
        return "{\(numbers.joined(separator: ","))}"
    }

    /// The exposure in a photo's metadata. After a bulb exposure, it contains the time for which the shutter
    /// was open.
    var fujiExposure: ShotExposure {
        var exposure = ShotExposure()
        if case .u16(let hundredths)? = fuji.settings[Property.fNumber]?.current {
            exposure.fNumber = ShotExposure.Fraction(UInt32(hundredths) / 10, 10)
        }
        if case .i32(let iso)? = fuji.settings[Property.exposureIndex]?.current, iso > 0 {
            exposure.iso = UInt16(clamping: iso)
        }
        guard case .u32(let time)? = fuji.settings[Property.exposureTime]?.current else { return exposure }
        if time != FujiBody.bulb {
            exposure.seconds = ShotExposure.Fraction(time, 1_000_000)
        } else if let tenths = fuji.shutter.openTenths {
            exposure.seconds = ShotExposure.Fraction(tenths, 10)
        }
        return exposure
    }
}

extension BodyControl {
    /// Runs the command on a Fujifilm.
    func runOnFuji(_ camera: inout Camera, at now: WallTime) throws(SimulatorError) -> String {
        switch self {
        case .dials(let dials): for dial in dials { try camera.turnFuji(dial, at: now) }
        case .autofocus(let outcome): camera.fuji.autofocus = outcome
        case .forceResponse(let code, let response): camera.fuji.forcedResponses[code] = response
        case .controls: return "ok " + camera.fujiControls(at: now)
        case .bulbState: return "ok {\(camera.fuji.shutter.json)}"
        case .frames:
            let live = camera.fuji.liveView
            return
                "ok {\"on\":\(camera.fuji.openCapture != nil),\"served\":\(live.served),\"refused\":\(live.refused)}"
        case .locked: return "ok {\"locked\":\(camera.isBodyLocked)}"
        case .busy, .hot, .badFrame, .lensLimit: throw .usage("a Fujifilm does not support this command")
        }
        return "ok"
    }
}
