extension Camera {
    /// Handle of the picture of live view.
    private static let sonyPictureHandle: UInt32 = 0xFFFF_C002
    /// Bytes before the picture: where it is, how long it is, and facts of focus.
    private static let sonyPictureHeader = 128

    /// A property of a Sony has another value now; the client is told which.
    mutating func sonyChange(_ code: UInt16, to value: PropertyValue) {
        guard sony.settings[code]?.current != value else { return }
        sony.settings[code]?.current = value
        emit(.propertyChanged(code))
    }

    /// A dial goes one step up or down, however many are asked for, and stops at the ends. It takes its time, in which no other
    /// step is begun.
    mutating func sonyStep(_ code: UInt16, by steps: Int8?, at now: WallTime) -> PTPReply {
        guard let steps, sony.settings[code] != nil else { return PTPReply(.invalidDataset) }
        guard handover.computerHasPriority else { return PTPReply(.accessDenied) }
        if let answer = sony.answers[code] { return PTPReply(answer) }
        finishSonyStep(at: now)
        guard sony.step == nil, let next = sony.next(of: code, isUp: steps > 0) else { return PTPReply(.ok) }
        sony.step = (code, next, now.hostMs + sony.stepMs)
        finishSonyStep(at: now)
        return PTPReply(.ok)
    }

    /// A step that has had its time is made.
    mutating func finishSonyStep(at now: WallTime) {
        guard let step = sony.step, now.hostMs >= step.atMs else { return }
        sony.step = nil
        sonyChange(step.code, to: step.value)
    }

    /// The photographer turns a dial, or sets something in the menu.
    mutating func turnSony(_ dial: BodyControl.Dial) throws(SimulatorError) {
        let (written, number) = try dial.read(SonyBody.setting)
        let code = sony.settings[written] == nil ? SonyBody.older[written] ?? written : written
        guard let property = sony.settings[code], let value = property.value(number),
            property.allows(value) || SonyBody.ignored.contains(code)
        else { throw .usage("cannot turn \(dial.name) to \(dial.word)") }
        sonyChange(code, to: value)
    }

    /// Answers what is asked of the picture of live view; `nil` for another object.
    ///
    /// There is none at first, and one that is asked for before it is made is refused.
    mutating func sonyPicture(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime) -> PTPReply?
    {
        guard identity.maker == .sony, request.parameter(0) == Self.sonyPictureHandle,
            [.getObjectInfo, .getObject].contains(operation)
        else { return nil }
        guard sony.liveView.isStarted(isOn: !sony.isHot, at: now) else {
            return PTPReply(.invalidObjectHandle)
        }
        guard operation == .getObject else {
            let picture = CardObject(
                handle: Self.sonyPictureHandle, parent: 0, storage: Card.storageID, format: .jpeg,
                name: "LIVEVIEW.JPG", time: now)
            return PTPReply(describe(picture).info)
        }
        guard let frame = sony.liveView.frame(isOn: true, size: (128, 85), at: now) else {
            return PTPReply(.accessDenied)
        }
        var out = ByteWriter(capacity: Self.sonyPictureHeader + frame.count)
        out.u32(UInt32(Self.sonyPictureHeader))
        out.u32(UInt32(frame.count))
        out.zeros(Self.sonyPictureHeader - out.bytes.count)
        out.raw(frame)
        return PTPReply(out)
    }
}

extension BodyControl {
    /// What of this there is for a Sony.
    func runOnSony(_ camera: inout Camera, at now: WallTime) throws(SimulatorError) -> String {
        switch self {
        case .dials(let dials): for dial in dials { try camera.turnSony(dial) }
        case .hot(let isHot): camera.sony.isHot = isHot
        case .answer(let code, let response): camera.sony.answers[code] = response
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
        default: throw .usage("cannot do this to a Sony")
        }
        return "ok"
    }
}

extension Camera {
    /// What a photo says of its exposure; in bulb, how long the shutter was open.
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
