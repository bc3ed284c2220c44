extension Camera {
    private func property(_ code: UInt16, at now: WallTime) -> DeviceProperty? {
        switch code {
        case StandardProperty.battery where body.propertyCodes(of: core).contains(code):
            body.property(code, of: core, at: now)
                ?? DeviceProperty(
                    isWritable: false, standard: .u8(100), current: .u8(core.battery),
                    form: .range(.u8(0), .u8(100), step: .u8(1)))
        case StandardProperty.dateTime:
            DeviceProperty(
                isWritable: true, standard: .text("20200101T000000"),
                current: .text(CameraText(now.ahead(by: core.clockOffsetSeconds).ptp)))
        default: body.property(code, of: core, at: now)
        }
    }

    /// Performs the PTP standard's operations for device properties.
    mutating func performPropertyOperation(
        _ operation: PTPOperation, _ request: PTPRequest, at now: WallTime
    ) -> PTPReply {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        guard let property = property(code, at: now) else { return PTPReply(.devicePropNotSupported) }
        switch operation {
        case .getDevicePropDesc: return PTPReply(property.describe(code: code))
        case .getDevicePropValue:
            var out = ByteWriter()
            property.current.write(to: &out)
            return PTPReply(out)
        case .setDevicePropValue where [StandardProperty.battery, StandardProperty.dateTime].contains(code):
            return setClock(property, request.data, at: now)
        case .setDevicePropValue: return body.setProperty(code, property, request.data, on: &core)
        default: return PTPReply(.devicePropNotSupported)
        }
    }

    /// Sets the clock. Denies a change of the battery level, which is not writable.
    private mutating func setClock(_ property: DeviceProperty, _ data: [UInt8], at now: WallTime) -> PTPReply
    {
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard let value = property.current.read(from: data) else { return PTPReply(.invalidDataset) }
        guard case .text(let text) = value, let seconds = WallTime.cameraSeconds(ptp: text.string) else {
            return PTPReply(.invalidParameter)
        }
        core.clockOffsetSeconds = Int(seconds - now.cameraSeconds)
        return PTPReply(.ok)
    }
}
