extension SonyBody {
    /// The maximum number of lens steps in one request, in each direction.
    private static let lensStepsMax: Int16 = 7
    /// The time until a crashed camera is reachable again, in milliseconds.
    private static let crashMs = 2_000

    /// Performs the operations of Sony's extension that libgphoto2 uses.
    mutating func perform(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply? {
        if isReadTooEarly(operation, request) { return crash(on: &camera) }
        if let reply = frame(operation, request, of: camera, at: now) { return reply }
        switch operation {
        case .sonyConnect: return PTPReply(data: ByteRope([0, 0, 0, 0, 0, 0, 0, 0]))
        case .sonyGetExtDeviceInfo: return PTPReply(extendedDeviceInfo(of: camera))
        case .sonyGetAllProperties:
            camera.session?.isListening = true
            memory.recordPoll()
            finishStep(on: &camera, at: now)
            return PTPReply(allProperties(of: camera))
        case .sonySetProperty: return setProperty(request, on: &camera, at: now)
        case .sonyControl: return handleControl(request, on: &camera, at: now)
        default: return nil
        }
    }

    /// Returns the version and the two lists that DeviceInfo lacks. The first list contains events and
    /// properties. The second list contains controls.
    private func extendedDeviceInfo(of camera: CameraCore) -> ByteWriter {
        let release = [PTPOperation.sonyControl.code]
        var out = ByteWriter()
        out.u16(0x00C8)
        out.array16(
            [0xC201, 0xC202, 0xC203] + values(of: camera).map(\.code)
                + (camera.identity.sonyRelease == .firstList ? release : []))
        out.array16(SonyProperty.controls + (camera.identity.sonyRelease == .secondList ? release : []))
        return out
    }

    /// The focus state: 1 not requested, 2 found, 3 failed.
    private var focusState: UInt8 {
        guard isHalfPressed else { return 1 }
        return autofocus == .fails ? 3 : 2
    }

    private func values(of camera: CameraCore) -> [(code: UInt16, property: DeviceProperty)] {
        func fixed(_ value: PropertyValue) -> DeviceProperty {
            DeviceProperty(isWritable: false, standard: value, current: value)
        }
        let destination = DeviceProperty(
            isWritable: true, standard: .u16(PhotoDestination.both.sonyCode),
            current: .u16(self.destination.sonyCode),
            form: .choice(destinations.map { .u16($0.sonyCode) }))
        let priority = DeviceProperty(
            isWritable: true, standard: .u8(0), current: .u8(computerHasPriority ? 1 : 0),
            form: .choice([.u8(0), .u8(1)]))
        // The list of properties includes the buttons. A button with the value 1 is released.
        let buttons = SonyProperty.controls.map { code in
            let form: DeviceProperty.Form =
                code == SonyProperty.nearFar
                ? .range(.i16(-Self.lensStepsMax), .i16(Self.lensStepsMax), step: .i16(1))
                : .choice([.u16(1), .u16(2)])
            let value: PropertyValue = code == SonyProperty.nearFar ? .i16(0) : .u16(1)
            return (
                code: code,
                property: DeviceProperty(isWritable: true, standard: value, current: value, form: form)
            )
        }
        let all = settings.merging(mirroredSettings) { setting, _ in setting }
        return [
            (SonyProperty.focusFound, fixed(.u8(focusState))),
            (SonyProperty.objectInMemory, fixed(.u16(memory.count))),
            (SonyProperty.battery, fixed(.i8(Int8(clamping: camera.battery)))),
            (SonyProperty.destination, destination),
            (SonyProperty.priorityMode, priority),
        ] + all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + buttons
    }

    /// Returns all properties in one reply: their number, then a record for each property. A record is a
    /// DevicePropDesc with an extra byte.
    private func allProperties(of camera: CameraCore) -> ByteWriter {
        var out = ByteWriter()
        let values = values(of: camera)
        out.u32(UInt32(values.count))
        out.u32(0)
        for (code, property) in values { property.describeForSony(code: code, to: &out) }
        return out
    }

    private mutating func setProperty(_ request: PTPRequest, on camera: inout CameraCore, at now: WallTime)
        -> PTPReply
    {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        guard let property = values(of: camera).first(where: { $0.code == code })?.property else {
            return PTPReply(.devicePropNotSupported)
        }
        // The driver may send this request for a button or a stepped dial. The camera ignores the request,
        // because only the operation `sonyControl` operates buttons and stepped dials.
        guard !SonyProperty.controls.contains(code), !changesInSteps(code) else { return PTPReply(.ok) }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard var value = property.current.read(from: request.data) else { return PTPReply(.invalidDataset) }
        value = listedValue(value, of: code)
        guard property.allows(value) || Self.ignoredSettings.contains(code) else {
            return PTPReply(.invalidDevicePropValue)
        }
        if case (SonyProperty.priorityMode, .u8(let mode)) = (code, value) {
            computerHasPriority = mode == 1
            return PTPReply(.ok)
        }
        // While the body's dials have priority, the computer cannot change settings.
        guard computerHasPriority else { return PTPReply(.accessDenied) }
        if let answer = forcedResponses[code] { return PTPReply(answer) }
        if case (SonyProperty.destination, .u16(let place)) = (code, value) {
            destination = destinations.first { $0.sonyCode == place } ?? destination
        } else if Self.slowSettings.contains(code) {
            finishStep(on: &camera, at: now)
            guard step == nil else { return PTPReply(.deviceBusy) }
            guard settings[code]?.current != value else { return PTPReply(.ok) }
            step = (code, value, now.hostMs + stepMs)
            finishStep(on: &camera, at: now)
        } else if !Self.ignoredSettings.contains(code) {
            change(code, to: value, on: &camera)
        }
        return PTPReply(.ok)
    }

    /// Handles buttons (2 is pressed, 1 is released), dial steps and lens steps.
    private mutating func handleControl(_ request: PTPRequest, on camera: inout CameraCore, at now: WallTime)
        -> PTPReply
    {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        var reader = ByteReader(request.data)
        if let setting = steppedSetting(code) {
            return startStep(setting, by: reader.u8().map(Int8.init(bitPattern:)), on: &camera, at: now)
        }
        guard let value = reader.u16() else { return PTPReply(.invalidDataset) }
        let isDown = value == 2
        do throws(SimulatorError) {
            switch code {
            case SonyProperty.halfPress: isHalfPressed = isDown
            case SonyProperty.press:
                let isNew = isDown && !isPressed
                isPressed = isDown
                if !isDown, shutter.isOpen {
                    shutter.close(at: now)
                    try shoot(on: &camera, at: now)
                } else if isNew, isBulb {
                    shutter.open(at: now)
                } else if isNew, !lacksFocus {
                    try shoot(on: &camera, at: now)
                }
            case SonyProperty.bulb where isDown:
                guard isBulb, !shutter.isOpen else { return PTPReply(.accessDenied) }
                shutter.open(at: now)
            case SonyProperty.movie:
                if isRecording, !isDown { try shoot(on: &camera, at: now, toMemory: false, isMovie: true) }
                isRecording = isDown
            case SonyProperty.nearFar:
                let steps = Int16(bitPattern: value)
                guard (-Self.lensStepsMax...Self.lensStepsMax).contains(steps) else {
                    return PTPReply(.invalidDevicePropValue)
                }
                lens += Int(steps)
            case SonyProperty.bulb, SonyProperty.focusMagnifier: break
            default: return PTPReply(.devicePropNotSupported)
            }
        } catch { return PTPReply(error.response) }
        return PTPReply(.ok)
    }

    /// Returns whether a request reads the memory before the memory contains a readable photo.
    private func isReadTooEarly(_ operation: PTPOperation, _ request: PTPRequest) -> Bool {
        [.getObjectInfo, .getObject, .getThumb].contains(operation)
            && request.parameter(0) == Self.memoryHandle && memory.ready == nil
    }

    /// Simulates a firmware crash after a read that was too early. The link is down until the firmware has
    /// restarted.
    private mutating func crash(on camera: inout CameraCore) -> PTPReply {
        camera.statistics.crashes += 1
        endSession(on: &camera)
        var reply = PTPReply(.generalError)
        reply.linkFault = .linkDown(milliseconds: Self.crashMs)
        return reply
    }
}

extension DeviceProperty {
    /// Appends the record of GetAllDevicePropData: a DevicePropDesc with an extra byte before the field "get
    /// or set". The byte specifies how a computer sets the property.
    func describeForSony(code: UInt16, to out: inout ByteWriter) {
        let standard = describe(code: code).bytes
        out.raw(standard[0..<4])
        out.u8(1)
        out.raw(standard[4...])
    }
}
