extension Camera {
    /// The handle of the oldest photo in memory.
    static let sonyMemoryHandle: UInt32 = 0xFFFF_C001
    /// The maximum number of lens steps in one request, in each direction.
    private static let sonyLensStepsMax: Int16 = 7
    /// The time for which a crashed camera is unreachable, in milliseconds.
    private static let sonyCrashMs = 2_000

    /// The property codes of a Sony, as libgphoto2 names them.
    enum SonyProperty {
        static let focusFound: UInt16 = 0xD213
        static let objectInMemory: UInt16 = 0xD215
        static let battery: UInt16 = 0xD218
        static let destination: UInt16 = 0xD222
        static let priorityMode: UInt16 = 0xD25A
        static let halfPress: UInt16 = 0xD2C1
        static let press: UInt16 = 0xD2C2
        static let bulb: UInt16 = 0xD2C7
        static let movie: UInt16 = 0xD2C8
        static let nearFar: UInt16 = 0xD2D1
        static let focusMagnifier: UInt16 = 0xD2D2
        static let controls = [halfPress, press, bulb, movie, nearFar, focusMagnifier]
    }

    /// Performs the operations of Sony's extension that libgphoto2 uses.
    mutating func performSonyOperation(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime)
        -> PTPReply
    {
        switch operation {
        case .sonyConnect: return PTPReply(data: ByteRope([0, 0, 0, 0, 0, 0, 0, 0]))
        case .sonyGetExtDeviceInfo: return PTPReply(sonyExtension())
        case .sonyGetAllProperties:
            session?.isListening = true
            sonyMemory.recordPoll()
            finishSonyStep(at: now)
            return PTPReply(sonyProperties())
        case .sonySetProperty: return setSonyProperty(request, at: now)
        case .sonyControl: return handleSonyControl(request, at: now)
        default: return PTPReply(.operationNotSupported)
        }
    }

    /// Returns the version and the lists that DeviceInfo lacks: properties and events, and controls.
    private func sonyExtension() -> ByteWriter {
        let release = [PTPOperation.sonyControl.code]
        var out = ByteWriter()
        out.u16(0x00C8)
        out.array16(
            [0xC201, 0xC202, 0xC203] + sonyValues.map(\.code)
                + (identity.sonyRelease == .firstList ? release : []))
        out.array16(
            SonyProperty.controls
                + (identity.sonyRelease == .secondList ? release : []))
        return out
    }

    /// The focus state: 1 not requested, 2 found, 3 failed.
    private var sonyFocus: UInt8 {
        guard sonyMemory.isHalfPressed else { return 1 }
        return sony.autofocus == .fails ? 3 : 2
    }

    private var sonyValues: [(code: UInt16, property: DeviceProperty)] {
        func fixed(_ value: PropertyValue) -> DeviceProperty {
            DeviceProperty(isWritable: false, standard: value, current: value)
        }
        let destination = DeviceProperty(
            isWritable: true, standard: .u16(SonyDestination.both.rawValue),
            current: .u16(sonyDestination.rawValue),
            form: .choice(SonyDestination.allCases.map { .u16($0.rawValue) }))
        let priority = DeviceProperty(
            isWritable: true, standard: .i8(0), current: .i8(sonyMemory.computerHasPriority ? 1 : 0),
            form: .choice([.i8(0), .i8(1)]))
        // The list includes the buttons: 1 is released.
        let buttons = SonyProperty.controls.map { code in
            let form: DeviceProperty.Form =
                code == SonyProperty.nearFar
                ? .range(.i16(-Self.sonyLensStepsMax), .i16(Self.sonyLensStepsMax), step: .i16(1))
                : .choice([.u16(1), .u16(2)])
            let value: PropertyValue = code == SonyProperty.nearFar ? .i16(0) : .u16(1)
            return (
                code: code,
                property: DeviceProperty(isWritable: true, standard: value, current: value, form: form)
            )
        }
        return [
            (SonyProperty.focusFound, fixed(.u8(sonyFocus))),
            (SonyProperty.objectInMemory, fixed(.u16(sonyMemory.count))),
            (SonyProperty.battery, fixed(.i8(Int8(clamping: battery)))),
            (SonyProperty.destination, destination),
            (SonyProperty.priorityMode, priority),
        ] + sony.settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + buttons
    }

    /// Returns all properties in one reply: their number, then records like DevicePropDesc with one more
    /// byte.
    private func sonyProperties() -> ByteWriter {
        var out = ByteWriter()
        let values = sonyValues
        out.u32(UInt32(values.count))
        out.u32(0)
        for (code, property) in values { property.describeForSony(code: code, to: &out) }
        return out
    }

