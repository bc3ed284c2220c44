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
    /// The value stops at the ends of the list. A step takes time, and no other step starts before its end.
    mutating func startStep(
        _ code: UInt16, by steps: Int8?, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply {
        guard let steps, settings[code] != nil else { return PTPReply(.invalidDataset) }
        guard computerHasPriority else { return PTPReply(.accessDenied) }
        if let answer = forcedResponses[code] { return PTPReply(answer) }
        finishStep(on: &camera, at: now)
        guard step == nil, let next = nextValue(of: code, isUp: steps > 0) else {
            return PTPReply(.ok)
        }
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
    private mutating func turn(_ dial: BodyControl.Dial, on camera: inout CameraCore) throws(SimulatorError) {
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
        guard request.parameter(0) == Self.frameHandle,
            [.getObjectInfo, .getObject].contains(operation)
        else { return nil }
        guard liveView.updateIsReady(isOn: !isHot, at: now) else {
            return PTPReply(.invalidObjectHandle)
        }
        guard operation == .getObject else {
            let object = CardObject(
                handle: Self.frameHandle, parent: 0, storage: Card.storageID, format: .jpeg,
                name: "LIVEVIEW.JPG", time: now)
            return PTPReply(camera.describe(object).info)
        }
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

    mutating func run(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime)
        throws(SimulatorError) -> String
    {
        switch control {
        case .dials(let dials): for dial in dials { try turn(dial, on: &camera) }
        case .hot(let isHot): self.isHot = isHot
        case .forceResponse(let code, let response): forcedResponses[code] = response
        case .frames: return liveView.reply()
        case .locked: return "ok {\"locked\":\(isLocked)}"
        case .autofocus(let outcome): autofocus = outcome
        case .lensLimit(let limit): apertureLimit = limit
        case .controls:
            let numbers = settings.sorted { $0.key < $1.key }.compactMap { code, property in
                property.current.number.map { "\"\(String(code, radix: 16))\":\($0)" }
            }
            return "ok {\(numbers.joined(separator: ","))}"
        case .bulbState: return "ok {\(shutter.json)}"
        default: throw .usage("a Sony does not support this command")
        }
        return "ok"
    }

    var exposure: ShotExposure {
        var exposure = ShotExposure()
        if case .u16(let hundredths)? = settings[StandardProperty.fNumber]?.current {
            exposure.fNumber = ShotExposure.Fraction(UInt32(hundredths) / 10, 10)
        }
        if case .u32(let iso)? = isoSpeed, iso < 0xFF_FFFF { exposure.iso = UInt16(clamping: iso) }
        guard case .u32(let time)? = shutterSpeed else { return exposure }
        if time > 0 {
            exposure.seconds = ShotExposure.Fraction(time >> 16, time & 0xFFFF)
        } else if let tenths = shutter.openTenths {
            exposure.seconds = ShotExposure.Fraction(tenths, 10)
        }
        return exposure
    }
}
