extension SonyBody {
    /// The handle of the live-view frame.
    private static let frameHandle: UInt32 = 0xFFFF_C002
    /// The size of the header before the frame, in bytes: offset, length and focus information.
    private static let frameHeaderBytes = 128

    /// Changes a property and notifies the client.
    mutating func change(_ code: UInt16, to value: PropertyValue, on camera: inout CameraCore) {
        guard settings[code]?.current != value else { return }
        settings[code]?.current = value
        camera.emit(.propertyChanged(code))
    }

    /// Starts one step of a dial up or down, independent of the requested number of steps.
    ///
    /// The value stops at the ends of the list. During a step, the camera ignores requests for further steps.
    mutating func startStep(
        _ code: UInt16, by steps: Int8?, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply {
        guard let steps, settings[code] != nil else { return PTPReply(.invalidDataset) }
        guard computerHasPriority else { return PTPReply(.accessDenied) }
        if let answer = forcedResponses[code] { return PTPReply(answer) }
        finishStep(on: &camera, at: now)
        guard step == nil, let next = nextValue(of: code, isUp: steps > 0) else { return PTPReply(.ok) }
        step = (code, next, now.hostMs + stepMs)
        finishStep(on: &camera, at: now)
        return PTPReply(.ok)
    }

    /// Completes the step in progress if its time has passed.
    mutating func finishStep(on camera: inout CameraCore, at now: WallTime) {
        guard let step, now.hostMs >= step.atMs else { return }
        self.step = nil
        change(step.code, to: step.value, on: &camera)
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    mutating func turn(_ dial: BodyControl.Dial, on camera: inout CameraCore, at now: WallTime)
        throws(SimulatorError)
    {
        let (written, number) = try dial.parse(with: Self.setting)
        let code = settings[written] == nil ? Self.olderProperties[written] ?? written : written
        guard let property = settings[code], let value = property.value(number),
            property.allows(value) || Self.ignoredSettings.contains(code)
        else { throw .usage("cannot turn \(dial.name) to \(dial.word)") }
        change(code, to: value, on: &camera)
    }

    /// Performs a request for the live-view frame, or returns `nil` for another object.
    ///
    /// The camera refuses a request before the next frame is available.
    mutating func frame(
        _ operation: PTPOperation, _ request: PTPRequest, of camera: CameraCore, at now: WallTime
    ) -> PTPReply? {
        guard request.parameter(0) == Self.frameHandle, [.getObjectInfo, .getObject].contains(operation)
        else { return nil }
        guard liveView.updateIsReady(isOn: !isHot, at: now) else { return PTPReply(.invalidObjectHandle) }
        guard operation == .getObject else { return camera.frameInfo(Self.frameHandle, at: now) }
        guard let frame = liveView.frame(isOn: true, size: (128, 85), at: now) else {
            return PTPReply(.accessDenied)
        }
        var out = ByteWriter(capacity: Self.frameHeaderBytes + frame.count)
        out.u32(UInt32(Self.frameHeaderBytes))
        out.u32(UInt32(frame.count))
        out.zeros(Self.frameHeaderBytes - out.bytes.count)
        out.raw(frame)
        return PTPReply(out)
    }

    func controls(of camera: CameraCore, at now: WallTime) -> [UInt16: Int64] {
        settings.compactMapValues { $0.current.number }
    }

    mutating func perform(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime) -> String? {
        switch control {
        case .hot(let isHot): self.isHot = isHot
        case .autofocus(let outcome): autofocus = outcome
        case .lensLimit(let limit): apertureLimit = limit
        case .bulbState: return "ok {\(shutter.json)}"
        case .frames: return liveView.reply()
        case .locked: return "ok {\"locked\":\(isLocked)}"
        default: return nil
        }
        return "ok"
    }

    /// The exposure that the settings select. Auto ISO has the largest ISO value. With auto ISO, the photo's
    /// metadata contains the default ISO.
    var exposure: ShotExposure {
        let iso = isoSpeed?.number ?? 0xFF_FFFF
        var seconds: ShotExposure.Fraction?
        if case .u32(let time)? = shutterSpeed, time > 0 { seconds = .init(time >> 16, time & 0xFFFF) }
        return ShotExposure(
            fNumber: settings[StandardProperty.fNumber], iso: iso < 0xFF_FFFF ? UInt16(clamping: iso) : nil,
            seconds: seconds, shutter: shutter)
    }
}
