extension Camera {
    /// The parameters of RemoteReleaseOn and RemoteReleaseOff: a bit for each stage of the button.
    private static let halfStage: UInt32 = 1
    private static let fullStage: UInt32 = 2

    /// Presses the release button (0x9128): 1 half, 2 fully, 3 both. A second parameter of 1 skips autofocus.
    ///
    /// If the press fails, the reply is "busy" and the button keeps its position. Real bodies also reply
    /// "busy" if they find no focus or if the button is stuck (libgphoto2 issues 30, 304 and 735).
    mutating func pressCanonButton(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let stages = request.parameter(0)
        guard (1...3).contains(stages) else { return PTPReply(.invalidParameter) }
        let focuses = request.parameter(1) == 0
        if stages & Self.halfStage != 0, canon.button == .up {
            canon.button = .half
            if focuses { startCanonAutofocus(at: now) }
        }
        guard stages & Self.fullStage != 0 else { return PTPReply(.ok) }
        guard canon.button != .full, !canon.isBusy(at: now), !canon.shutter.isOpen else {
            return PTPReply(.deviceBusy)
        }
        guard !focuses || isCanonInFocus(at: now) else { return PTPReply(.deviceBusy) }
        if canon.dials.isBulb {
            canonOpenShutter(at: now)
        } else {
            // The driver recognises the reason by its number: 7 means a full card.
            do { try shoot(at: now) } catch { return PTPReply(.storeFull, 7) }
        }
        canon.button = .full
        emit(CanonOLC.event([.button(4)]))
        return PTPReply(.ok)
    }

    /// Releases the button (0x9129): 1 from half, 2 from fully pressed, 3 both. The shutter of a bulb
    /// exposure closes.
    mutating func releaseCanonButton(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let stages = request.parameter(0)
        guard (1...3).contains(stages) else { return PTPReply(.invalidParameter) }
        var reply = PTPReply(.ok)
        if stages & Self.fullStage != 0, canon.button == .full {
            canon.button = .half
            emit(CanonOLC.event([.button(1)]))
            if canon.shutter.isOpen { reply = canonCloseShutter(at: now) }
        }
        if stages & Self.halfStage != 0, canon.button == .half {
            canon.button = .up
            canon.lateFocus = nil
            emit(CanonOLC.event([.focus(0, 0)]))
        }
        return reply
    }

    /// Starts a bulb exposure by its own operation (0x9125). Fails if the shutter speed isn't bulb.
    mutating func canonStartBulb(at now: WallTime) -> PTPReply {
        guard canon.dials.isBulb else { return PTPReply(.generalError) }
        guard !canon.isBusy(at: now), !canon.shutter.isOpen else { return PTPReply(.deviceBusy) }
        canonOpenShutter(at: now)
        return PTPReply(.ok)
    }

    /// Ends a bulb exposure (0x9126), independent of the way in which it was started.
    mutating func canonEndBulb(at now: WallTime) -> PTPReply {
        guard canon.shutter.isOpen else { return PTPReply(.generalError) }
        return canonCloseShutter(at: now)
    }

    private mutating func canonOpenShutter(at now: WallTime) {
        canon.shutter.open(at: now)
        canon.reportedBulbSeconds = 0
        emit(CanonRecord.cameraStatusChanged.event(1))
    }

    private mutating func canonCloseShutter(at now: WallTime) -> PTPReply {
        canon.shutter.close(at: now)
        do { try shoot(at: now) } catch {
            emit(CanonRecord.cameraStatusChanged.event(0))
            return PTPReply(.storeFull, 7)
        }
        return PTPReply(.ok)
    }

    /// Reports the duration of a bulb exposure once a second while the shutter is open.
    mutating func reportBulbSeconds(at now: WallTime) {
        let seconds = canon.shutter.seconds(at: now)
        guard seconds > canon.reportedBulbSeconds else { return }
        canon.reportedBulbSeconds = seconds
        emit(CanonRecord.bulbExposureTime.event(seconds))
    }
}
