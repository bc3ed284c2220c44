extension Camera {
    /// Parameters of RemoteReleaseOn and RemoteReleaseOff: a bit a stage.
    private static let halfStage: UInt32 = 1
    private static let fullStage: UInt32 = 2

    /// The release button goes down (0x9128): 1 half-way, 2 all the way, 3 both; a second parameter of 1 leaves the lens alone.
    ///
    /// A press that cannot be carried out answers "busy" and leaves the button where it was, as bodies do that find no focus
    /// (libgphoto2 issues 304 and 30) or whose button hangs (735).
    mutating func canonPress(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let stages = request.parameter(0)
        guard (1...3).contains(stages) else { return PTPReply(.invalidParameter) }
        let focuses = request.parameter(1) == 0
        if stages & Self.halfStage != 0, canon.button == .up {
            canon.button = .half
            if focuses { canonFocus(at: now) }
        }
        guard stages & Self.fullStage != 0 else { return PTPReply(.ok) }
        guard canon.button != .full, !canon.isBusy(at: now), !canon.shutter.isOpen else {
            return PTPReply(.deviceBusy)
        }
        guard !focuses || isCanonInFocus(at: now) else { return PTPReply(.deviceBusy) }
        if canon.dials.isBulb {
            canonOpenShutter(at: now)
        } else {
            // The driver knows the reason by its number: 7 for no room.
            do { try shoot(at: now) } catch { return PTPReply(.storeFull, 7) }
        }
        canon.button = .full
        emit(CanonOLC.event([.button(4)]))
        return PTPReply(.ok)
    }

    /// The release button goes up (0x9129): 1 from half-way, 2 from all the way, 3 both. A shutter that a full press opened closes.
    mutating func canonRelease(_ request: PTPRequest, at now: WallTime) -> PTPReply {
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

    /// Bulb by an operation of its own (0x9125). Without the bulb setting it fails, as the driver's text for it says.
    mutating func canonStartBulb(at now: WallTime) -> PTPReply {
        guard canon.dials.isBulb else { return PTPReply(.generalError) }
        guard !canon.isBusy(at: now), !canon.shutter.isOpen else { return PTPReply(.deviceBusy) }
        canonOpenShutter(at: now)
        return PTPReply(.ok)
    }

    /// Bulb ends (0x9126), whoever began it.
    mutating func canonEndBulb(at now: WallTime) -> PTPReply {
        guard canon.shutter.isOpen else { return PTPReply(.generalError) }
        return canonCloseShutter(at: now)
    }

    private mutating func canonOpenShutter(at now: WallTime) {
        canon.shutter.open(at: now)
        canon.toldBulbSeconds = 0
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

    /// While the shutter is open, a record says each second how long it is.
    mutating func tellBulbSeconds(at now: WallTime) {
        let seconds = canon.shutter.seconds(at: now)
        guard seconds > canon.toldBulbSeconds else { return }
        canon.toldBulbSeconds = seconds
        emit(CanonRecord.bulbExposureTime.event(seconds))
    }
}
