extension Camera {
    private func property(_ code: UInt16, at now: WallTime) -> DeviceProperty? {
        switch code {
        case StandardProperty.battery:
            DeviceProperty(
                isWritable: false, standard: .u8(100), current: .u8(core.battery),
                form: .range(.u8(0), .u8(100), step: .u8(1)))
        case StandardProperty.dateTime:
            DeviceProperty(
                isWritable: true, standard: .text("20200101T000000"),
                current: .text(CameraText(now.ahead(by: core.clockOffsetSeconds).ptp)))
        default: body.property(code, of: core, at: now)
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
        if code != StandardProperty.dateTime, code != StandardProperty.battery {
            return body.setProperty(code, property, request.data, on: &core)
        }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard let value = property.current.read(from: request.data) else { return PTPReply(.invalidDataset) }
        guard case .text(let text) = value, let seconds = WallTime.cameraSeconds(ptp: text.string) else {
            return PTPReply(.invalidParameter)
        }
        core.clockOffsetSeconds = Int(seconds - now.cameraSeconds)
        return PTPReply(.ok)
    }
}
