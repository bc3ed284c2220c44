extension FujifilmBody {
    /// The duration of a focus search, in milliseconds. Delayed focus takes `lateFocusMs`.
    private static let focusMs: Int64 = 200
    private static let lateFocusMs: Int64 = 1_500

    mutating func perform(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply? {
        if request.parameter(0) == Self.frameHandle,
            [.getObjectInfo, .getObject, .deleteObject].contains(operation)
        {
            return performFrameOperation(operation, of: camera, at: now)
        }
        switch operation {
        case .initiateCapture: return capture(on: &camera, at: now)
        case .initiateOpenCapture: return startOpenCapture(request, at: now)
        case .terminateOpenCapture: return endOpenCapture(request, at: now)
        case .getObjectHandles:
            // A Fujifilm sends no events, so clients poll for all handles.
            if request.parameter(2) == 0 { camera.session?.isListening = true }
            // The live-view frame is listed among the photos.
            return camera.objectHandles(request, others: frame == nil ? [] : [Self.frameHandle])
        default: return nil
        }
    }

    /// Performs the action that the release property selects. Fails unless the computer controls the camera.
    private mutating func capture(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        guard priority == .computer else { return PTPReply(.accessDenied) }
        switch action {
        case Action.focus, Action.driveFocus:
            focusUntilMs = now.hostMs + (autofocus == .succeedsLate ? Self.lateFocusMs : Self.focusMs)
        case Action.shoot:
            // A shot is impossible during an open capture or without focus.
            guard openCapture == nil, autofocus != .fails, !shutter.isOpen else {
                return PTPReply(.deviceBusy)
            }
            do { try shoot(on: &camera, at: now) } catch { return PTPReply(error.response) }
        case Action.beginBulb:
            guard isBulb, openCapture == nil, !shutter.isOpen else { return PTPReply(.generalError) }
            shutter.open(at: now)
        case Action.endBulb:
            guard shutter.isOpen else { break }
            shutter.close(at: now)
            do { try shoot(on: &camera, at: now) } catch { return PTPReply(error.response) }
        default: break
        }
        return PTPReply(.ok)
    }

    // MARK: Live view

    /// The handle of the live-view frame.
    private static let frameHandle: UInt32 = 0x8000_0001

    /// Starts live view (InitiateOpenCapture).
    private mutating func startOpenCapture(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard openCapture == nil, !shutter.isOpen else { return PTPReply(.deviceBusy) }
        openCapture = request.transaction
        _ = liveView.updateIsReady(isOn: true, at: now)
        return PTPReply(.ok)
    }

    /// Ends live view, identified by the transaction that started it (TerminateOpenCapture).
    private mutating func endOpenCapture(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard let open = openCapture, open == request.parameter(0) else {
            return PTPReply(.invalidTransaction)
        }
        openCapture = nil
        frame = nil
        _ = liveView.updateIsReady(isOn: false, at: now)
        return PTPReply(.ok)
    }

    /// Performs a request for the live-view frame. After a client deletes the frame, the next request uses a
    /// new frame.
    private mutating func performFrameOperation(
        _ operation: PTPOperation, of camera: CameraCore, at now: WallTime
    ) -> PTPReply {
        guard openCapture != nil else { return PTPReply(.invalidObjectHandle) }
        if frame == nil { frame = liveView.frame(isOn: true, size: frameSize, at: now) }
        guard let frame else {
            return PTPReply(operation == .getObjectInfo ? .invalidObjectHandle : .deviceBusy)
        }
        switch operation {
        case .getObject: return PTPReply(data: ByteRope(frame))
        case .deleteObject:
            self.frame = nil
            return PTPReply(.ok)
        default: return camera.frameInfo(Self.frameHandle, frame, at: now)
        }
    }

    /// The size of a live-view frame. In the live-view size property, 1 selects the largest size.
    private var frameSize: (columns: Int, rows: Int) {
        LiveViewFrames.size(settings[FujiProperty.liveViewSize]?.current.number.map { 4 - $0 })
    }
}
