extension NikonBody {
    /// The fixed handle that refers to the oldest photo in camera memory.
    private static let memoryHandle: UInt32 = 0xFFFF_0001
    /// The duration of a focus search, in milliseconds.
    private static let focusMs: Int64 = 200

    /// Performs the operations of Nikon's extension that libgphoto2 uses.
    mutating func perform(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply? {
        guard operation.maker == .nikon else { return nil }
        if let answer = forcedResponses[operation.code] { return PTPReply(answer) }
        switch operation {
        case .nikonGetEvent:
            camera.session?.isListening = true
            return PTPReply(Self.events(of: &camera))
        case .nikonGetVendorPropCodes:
            var out = ByteWriter()
            out.array16(ownPropertyCodes(of: camera).filter { $0 >= 0xD000 }.sorted())
            return PTPReply(out)
        case .nikonGetPartialObjectEx:
            return camera.partialObject(
                resolved(request, on: camera.card), from: request.wide(1), count: request.wide(3))
        case .nikonGetObjectSize: return camera.objectSize(request)
        case .nikonCaptureToMemory: return capture(toMemory: true, withFocus: false, on: &camera, at: now)
        case .nikonFocusAndCaptureToMemory:
            return capture(toMemory: true, withFocus: true, on: &camera, at: now)
        case .nikonCapture:
            return capture(
                toMemory: request.parameter(1) == 1, withFocus: request.parameter(0) == Self.focusFirst,
                on: &camera, at: now)
        case .nikonEndCapture: return endCapture(on: &camera, at: now)
        case .nikonDeviceReady: return PTPReply(readiness(at: now))
        case .nikonFocus: return startFocus(at: now)
        case .nikonChangeCameraMode:
            isRemote = request.parameter(0) == 1
            return PTPReply(.ok)
        case .nikonDeleteFromMemory:
            camera.clearMemory()
            return PTPReply(.ok)
        default: return performLiveViewOperation(operation, request, on: &camera, at: now)
        }
    }

    /// The first parameter of a capture that focuses first. The value with all bits set requests a capture
    /// without focusing.
    private static let focusFirst: UInt32 = 0xFFFF_FFFE

    /// Returns "busy" until the camera is ready. The first call after that returns the result of the last
    /// action.
    private mutating func readiness(at now: WallTime) -> PTPResponse {
        if shutter.isOpen { return .nikonBulbBusy }
        if now.hostMs < busyUntilMs { return .deviceBusy }
        defer { outcome = .ok }
        return outcome
    }

    private mutating func startFocus(at now: WallTime) -> PTPReply {
        setBusy(
            for: autofocus == .succeedsLate ? 1_500 : Self.focusMs,
            then: autofocus == .fails ? .nikonOutOfFocus : .ok, at: now)
        return PTPReply(.ok)
    }

    mutating func setBusy(for time: Int64, then outcome: PTPResponse = .ok, at now: WallTime) {
        (busyUntilMs, self.outcome) = (now.hostMs + time, outcome)
    }

    // MARK: The shutter

    private mutating func capture(
        toMemory: Bool, withFocus: Bool, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply {
        guard now.hostMs >= busyUntilMs, !shutter.isOpen else { return PTPReply(.deviceBusy) }
        if withFocus, autofocus == .fails { return PTPReply(.nikonOutOfFocus) }
        guard let speed else {
            exposesToMemory = toMemory
            shutter.open(at: now)
            return PTPReply(.ok)
        }
        do { try shoot(on: &camera, at: now, toMemory: toMemory) } catch { return PTPReply(error.response) }
        // The simulator makes the photo available before the exposure time has passed. Clients request the
        // photo after this time.
        setBusy(for: Int64(speed.seconds * 1000), at: now)
        return PTPReply(.ok)
    }

    /// Closes the shutter (0x920C).
    private mutating func endCapture(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        guard shutter.isOpen else { return PTPReply(.nikonInvalidStatus) }
        shutter.close(at: now)
        do { try shoot(on: &camera, at: now, toMemory: exposesToMemory) } catch {
            return PTPReply(error.response)
        }
        return PTPReply(.ok)
    }

    // MARK: Events

    /// Returns the events since the last call: their number, then the code and the parameter of each event.
    private static func events(of camera: inout CameraCore) -> ByteWriter {
        var out = ByteWriter()
        // The count has 16 bits. Further events follow at the next poll.
        let events = (camera.session?.polled ?? []).prefix(Int(UInt16.max))
        camera.session?.polled.removeFirst(events.count)
        out.u16(UInt16(events.count))
        for case .event(var code, let parameters) in events {
            var parameter = parameters.first ?? 0
            if code == 0x4002, let object = camera.card[parameter], object.storage == 0 {
                code = 0xC101
                parameter = memoryHandle
            }
            out.u16(code)
            out.u32(parameter)
        }
        return out
    }

    /// Replaces the memory handle with the handle of the oldest photo in memory.
    func resolved(_ handle: UInt32, on card: Card) -> UInt32 {
        guard handle == Self.memoryHandle else { return handle }
        return card.objects.first { $0.storage == 0 }?.handle ?? handle
    }
}
