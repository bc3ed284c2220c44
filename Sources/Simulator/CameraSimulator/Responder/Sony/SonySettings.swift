extension Camera {
    /// The handle of the live-view frame.
    private static let sonyFrameHandle: UInt32 = 0xFFFF_C002
    /// The size of the header before the frame, in bytes: offset, length and focus information.
    private static let sonyFrameHeaderBytes = 128

    /// Changes a property and notifies the client.
    mutating func changeSonyProperty(_ code: UInt16, to value: PropertyValue) {
        guard sony.settings[code]?.current != value else { return }
        sony.settings[code]?.current = value
        emit(.propertyChanged(code))
    }

    /// Starts one step of a dial up or down, independent of the requested number of steps.
    ///
    /// The value stops at the ends of the list. A step takes time, and no other step starts before its end.
    mutating func startSonyStep(_ code: UInt16, by steps: Int8?, at now: WallTime) -> PTPReply {
        guard let steps, sony.settings[code] != nil else { return PTPReply(.invalidDataset) }
        guard sonyMemory.computerHasPriority else { return PTPReply(.accessDenied) }
        if let answer = sony.forcedResponses[code] { return PTPReply(answer) }
        finishSonyStep(at: now)
        guard sony.step == nil, let next = sony.nextValue(of: code, isUp: steps > 0) else {
            return PTPReply(.ok)
        }
        sony.step = (code, next, now.hostMs + sony.stepMs)
        finishSonyStep(at: now)
        return PTPReply(.ok)
    }

    /// Completes the step in progress if its time has passed.
    mutating func finishSonyStep(at now: WallTime) {
        guard let step = sony.step, now.hostMs >= step.atMs else { return }
        sony.step = nil
        changeSonyProperty(step.code, to: step.value)
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    mutating func turnSony(_ dial: BodyControl.Dial) throws(SimulatorError) {
        let (written, number) = try dial.parse(with: SonyBody.setting)
        let code = sony.settings[written] == nil ? SonyBody.olderProperties[written] ?? written : written
        guard let property = sony.settings[code], let value = property.value(number),
            property.allows(value) || SonyBody.ignoredSettings.contains(code)
        else { throw .usage("cannot turn \(dial.name) to \(dial.word)") }
        changeSonyProperty(code, to: value)
    }

    /// Performs a request for the live-view frame, or returns `nil` for another object.
    ///
    /// The camera refuses a request before the next frame is available.
    mutating func sonyFrame(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime) -> PTPReply? {
        guard identity.maker == .sony, request.parameter(0) == Self.sonyFrameHandle,
            [.getObjectInfo, .getObject].contains(operation)
        else { return nil }
        guard sony.liveView.updateIsReady(isOn: !sony.isHot, at: now) else {
            return PTPReply(.invalidObjectHandle)
        }
        guard operation == .getObject else {
            let object = CardObject(
                handle: Self.sonyFrameHandle, parent: 0, storage: Card.storageID, format: .jpeg,
                name: "LIVEVIEW.JPG", time: now)
            return PTPReply(describe(object).info)
        }
        guard let frame = sony.liveView.frame(isOn: true, size: (128, 85), at: now) else {
            return PTPReply(.accessDenied)
        }
        var out = ByteWriter(capacity: Self.sonyFrameHeaderBytes + frame.count)
        out.u32(UInt32(Self.sonyFrameHeaderBytes))
        out.u32(UInt32(frame.count))
        out.zeros(Self.sonyFrameHeaderBytes - out.bytes.count)
        out.raw(frame)
        return PTPReply(out)
    }
}

extension BodyControl {
    /// Runs the command on a Sony.
    func runOnSony(_ camera: inout Camera, at now: WallTime) throws(SimulatorError) -> String {
        switch self {
        case .dials(let dials): for dial in dials { try camera.turnSony(dial) }
        case .hot(let isHot): camera.sony.isHot = isHot
        case .forceResponse(let code, let response): camera.sony.forcedResponses[code] = response
        case .frames:
            let live = camera.sony.liveView
            return "ok {\"served\":\(live.served),\"refused\":\(live.refused)}"
        case .locked: return "ok {\"locked\":\(camera.isBodyLocked)}"
        case .autofocus(let outcome): camera.sony.autofocus = outcome
        case .lensLimit(let limit): camera.sony.apertureLimit = limit
        case .controls:
            let numbers = camera.sony.settings.sorted { $0.key < $1.key }.compactMap { code, property in
                property.current.number.map { "\"\(String(code, radix: 16))\":\($0)" }
            }
            return "ok {\(numbers.joined(separator: ","))}"
        case .bulbState: return "ok {\(camera.sony.shutter.json)}"
        default: throw .usage("a Sony does not support this command")
        }
        return "ok"
    }
}

extension Camera {
    /// The exposure in a photo's metadata. After a bulb exposure, it contains the time for which the shutter
    /// was open.
    var sonyExposure: ShotExposure {
        var exposure = ShotExposure()
        if case .u16(let hundredths)? = sony.settings[Property.fNumber]?.current {
            exposure.fNumber = ShotExposure.Fraction(UInt32(hundredths) / 10, 10)
        }
        if case .u32(let iso)? = sony.isoSpeed, iso < 0xFF_FFFF { exposure.iso = UInt16(clamping: iso) }
        guard case .u32(let time)? = sony.shutterSpeed else { return exposure }
        if time > 0 {
            exposure.seconds = ShotExposure.Fraction(time >> 16, time & 0xFFFF)
        } else if let tenths = sony.shutter.openTenths {
            exposure.seconds = ShotExposure.Fraction(tenths, 10)
        }
        return exposure
    }
}
