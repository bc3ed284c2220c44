extension NikonBody {
    /// Returns the codes of all properties, except battery and clock.
    func ownPropertyCodes(of camera: CameraCore) -> [UInt16] {
        settings.keys
            + [
                StandardProperty.exposureTime, NikonProperty.shutterSpeed, NikonProperty.movieProhibited,
                NikonProperty.maximumShots, NikonProperty.recordingMedia, NikonProperty.liveViewStatus,
                NikonProperty.liveViewProhibited, NikonProperty.exposuresRemaining,
            ]
    }

    /// Returns the properties in DeviceInfo. Clients request the codes of Nikon's own properties with
    /// GetVendorPropCodes.
    func propertyCodes(of camera: CameraCore) -> [UInt16] {
        ([StandardProperty.battery, StandardProperty.dateTime]
            + ownPropertyCodes(of: camera).filter { $0 < 0xD000 }).sorted()
    }

    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        func readOnly(_ value: PropertyValue) -> DeviceProperty {
            DeviceProperty(isWritable: false, standard: value, current: value)
        }
        var property: DeviceProperty?
        switch code {
        case StandardProperty.exposureTime: property = speedProperty { $0.tenthsOfMs }
        case NikonProperty.shutterSpeed: property = speedProperty { $0.fraction }
        case NikonProperty.recordingMedia:
            return DeviceProperty(
                isWritable: true, standard: .u8(0), current: .u8(destination == .host ? 1 : 0),
                form: .range(.u8(0), .u8(2), step: .u8(1)))
        case NikonProperty.exposuresRemaining: return readOnly(.u32(UInt32(clamping: camera.shotsLeft)))
        case NikonProperty.maximumShots: return readOnly(.u8(camera.remainingBurstShots(at: now)))
        case NikonProperty.liveViewStatus: return readOnly(.u8(isLiveViewOn ? 1 : 0))
        case NikonProperty.liveViewProhibited: return readOnly(.u32(liveViewProhibited))
        case NikonProperty.movieProhibited: return readOnly(.u32(movieProhibited))
        default: property = settings[code]
        }
        property?.isWritable = isWritable(code)
        return property
    }

    /// Returns the shutter speed property. `form` converts a speed to the property's value. In mode M, the
    /// list of allowed values contains bulb.
    private func speedProperty(_ form: (NikonSpeed) -> UInt32) -> DeviceProperty {
        let bulb: [PropertyValue] = mode == .manual ? [.u32(NikonSpeed.bulb)] : []
        return DeviceProperty(
            isWritable: true, standard: .u32(form(NikonSpeed(1, 250))),
            current: .u32(speed.map(form) ?? NikonSpeed.bulb),
            form: .choice(bulb + NikonSpeed.all.map { .u32(form($0)) }))
    }

    func dialProperty(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        property(code, of: camera, at: now)
    }

    /// Sets a property for a client. Only mode M permits bulb.
    mutating func setProperty(
        _ code: UInt16, _ property: DeviceProperty, _ data: [UInt8], on camera: inout CameraCore
    ) -> PTPReply {
        let isSpeed = [StandardProperty.exposureTime, NikonProperty.shutterSpeed].contains(code)
        if isSpeed, forcedResponses[code] == nil, mode != .manual,
            property.current.read(from: data) == .u32(NikonSpeed.bulb)
        {
            return PTPReply(.nikonShutterSpeedBulb)
        }
        return setOwnProperty(code, property, data, on: &camera)
    }

    /// Changes a property. Notifies the client of dependent properties, and of every change that the
    /// photographer makes.
    mutating func change(
        _ code: UInt16, to value: PropertyValue, on camera: inout CameraCore, byHand: Bool
    ) {
        switch (code, value) {
        case (NikonProperty.recordingMedia, _): destination = value == .u8(1) ? .host : .card
        case (StandardProperty.exposureTime, .u32(let number)):
            speed = NikonSpeed.all.first { $0.tenthsOfMs == number }
            camera.emit(.propertyChanged(NikonProperty.shutterSpeed))
        case (NikonProperty.shutterSpeed, .u32(let number)):
            speed = NikonSpeed.all.first { $0.fraction == number }
            camera.emit(.propertyChanged(StandardProperty.exposureTime))
        default: settings[code]?.current = value
        }
        if code == StandardProperty.exposureMode, mode != .manual, speed == nil {
            speed = NikonSpeed(1, 30)
            camera.emit(.propertyChanged(StandardProperty.exposureTime))
            camera.emit(.propertyChanged(NikonProperty.shutterSpeed))
        }
        if byHand { camera.emit(.propertyChanged(code)) }
    }

    var exposure: ShotExposure {
        let iso = settings[StandardProperty.exposureIndex]?.current.number
        return ShotExposure(
            fNumber: settings[StandardProperty.fNumber], iso: iso.map { UInt16(clamping: $0) },
            seconds: speed.map { ShotExposure.Fraction($0.numerator, $0.denominator) }, shutter: shutter)
    }

    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "mode" where word == "auto": (StandardProperty.exposureMode, 0x8010)
        case "shutter" where word == "bulb": (NikonProperty.shutterSpeed, NikonSpeed.bulb)
        case "shutter":
            DialText.number(word).flatMap { seconds in
                NikonSpeed.all.min { abs($0.seconds - seconds) < abs($1.seconds - seconds) }
            }.map { (NikonProperty.shutterSpeed, $0.fraction) }
        case "iso" where word == "auto": (NikonProperty.autoISO, 1)
        case "iso": DialText.number(word).map { (StandardProperty.exposureIndex, UInt32($0)) }
        case "ev":
            DialText.signed(word).map { stops in
                let value = Int16((stops * 3).rounded() * 1000 / 3)
                return (StandardProperty.exposureCompensation, UInt32(UInt16(bitPattern: value)))
            }
        default: DialText.standard(name, word)
        }
    }
}
