extension Camera {
    /// The codes of the standard's properties (PIMA 15740, table 27).
    enum Property {
        static let battery: UInt16 = 0x5001
        static let fNumber: UInt16 = 0x5007
        static let exposureTime: UInt16 = 0x500D
        static let exposureIndex: UInt16 = 0x500F
        static let dateTime: UInt16 = 0x5011
    }

    /// The properties in DeviceInfo.
    var propertyCodes: [UInt16] {
        // An EOS uses its own properties for all other settings. A Nikon lists its own properties in the
        // reply to another operation.
        switch identity.maker {
        case .canon: [Property.battery]
        // A Sony lists its properties in the reply to an operation of its extension.
        case .sony: []
        case .fuji: ([Property.battery, Property.dateTime] + fujiPropertyCodes).sorted()
        case .nikon:
            ([Property.battery, Property.dateTime] + nikonPropertyCodes.filter { $0 < 0xD000 }).sorted()
        case .generic: ([Property.battery, Property.dateTime] + generic.settings.keys).sorted()
        }
    }

    mutating func announceBattery() { emit(.propertyChanged(Property.battery)) }

    private func property(_ code: UInt16, at now: WallTime) -> DeviceProperty? {
        switch code {
        case Property.battery:
            DeviceProperty(
                isWritable: false, standard: .u8(100), current: .u8(battery),
                form: .range(.u8(0), .u8(100), step: .u8(1)))
        case Property.dateTime:
            DeviceProperty(
                isWritable: true, standard: .text("20200101T000000"),
                current: .text(CameraText(now.ahead(by: clockOffsetSeconds).ptp)))
        case _ where identity.maker == .nikon: nikonProperty(code, at: now)
        case _ where identity.maker == .fuji: fujiProperty(code, at: now)
        case _ where identity.maker == .generic: genericProperty(code)
        default: nil
        }
    }

    func describeProperty(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        guard let property = property(code, at: now) else { return PTPReply(.devicePropNotSupported) }
        return PTPReply(property.describe(code: code))
    }

    func propertyValue(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard let property = property(UInt16(truncatingIfNeeded: request.parameter(0)), at: now) else {
            return PTPReply(.devicePropNotSupported)
        }
        var out = ByteWriter()
        property.current.write(to: &out)
        return PTPReply(out)
    }

    mutating func setProperty(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        guard let property = property(code, at: now) else { return PTPReply(.devicePropNotSupported) }
        if code != Property.dateTime, code != Property.battery {
            switch identity.maker {
            case .nikon: return setNikonProperty(code, property, request.data)
            case .fuji: return setFujiProperty(code, property, request.data)
            case .generic: return setGenericProperty(code, property, request.data)
            case .canon, .sony: break
            }
        }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard let value = property.current.read(from: request.data) else { return PTPReply(.invalidDataset) }
        guard case .text(let text) = value, let seconds = WallTime.cameraSeconds(ptp: text.string) else {
            return PTPReply(.invalidParameter)
        }
        clockOffsetSeconds = Int(seconds - now.cameraSeconds)
        return PTPReply(.ok)
    }

    mutating func resetProperty(_ request: PTPRequest) -> PTPReply {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        guard identity.maker == .generic, let property = generic.settings[code] else {
            return PTPReply(.devicePropNotSupported)
        }
        generic.settings[code]?.current = property.standard
        return PTPReply(.ok)
    }
}
