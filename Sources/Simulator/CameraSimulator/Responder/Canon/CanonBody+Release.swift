extension CanonBody {
    /// The parameters of RemoteReleaseOn and RemoteReleaseOff: a bit for each stage of the button.
    private static let halfStage: UInt32 = 1
    private static let fullStage: UInt32 = 2

    /// Presses the release button (0x9128). The first parameter selects the stages: 1 half, 2 full, 3 both.
    /// If the second parameter is not 0, the body skips autofocus.
    ///
    /// If the body refuses the full press, the button keeps its position. The reply is "store full" if the
    /// shot fails, for example because of a full card. Otherwise, the reply is "busy". Real bodies reply
    /// "busy" without focus, and if the button is stuck (libgphoto2 issues 30, 304 and 735).
    mutating func press(_ request: PTPRequest, on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        let stages = request.parameter(0)
        guard (1...3).contains(stages) else { return PTPReply(.invalidParameter) }
        let focuses = request.parameter(1) == 0
        if stages & Self.halfStage != 0, button == .up {
            button = .half
            if focuses { startAutofocus(on: &camera, at: now) }
        }
        guard stages & Self.fullStage != 0 else { return PTPReply(.ok) }
        guard button != .full, !isBusy(at: now), !shutter.isOpen else { return PTPReply(.deviceBusy) }
        guard !focuses || isInFocus(at: now) else { return PTPReply(.deviceBusy) }
        if dials.isBulb {
            openShutter(on: &camera, at: now)
        } else {
            // The driver recognizes the reason by its number: 7 means a full card.
            do { try shoot(on: &camera, at: now) } catch { return PTPReply(.storeFull, 7) }
        }
        button = .full
        camera.emit(CanonOLC.event([.button(4)]))
        return PTPReply(.ok)
    }

    /// Releases the button (0x9129). The parameter selects the stages to release: 1 half, 2 full, 3 both. The
    /// release of the full stage ends a bulb exposure.
    mutating func release(_ request: PTPRequest, on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        let stages = request.parameter(0)
        guard (1...3).contains(stages) else { return PTPReply(.invalidParameter) }
        var reply = PTPReply(.ok)
        if stages & Self.fullStage != 0, button == .full {
            button = .half
            camera.emit(CanonOLC.event([.button(1)]))
            if shutter.isOpen { reply = closeShutter(on: &camera, at: now) }
        }
        if stages & Self.halfStage != 0, button == .half {
            button = .up
            lateFocus = nil
            camera.emit(CanonOLC.event([.focus(0, 0)]))
        }
        return reply
    }

    /// Performs the operation that starts a bulb exposure (0x9125). Fails if the shutter speed is not bulb.
    mutating func startBulb(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        guard dials.isBulb else { return PTPReply(.generalError) }
        guard !isBusy(at: now), !shutter.isOpen else { return PTPReply(.deviceBusy) }
        openShutter(on: &camera, at: now)
        return PTPReply(.ok)
    }

    /// Ends a bulb exposure (0x9126), independent of the way in which it was started.
    mutating func endBulb(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        guard shutter.isOpen else { return PTPReply(.generalError) }
        return closeShutter(on: &camera, at: now)
    }

    private mutating func openShutter(on camera: inout CameraCore, at now: WallTime) {
        shutter.open(at: now)
        reportedBulbSeconds = 0
        camera.emit(CanonRecord.cameraStatusChanged.event(1))
    }

    private mutating func closeShutter(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        shutter.close(at: now)
        do { try shoot(on: &camera, at: now) } catch {
            camera.emit(CanonRecord.cameraStatusChanged.event(0))
            return PTPReply(.storeFull, 7)
        }
        return PTPReply(.ok)
    }

    /// Reports the duration of a bulb exposure once a second while the shutter is open.
    mutating func reportBulbSeconds(on camera: inout CameraCore, at now: WallTime) {
        let seconds = shutter.seconds(at: now)
        guard seconds > reportedBulbSeconds else { return }
        reportedBulbSeconds = seconds
        camera.emit(CanonRecord.bulbExposureTime.event(seconds))
    }
}
