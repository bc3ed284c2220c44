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

    /// The aperture goes one step of its own list up or down, however many are asked for, and stops at the ends.
    mutating func sonyStep(_ code: UInt16, by steps: Int8?) -> PTPReply {
        guard let steps, case .u16(let aperture)? = sony.settings[code]?.current else {
            return PTPReply(.invalidDataset)
        }
        guard handover.computerHasPriority else { return PTPReply(.accessDenied) }
        if let answer = sony.answers[code] { return PTPReply(answer) }
        let next =
            steps < 0
            ? SonyBody.apertures.last { $0 < aperture } : SonyBody.apertures.first { $0 > aperture }
        if let next { sonyChange(code, to: .u16(next)) }
        return PTPReply(.ok)
    }

    /// The photographer turns a dial, or sets something in the menu.
    mutating func turnSony(_ dial: BodyControl.Dial) throws(SimulatorError) {
        let (code, number) = try dial.read(SonyBody.setting)
        var out = ByteWriter()
        out.u32(number)
        guard let property = sony.settings[code], let value = property.current.read(from: out.bytes),
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
        default: throw .usage("cannot do this to a Sony")
        }
        return "ok"
    }
}
