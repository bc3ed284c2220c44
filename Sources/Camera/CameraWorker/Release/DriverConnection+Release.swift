import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// Releases the shutter. The photo is announced by an event.
    mutating func trigger(_ id: UInt64) {
        if operation != nil { return refuseOccupied(id) }
        recordActivity()
        guard profile.mayTrigger else {
            return daemon.send(
                .failed(
                    id: id,
                    WorkerFailure(
                        kind: .unsupported, during: "trigger",
                        text: "the shutter cannot be released in the camera's current USB mode")))
        }
        guard shutter.releases.admit(id, at: .now) else { return }
        // If live view is an open capture (InitiateOpenCapture), the camera accepts no other capture, and the
        // driver's release does not end the open capture.
        if camera.liveViewControl == .openCapture { endLiveView() }
        liveView.pauseForPhoto(at: .now)
        if profile.losesEventsAtRelease == true { pollEvents(isAll: true) }
        let began = Instant.now
        do throws(CameraError) {
            try release()
            shutter.releases.complete(id)
            daemon.send(.done(id: id))
            if profile.losesEventsAtRelease == true {
                daemon.send(.listChanged(reason: "the shutter was released"))
            }
        } catch {
            let failure = classify(error, during: "trigger")
            let willRetry =
                loss == nil && error.kind == .busy
                && (wasRefusedForReading(error, began: began) || shutter.releases.isRetry(id))
                && shutter.releases.retry(id, at: .now)
            if !willRetry {
                shutter.releases.complete(id)
                daemon.send(.failed(id: id, failure))
            }
        }
        if !liveView.isOn { handBackControl() }
        recordActivity()
    }

    /// Releases the shutter. If the camera refuses, undoes the side effects of the try.
    mutating func release() throws(CameraError) {
        guard !wouldHoldShutter() else {
            throw CameraError(
                kind: .refused, code: 0, operation: "trigger", text: OperationReasons.shutterIsAtBulb)
        }
        do throws(CameraError) {
            try releaseTakingControl()
            if !profile.canList {
                let seconds = settings.table?.settings[.shutter]?.value?.seconds ?? 0
                memory.awaited.recordRelease(at: .now, exposure: .seconds(seconds))
            }
        } catch {
            if let undo = profile.afterRefusedRelease, !camera.awaitsResponse {
                set(undo.setting, to: undo.value)
            }
            throw error
        }
    }

    /// Returns whether the driver would open the shutter and wait for the end of the exposure, because the
    /// shutter speed is bulb or time. For a Nikon, the driver waits up to 1,000 s and closes no shutter
    /// (camera_trigger_capture, nikon_wait_busy; libgphoto2 issue 541).
    ///
    /// Reads the shutter speed only if its last known value is not an exposure time.
    private mutating func wouldHoldShutter() -> Bool {
        guard profile.holdsShutterAtBulb == true, let last = settings.table?.settings[.shutter],
            last.value?.seconds == nil
        else { return false }
        do throws(CameraError) {
            let now = try setting(.shutter, last.name).value?.text
            return now == "bulb" || now == "time"
        } catch {
            classify(error, during: "trigger")
            return false
        }
    }

    /// Returns whether the camera refused the release because a photo was being read. If so, all later photos
    /// wait until the photographer stops shooting.
    @discardableResult
    mutating func wasRefusedForReading(_ error: CameraError, began: Instant) -> Bool {
        let wasActive = shutter.rest.isActive
        guard error.kind == .busy, shutter.rest.recordRefusal(began: began, at: .now) else {
            return false
        }
        if !wasActive {
            Log.line(
                "the camera does not shoot while it is being read: photos now wait until shooting pauses")
        }
        return true
    }

    private mutating func releaseTakingControl() throws(CameraError) {
        guard let priority = profile.priority else { return try camera.trigger() }
        if !shutter.releases.needsControl, priority.forRelease == .whenRefused {
            do throws(CameraError) { return try camera.trigger() } catch {
                guard error.kind == .refused || error.kind == .unsupported, !camera.awaitsResponse else {
                    throw error
                }
                shutter.releases.needsControl = true
            }
        }
        set(priority.setting, to: priority.host)
        defer { set(priority.setting, to: priority.body) }
        try camera.trigger()
    }

    /// Pauses the transfer while the photographer is shooting. Needed for a camera that refuses to release
    /// its shutter during a read.
    mutating func waitForShutter() {
        while loss == nil {
            if shutter.rest.mustPoll(at: .now) { pollEvents() }
            let now = Instant.now
            let pause = shutter.rest.delay(at: now)
            guard pause > .zero else { return }
            // Requests for settings do not end the wait. The worker performs them after the wait.
            let due = nextDue(in: .duringShutterPause, through: .event)
            queue.waitForUrgent(for: due.map { min(pause, now.delay(until: $0)) } ?? pause)
            performDuties(in: .duringShutterPause)
        }
    }

    /// Performs the queued releases that are due.
    mutating func performWaitingReleases() {
        for id in shutter.releases.removeDue(at: .now) where loss == nil { trigger(id) }
    }
}
