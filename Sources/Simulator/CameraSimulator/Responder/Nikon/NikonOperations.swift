extension Camera {
    /// The handle of the oldest photo in camera memory.
    static let nikonMemoryHandle: UInt32 = 0xFFFF_0001
    /// The time for writing the buffer to the card, in milliseconds.
    static let burstWriteMs: Int64 = 2_000
    /// The duration of a focus search, in milliseconds.
    private static let focusMs: Int64 = 200

    /// Performs the operations of Nikon's extension that libgphoto2 uses.
    mutating func performNikonOperation(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime)
        -> PTPReply
    {
        if let answer = nikon.forcedResponses[operation.code] { return PTPReply(answer) }
        switch operation {
        case .nikonGetEvent:
            session?.isListening = true
            return PTPReply(nikonEvents())
        case .nikonGetVendorPropCodes:
            var out = ByteWriter()
            out.array16(nikonPropertyCodes.filter { $0 >= 0xD000 })
            return PTPReply(out)
        case .nikonGetPartialObjectEx:
            return partialObject(request, from: request.wide(1), count: request.wide(3))
        case .nikonGetObjectSize: return objectSize(request)
        case .nikonCaptureToMemory: return nikonCapture(toMemory: true, withFocus: false, at: now)
        case .nikonFocusAndCaptureToMemory: return nikonCapture(toMemory: true, withFocus: true, at: now)
        case .nikonCapture:
            return nikonCapture(
                toMemory: request.parameter(1) == 1, withFocus: request.parameter(0) == Self.focusFirst,
                at: now)
        case .nikonEndCapture: return nikonEndCapture(at: now)
        case .nikonDeviceReady: return PTPReply(nikonReadiness(at: now))
        case .nikonFocus: return startNikonFocus(at: now)
        case .nikonChangeCameraMode:
            nikon.isRemote = request.parameter(0) == 1
            return PTPReply(.ok)
        case .nikonDeleteFromMemory:
            for object in card.objects.filter({ $0.storage == 0 }) { _ = card.remove(object.handle) }
            return PTPReply(.ok)
        default: return performNikonLiveViewOperation(operation, request, at: now)
        }
    }

    /// The first parameter of a capture that focuses first. The value with all bits set means an immediate
    /// capture.
    private static let focusFirst: UInt32 = 0xFFFF_FFFE

    /// Returns "busy" until the camera is ready. The next call returns the result of the last action.
    private mutating func nikonReadiness(at now: WallTime) -> PTPResponse {
        if nikon.shutter.isOpen { return .nikonBulbBusy }
        if now.hostMs < nikon.busyUntilMs { return .deviceBusy }
        defer { nikon.outcome = .ok }
        return nikon.outcome
    }

    private mutating func startNikonFocus(at now: WallTime) -> PTPReply {
        setNikonBusy(
            for: nikon.autofocus == .findsLate ? 1_500 : Self.focusMs,
            then: nikon.autofocus == .fails ? .nikonOutOfFocus : .ok, at: now)
        return PTPReply(.ok)
    }

    mutating func setNikonBusy(for time: Int64, then outcome: PTPResponse = .ok, at now: WallTime) {
        (nikon.busyUntilMs, nikon.outcome) = (now.hostMs + time, outcome)
    }

    // MARK: The shutter

    /// Returns the number of shots that fit in the buffer. The buffer is written to the card two seconds
    /// after the last shot.
    func remainingBurstShots(at now: WallTime) -> UInt8 {
        guard let last = statistics.lastShot, now.hostMs < last.hostMs + Self.burstWriteMs else { return 25 }
        return UInt8(clamping: 25 - burstShots)
    }

    private mutating func nikonCapture(toMemory: Bool, withFocus: Bool, at now: WallTime) -> PTPReply {
        guard now.hostMs >= nikon.busyUntilMs, !nikon.shutter.isOpen else { return PTPReply(.deviceBusy) }
        if withFocus, nikon.autofocus == .fails { return PTPReply(.nikonOutOfFocus) }
        guard let speed = nikon.speed else {
            nikon.exposesToMemory = toMemory
            nikon.shutter.open(at: now)
            return PTPReply(.ok)
        }
        do { try shoot(at: now, toMemory: toMemory) } catch { return PTPReply(error.response) }
        // The simulator makes the photo available before the exposure time has passed. Clients request it
        // later.
        setNikonBusy(for: Int64(speed.seconds * 1000), at: now)
        return PTPReply(.ok)
    }

    /// Closes the shutter (0x920C).
    private mutating func nikonEndCapture(at now: WallTime) -> PTPReply {
        guard nikon.shutter.isOpen else { return PTPReply(.nikonInvalidStatus) }
        nikon.shutter.close(at: now)
        do { try shoot(at: now, toMemory: nikon.exposesToMemory) } catch { return PTPReply(error.response) }
        return PTPReply(.ok)
    }

    // MARK: Events

    /// Returns the events since the last call: their number, then the code and the parameter of each event.
    private mutating func nikonEvents() -> ByteWriter {
        var out = ByteWriter()
        // The count has 16 bits. Further events follow at the next poll.
        let events = (session?.polled ?? []).prefix(Int(UInt16.max))
        session?.polled.removeFirst(events.count)
        out.u16(UInt16(events.count))
        for case .event(var code, let parameters) in events {
            var parameter = parameters.first ?? 0
            if code == 0x4002, let object = card[parameter], object.storage == 0 {
                code = 0xC101
                parameter = Self.nikonMemoryHandle
            }
            out.u16(code)
            out.u32(parameter)
        }
        return out
    }

    /// Replaces a Nikon's or Sony's memory handle with the handle of the oldest photo in memory. Other
    /// handles are unchanged.
    func resolved(_ handle: UInt32) -> UInt32 {
        if identity.maker == .sony, handle == Self.sonyMemoryHandle {
            return sonyMemory.ready ?? handle
        }
        guard identity.maker == .nikon, handle == Self.nikonMemoryHandle else { return handle }
        return card.objects.first { $0.storage == 0 }?.handle ?? handle
    }
}
