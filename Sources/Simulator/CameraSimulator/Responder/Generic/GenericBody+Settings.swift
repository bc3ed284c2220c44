extension GenericBody {
    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? {
        property(code)
    }

    private func property(_ code: UInt16) -> DeviceProperty? {
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
        change(code, to: value, on: &camera)
        return PTPReply(.ok)
    }

    /// Changes a property. Notifies the client if the photographer changed the property. Also notifies the
    /// client of properties that become writable or read-only.
    private mutating func change(
        _ code: UInt16, to value: PropertyValue, on camera: inout CameraCore, byHand: Bool = false
    ) {
        let before = Self.followsMode.map { isWritable($0) }
        settings[code]?.current = value
        if byHand { camera.emit(.propertyChanged(code)) }
        for (code, wasWritable) in zip(Self.followsMode, before)
        where isWritable(code) != wasWritable {
            camera.emit(.propertyChanged(code))
        }
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    mutating func turn(_ dial: BodyControl.Dial, on camera: inout CameraCore) throws(SimulatorError) {
        let (code, number) = try dial.parse(with: Self.setting)
        guard let property = property(code), let value = property.value(number),
            property.allows(value), property.isWritable
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        change(code, to: value, on: &camera, byHand: true)
    }

    /// The settings as JSON, a number for each property.
    var controls: String {
        let numbers = settings.sorted { $0.key < $1.key }.compactMap { code, property in
            property.current.number.map { "\"\(String(code, radix: 16))\":\($0)" }
        }
        return "{\(numbers.joined(separator: ","))}"
    }
}
