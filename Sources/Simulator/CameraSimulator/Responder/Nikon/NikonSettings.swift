extension Camera {
    /// The codes of the properties that the simulated Nikon adds.
    var nikonPropertyCodes: [UInt16] {
        (nikon.settings.keys
            + [
                Property.exposureTime, NikonProperty.shutterSpeed, NikonProperty.movieProhibited,
                NikonProperty.maximumShots,
                NikonProperty.recordingMedia, NikonProperty.liveViewStatus, NikonProperty.liveViewProhibited,
                NikonProperty.exposuresRemaining,
            ]).sorted()
    }

    func nikonProperty(_ code: UInt16, at now: WallTime) -> DeviceProperty? {
        func readOnly(_ value: PropertyValue) -> DeviceProperty {
            DeviceProperty(isWritable: false, standard: value, current: value)
        }
        var property: DeviceProperty?
        switch code {
        case Property.exposureTime: property = speed { $0.tenthsOfMs }
        case NikonProperty.shutterSpeed: property = speed { $0.fraction }
        case NikonProperty.recordingMedia:
            return DeviceProperty(
                isWritable: true, standard: .u8(0), current: .u8(memoryIsTarget ? 1 : 0),
                form: .range(.u8(0), .u8(2), step: .u8(1)))
        case NikonProperty.exposuresRemaining: return readOnly(.u32(UInt32(clamping: shotsLeft)))
        case NikonProperty.maximumShots: return readOnly(.u8(remainingBurstShots(at: now)))
        case NikonProperty.liveViewStatus: return readOnly(.u8(nikon.isLiveViewOn ? 1 : 0))
        case NikonProperty.liveViewProhibited: return readOnly(.u32(nikonLiveViewProhibited))
        case NikonProperty.movieProhibited: return readOnly(.u32(nikonMovieProhibited))
        default: property = nikon.settings[code]
        }
        property?.isWritable = nikon.isWritable(code)
        return property
    }

    /// Returns the shutter speed in one of its forms. In mode M, its list contains bulb.
    private func speed(_ form: (NikonSpeed) -> UInt32) -> DeviceProperty {
        let bulb: [PropertyValue] = nikon.mode == .manual ? [.u32(NikonSpeed.bulb)] : []
        return DeviceProperty(
            isWritable: true, standard: .u32(form(NikonSpeed(1, 250))),
            current: .u32(nikon.speed.map(form) ?? NikonSpeed.bulb),
            form: .choice(bulb + NikonSpeed.all.map { .u32(form($0)) }))
    }

    /// Sets a property for a client.
    mutating func setNikonProperty(_ code: UInt16, _ property: DeviceProperty, _ data: [UInt8]) -> PTPReply {
        if let answer = nikon.forcedResponses[code] { return PTPReply(answer) }
        guard let value = property.current.read(from: data) else { return PTPReply(.invalidDataset) }
        let isSpeed = [Property.exposureTime, NikonProperty.shutterSpeed].contains(code)
        if isSpeed, value == .u32(NikonSpeed.bulb), nikon.mode != .manual {
            return PTPReply(.nikonShutterSpeedBulb)
        }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard property.allows(value) else { return PTPReply(.invalidDevicePropValue) }
        changeNikonProperty(code, to: value)
        return PTPReply(.ok)
    }

    /// Changes a property. Notifies the client of dependent properties, and of every change that the
    /// photographer makes.
    private mutating func changeNikonProperty(_ code: UInt16, to value: PropertyValue, byHand: Bool = false) {
        switch (code, value) {
        case (NikonProperty.recordingMedia, _): memoryIsTarget = value == .u8(1)
        case (Property.exposureTime, .u32(let number)):
            nikon.speed = NikonSpeed.all.first { $0.tenthsOfMs == number }
            emit(.propertyChanged(NikonProperty.shutterSpeed))
        case (NikonProperty.shutterSpeed, .u32(let number)):
            nikon.speed = NikonSpeed.all.first { $0.fraction == number }
            emit(.propertyChanged(Property.exposureTime))
        default: nikon.settings[code]?.current = value
        }
        if code == NikonProperty.exposureMode, nikon.mode != .manual, nikon.speed == nil {
            nikon.speed = NikonSpeed(1, 30)
            emit(.propertyChanged(Property.exposureTime))
            emit(.propertyChanged(NikonProperty.shutterSpeed))
        }
        if byHand { emit(.propertyChanged(code)) }
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    fileprivate mutating func turnNikon(_ dial: BodyControl.Dial, at now: WallTime) throws(SimulatorError) {
        guard !nikon.isRemote else { throw .bodyLocked }
        let (code, number) = try dial.parse(with: NikonBody.setting)
        guard let property = nikonProperty(code, at: now), let value = property.value(number),
            property.allows(value), property.isWritable || code == NikonProperty.exposureMode
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        changeNikonProperty(code, to: value, byHand: true)
    }

    /// Returns the settings as JSON, a number for each property.
    fileprivate func nikonControls(at now: WallTime) -> String {
        let numbers = nikonPropertyCodes.compactMap { code in
            nikonProperty(code, at: now)?.current.number.map { "\"\(String(code, radix: 16))\":\($0)" }
        }
        return "{\(numbers.joined(separator: ","))}"
    }

    /// The exposure in a photo's metadata. After a bulb exposure, it contains the time for which the shutter
    /// was open.
    var nikonExposure: ShotExposure {
        var exposure = ShotExposure()
        if case .u16(let hundredths)? = nikon.settings[Property.fNumber]?.current {
            exposure.fNumber = ShotExposure.Fraction(UInt32(hundredths) / 10, 10)
        }
        if case .u16(let iso)? = nikon.settings[Property.exposureIndex]?.current { exposure.iso = iso }
        if let speed = nikon.speed {
            exposure.seconds = ShotExposure.Fraction(speed.numerator, speed.denominator)
        } else if let tenths = nikon.shutter.openTenths {
            exposure.seconds = ShotExposure.Fraction(tenths, 10)
        }
        return exposure
    }
}

extension NikonBody {
    /// Parses a dial setting into a property and its value, or returns `nil` if the text isn't valid.
    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "mode":
            ["M": 1, "P": 2, "A": 3, "S": 4, "auto": 0x8010][word].map { (NikonProperty.exposureMode, $0) }
        case "aperture":
            DialText.number(word).map { (Camera.Property.fNumber, UInt32(($0 * 100).rounded())) }
        case "shutter" where word == "bulb": (NikonProperty.shutterSpeed, NikonSpeed.bulb)
        case "shutter":
            DialText.number(word).flatMap { seconds in
                NikonSpeed.all.min { abs($0.seconds - seconds) < abs($1.seconds - seconds) }
            }.map { (NikonProperty.shutterSpeed, $0.fraction) }
        case "iso" where word == "auto": (NikonProperty.autoISO, 1)
        case "iso": DialText.number(word).map { (Camera.Property.exposureIndex, UInt32($0)) }
        case "ev":
            DialText.signed(word).map { stops in
                let value = Int16((stops * 3).rounded() * 1000 / 3)
                return (NikonProperty.exposureCompensation, UInt32(UInt16(bitPattern: value)))
            }
        default: DialText.raw(name, word)
        }
    }
}

extension BodyControl {
    /// Runs the command on a Nikon.
    func runOnNikon(_ camera: inout Camera, at now: WallTime) throws(SimulatorError) -> String {
        switch self {
        case .dials(let dials): for dial in dials { try camera.turnNikon(dial, at: now) }
        case .busy(let time):
            (camera.nikon.busyUntilMs, camera.nikon.outcome) = (now.hostMs + Int64(time), .ok)
        case .autofocus(let outcome): camera.nikon.autofocus = outcome
        case .hot(let isHot): camera.setNikonHot(isHot)
        case .badFrame, .lensLimit: throw .usage("a Nikon does not support this command")
        case .forceResponse(let code, let response): camera.nikon.forcedResponses[code] = response
        case .controls: return "ok " + camera.nikonControls(at: now)
        case .bulbState: return "ok {\(camera.nikon.shutter.json)}"
        case .frames:
            let live = camera.nikon.liveView
            return
                "ok {\"on\":\(camera.nikon.isLiveViewOn),\"served\":\(live.served),\"refused\":\(live.refused)}"
        case .locked: return "ok {\"locked\":\(camera.isBodyLocked)}"
        }
        return "ok"
    }
}
