import FoundationEssentials
import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// Enqueues a request for a frame.
    mutating func enqueueFrame(_ id: UInt64, _ command: LiveFrameCommand) {
        if let operation { return fail(id, .occupied, operation.kind.rawValue) }
        guard hasLiveView() else {
            let text = "the camera has no live view over this connection"
            return fail(id, .unsupported, text)
        }
        if let level = LiveView.lowBattery(facts) {
            liveView.requestEnd(at: .now)
            return fail(
                id, .refused, "the camera's battery is \(level), and the rest is reserved for photos")
        }
        liveView.enqueue(id, command, at: .now)
    }

    /// Returns whether the camera has live view.
    ///
    /// The DeviceInfo of some Nikons does not show their live view. A D3200, D3300, D3400 or D3500 omits its
    /// operations. A Nikon Z identifies itself as an MTP device, and its manufacturer may be unknown to the
    /// tap. The driver corrects both (fixup_cached_deviceinfo), and offers the settings that end live view.
    mutating func hasLiveView() -> Bool {
        if camera.liveViewControl != nil { return true }
        guard camera.mayHideLiveView, let end = profile.liveView?.end, !end.isEmpty else { return false }
        do throws(CameraError) {
            let known = try settingsTable().known
            return end.allSatisfy { known.contains($0.setting) }
        } catch {
            classify(error, during: "live view")
            return false
        }
    }

    /// Reports to the daemon when live view has started or ended.
    mutating func reportLiveView() {
        guard facts.isLive != liveView.isOn else { return }
        facts.isLive = liveView.isOn
        daemon.send(.facts(facts))
    }

    /// Performs the due step of live view.
    mutating func serveLiveView() {
        let now = Instant.now
        let (needsPolls, isStoreFull, delay) = (mustPoll, photoStore.isFull, events.pace.delay(at: now))
        let step = liveView.nextStep(
            at: now, mustPoll: needsPolls, isStoreFull: isStoreFull, pollDelay: delay)
        switch step {
        case .end: endLiveView()
        case .poll: pollEvents()
        case .frame(let id, let command): sendFrame(id, command)
        case nil: break
        }
    }

    private mutating func sendFrame(_ id: UInt64, _ command: LiveFrameCommand) {
        if liveView.isHeatCheckDue(at: .now), isTooWarm() {
            endLiveView()
            return fail(id, .refused, Self.tooWarm)
        }
        let isFirst = !liveView.isOn
        if isFirst {
            saveLiveViewSettings()
            chooseSize(command.size)
        }
        do throws(CameraError) {
            let jpeg = try camera.preview()
            liveView.recordStart(at: .now)
            // When the driver starts live view on an EOS, the driver sets a frame size.
            if isFirst { chooseSize(command.size) }
            // Keeps the poll interval short. An idle camera has a long interval.
            events.pace.recordActivity(at: .now)
            daemon.send(.frame(id: id, LiveFrame(jpeg: Data(jpeg))))
        } catch {
            // Live view may have started despite the failure.
            if !liveView.isOn { liveView.recordStart(at: .now) }
            let failure = classify(error, during: "live view")
            // An overheated camera ends live view by itself. The camera's response to a frame request does
            // not contain the reason.
            if loss == nil, isTooWarm() {
                liveView.requestEnd(at: .now)
                return fail(id, .refused, Self.tooWarm)
            }
            guard loss == nil, failure.kind == .busy, liveView.retryBusy(id, command, at: .now) else {
                if loss == nil { liveView.requestEnd(at: .now) }
                return daemon.send(.failed(id: id, failure))
            }
        }
    }

    private static let tooWarm = "the camera is too hot"

    private func fail(_ id: UInt64, _ kind: WorkerFailure.Kind, _ text: String) {
        daemon.send(.failed(id: id, WorkerFailure(kind: kind, during: "live view", text: text)))
    }

    private mutating func isTooWarm() -> Bool {
        guard let heat = profile.liveView?.heat, let number = number(of: heat) else { return false }
        return number & heat.mask != 0
    }

    /// Returns the camera's temperature as a bit mask, or `nil` if the camera does not report it.
    private mutating func number(of heat: CameraProfile.Heat) -> Int? {
        if let name = heat.setting { return value(name).flatMap { Int($0) } }
        guard loss == nil, let property = heat.property?.value else { return nil }
        do throws(CameraError) { try camera.requestReport(of: property) } catch {
            classify(error, during: "live view")
        }
        pollEvents()
        return loss == nil ? camera.reportedNumber(of: property) : nil
    }

    // MARK: Settings changed by the driver

    /// Saves to the disk the settings that the driver is about to change. If this worker is killed, the next
    /// worker restores them.
    mutating func saveLiveViewSettings() {
        process.setRestoreRequired(true)
        for name in profile.liveView?.restoredSettings ?? [] where backup[name, for: .liveView] == nil {
            if let now = value(name) { backup.save(name, now, for: .liveView) }
        }
    }

    /// Sets the frame size, if the camera offers a choice. Saves the original size to the disk first.
    private mutating func chooseSize(_ size: String?) {
        guard let size, loss == nil else { return }
        do throws(CameraError) {
            guard let name = try settingsTable().names[.liveViewSize] else { return }
            let now = try setting(.liveViewSize, name)
            guard now.value?.text != size,
                let word = now.choices.first(where: { $0.value?.text == size })?.word
            else { return }
            // If the camera reports no selected size, there is no value to restore.
            if now.value != nil, backup[name, for: .liveView] == nil {
                backup.save(name, now.word, for: .liveView)
            }
            try camera.setConfig(name, to: word)
            settings.table?.recordSent(.liveViewSize, at: .now, readsAgain: true)
        } catch { classify(error, during: "live view") }
    }

    /// Ends live view and restores the settings that the driver changed for it. After a failure, a later call
    /// tries again. After the last permitted try, live view counts as ended.
    mutating func endLiveView() {
        guard liveView.isOn, loss == nil else { return }
        do throws(CameraError) {
            for setting in profile.liveView?.end ?? [] {
                try camera.setConfig(setting.setting, to: setting.value)
            }
            try camera.endOpenCapture()
        } catch {
            classify(error, during: "live view")
            guard loss == nil, !liveView.recordEndFailure(at: .now) else { return }
            Log.line("cannot stop live view: \(error.text)")
        }
        restoreAfterLiveView()
        liveView.recordEnd()
        process.setRestoreRequired(false)
    }

    /// Ends live view before the connection ends or an operation starts. Returns after live view has ended or
    /// all tries have failed.
    ///
    /// - Parameter kind: The operation that starts, or `nil` at the end of the connection.
    mutating func finishLiveView(for kind: CameraOperation.Kind? = nil) {
        for id in liveView.removeCommands() {
            fail(id, kind == nil ? .disconnected : .occupied, kind?.rawValue ?? "the connection is closing")
        }
        while liveView.isOn, loss == nil {
            endLiveView()
            // Waits for an event, or for a short time, before the next try.
            guard liveView.isOn, loss == nil else { return }
            _ = try? camera.nextEvent(timeoutMs: LiveView.endRetryInterval.pollTimeout)
        }
    }

    private mutating func restoreAfterLiveView() {
        let saved = backup
        for (name, value) in saved.changed(for: .liveView) where !saved.isGivenUp(name, for: .liveView) {
            if set(name, to: value, isListed: false) { backup.remove(name, for: .liveView) }
        }
        if let handBack = profile.liveView?.handBack { set(handBack.setting, to: handBack.value) }
    }
}
