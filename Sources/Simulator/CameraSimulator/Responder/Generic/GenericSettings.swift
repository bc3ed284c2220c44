extension Camera {
    func genericProperty(_ code: UInt16) -> DeviceProperty? {
        var property = generic.settings[code]
        property?.isWritable = generic.isWritable(code)
        return property
    }

    /// Sets a property for a client.
    mutating func setGenericProperty(_ code: UInt16, _ property: DeviceProperty, _ data: [UInt8]) -> PTPReply
    {
        if let answer = generic.forcedResponses[code] { return PTPReply(answer) }
        guard let value = property.current.read(from: data) else { return PTPReply(.invalidDataset) }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard property.allows(value) else { return PTPReply(.invalidDevicePropValue) }
        changeGenericProperty(code, to: value)
        return PTPReply(.ok)
    }

    /// Changes a property. Notifies the client if the photographer changed the property. Also notifies the
    /// client of properties that become writable or read-only.
    private mutating func changeGenericProperty(_ code: UInt16, to value: PropertyValue, byHand: Bool = false)
    {
        let before = GenericBody.followsMode.map(generic.isWritable)
        generic.settings[code]?.current = value
        if byHand { emit(.propertyChanged(code)) }
        for (code, wasWritable) in zip(GenericBody.followsMode, before)
        where generic.isWritable(code) != wasWritable {
            emit(.propertyChanged(code))
        }
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    fileprivate mutating func turnGeneric(_ dial: BodyControl.Dial) throws(SimulatorError) {
        let (code, number) = try dial.parse(with: GenericBody.setting)
        guard let property = genericProperty(code), let value = property.value(number),
            property.allows(value), property.isWritable
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        changeGenericProperty(code, to: value, byHand: true)
    }

    /// The settings as JSON, a number for each property.
    fileprivate var genericControls: String {
        let numbers = generic.settings.sorted { $0.key < $1.key }.compactMap { code, property in
            property.current.number.map { "\"\(String(code, radix: 16))\":\($0)" }
        }
        return "{\(numbers.joined(separator: ","))}"
    }
}

extension BodyControl {
    /// Runs the command on a generic camera.
    func runOnGeneric(_ camera: inout Camera, at now: WallTime) throws(SimulatorError) -> String {
        switch self {
        case .dials(let dials): for dial in dials { try camera.turnGeneric(dial) }
        case .forceResponse(let code, let response): camera.generic.forcedResponses[code] = response
        case .controls: return "ok " + camera.genericControls
        case .busy, .autofocus, .hot, .badFrame, .lensLimit, .bulbState, .frames, .locked:
            throw .usage("this camera does not support this command")
        }
        return "ok"
    }
}