    private mutating func setSonyProperty(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        guard let property = sonyValues.first(where: { $0.code == code })?.property else {
            return PTPReply(.devicePropNotSupported)
        }
        // Another operation sets buttons and stepped dials. The driver sends this request as well, and the
        // camera ignores the request.
        guard !SonyProperty.controls.contains(code), !sony.changesInSteps(code) else { return PTPReply(.ok) }
        guard property.isWritable else { return PTPReply(.accessDenied) }
        guard var value = property.current.read(from: request.data) else { return PTPReply(.invalidDataset) }
        value = sony.listedValue(value, of: code)
        guard property.allows(value) || SonyBody.ignoredSettings.contains(code) else {
            return PTPReply(.invalidDevicePropValue)
        }
        if case (SonyProperty.priorityMode, .i8(let mode)) = (code, value) {
            sonyMemory.computerHasPriority = mode == 1
            return PTPReply(.ok)
        }
        // While the body's dials have priority, the computer can't change settings.
        guard sonyMemory.computerHasPriority else { return PTPReply(.accessDenied) }
        if let answer = sony.forcedResponses[code] { return PTPReply(answer) }
        if case (SonyProperty.destination, .u16(let place)) = (code, value) {
            sonyDestination = SonyDestination(rawValue: place) ?? sonyDestination
        } else if SonyBody.slowSettings.contains(code) {
            finishSonyStep(at: now)
            guard sony.step == nil else { return PTPReply(.deviceBusy) }
            guard sony.settings[code]?.current != value else { return PTPReply(.ok) }
            sony.step = (code, value, now.hostMs + sony.stepMs)
            finishSonyStep(at: now)
        } else if !SonyBody.ignoredSettings.contains(code) {
            changeSonyProperty(code, to: value)
        }
        return PTPReply(.ok)
    }

    /// Handles buttons (2 is pressed, 1 is released), dial steps and lens steps.
    private mutating func handleSonyControl(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let code = UInt16(truncatingIfNeeded: request.parameter(0))
        var reader = ByteReader(request.data)
        if sony.settings[code] != nil {
            return startSonyStep(code, by: reader.u8().map(Int8.init(bitPattern:)), at: now)
        }
        guard let value = reader.u16() else { return PTPReply(.invalidDataset) }
        let isDown = value == 2
        do throws(SimulatorError) {
            switch code {
            case SonyProperty.halfPress: sonyMemory.isHalfPressed = isDown
            case SonyProperty.press:
                let isNew = isDown && !sonyMemory.isPressed
                sonyMemory.isPressed = isDown
                if !isDown, sony.shutter.isOpen {
                    sony.shutter.close(at: now)
                    try shoot(at: now)
                } else if isNew, sony.isBulb {
                    sony.shutter.open(at: now)
                } else if isNew, !sony.waitsForFocus {
                    try shoot(at: now)
                }
            case SonyProperty.bulb where isDown:
                guard sony.isBulb, !sony.shutter.isOpen else { return PTPReply(.accessDenied) }
                sony.shutter.open(at: now)
            case SonyProperty.movie:
                if sony.isRecording, !isDown { try shoot(at: now, toMemory: false, isMovie: true) }
                sony.isRecording = isDown
            case SonyProperty.nearFar:
                let steps = Int16(bitPattern: value)
                guard (-Self.sonyLensStepsMax...Self.sonyLensStepsMax).contains(steps) else {
                    return PTPReply(.invalidDevicePropValue)
                }
                sony.lens += Int(steps)
            case SonyProperty.bulb, SonyProperty.focusMagnifier: break
            default: return PTPReply(.devicePropNotSupported)
            }
        } catch { return PTPReply(error.response) }
        return PTPReply(.ok)
    }

    /// Returns whether a request reads the memory before it contains a readable photo.
    func isReadTooEarly(_ operation: PTPOperation, _ request: PTPRequest) -> Bool {
        guard identity.maker == .sony, request.parameter(0) == Self.sonyMemoryHandle else { return false }
        return [.getObjectInfo, .getObject, .getThumb].contains(operation) && sonyMemory.ready == nil
    }

    /// Simulates a firmware crash after a read that was too early. The link is down until the firmware has
    /// restarted.
    mutating func simulateSonyCrash() -> PTPReply {
        statistics.crashes += 1
        endSession()
        var reply = PTPReply(.generalError)
        reply.linkFault = .linkDown(milliseconds: Self.sonyCrashMs)
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
