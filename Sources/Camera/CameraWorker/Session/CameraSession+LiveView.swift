import FoundationEssentials
import FrameFastModel
import GPhoto2
import WorkerProtocol

extension CameraSession {
    /// Somebody waits for a frame.
    mutating func orderFrame(_ id: UInt64, _ order: LiveFrameOrder) {
        if let operation { return fail(id, .occupied, operation.kind.rawValue) }
        guard camera.previewWay != nil else {
            let text = "the camera shows nothing over this connection"
            return fail(id, .unsupported, text)
        }
        if let percent = facts.batteryPercent, percent < LiveView.batteryLeast {
            liveView.mustEnd(nowMs: nowMs())
            return fail(id, .refused, "its battery has \(percent) % left, which are kept for photos")
        }
        liveView.ordered(id, order, nowMs: nowMs())
    }

    /// Does what is due of live view.
    ///
    /// - Returns: whether anything was.
    mutating func serveLiveView() -> Bool {
        guard operation == nil else { return false }
        if liveView.isEndDue(nowMs: nowMs()) {
            endLiveView()
            return true
        }
        guard let (id, order) = liveView.next(nowMs: nowMs()) else { return false }
        // What the camera has to say goes first: it may be a photo.
        guard !mustAsk || events.pace.delay(nowMs: nowMs()) > 0 else {
            liveView.again(id, order)
            takeEvents()
            return true
        }
        sendFrame(id, order)
        return true
    }

    private mutating func sendFrame(_ id: UInt64, _ order: LiveFrameOrder) {
        if liveView.isHeatDue(nowMs: nowMs()), isTooWarm() {
            endLiveView()
            return fail(id, .refused, Self.tooWarm)
        }
        let isFirst = !liveView.isOn
        if isFirst {
            noteBeforeLiveView()
            chooseSize(order.size)
        }
        do throws(CameraError) {
            let jpeg = try camera.preview()
            liveView.began(nowMs: nowMs())
            // The driver begins an EOS's with the size that it likes.
            if isFirst { chooseSize(order.size) }
            // A look for events may be as far away as that of a camera at rest.
            events.pace.noteActivity(nowMs: nowMs())
            daemon.send(.frame(id: id, LiveFrame(jpeg: Data(jpeg))))
        } catch {
            // It may be on all the same.
            if !liveView.isOn { liveView.began(nowMs: nowMs()) }
            let failure = judge(error, during: "live view")
            // A body that gets too warm ends live view by itself; its answer to a request for a frame does not tell why.
            if loss == nil, isTooWarm() {
                liveView.mustEnd(nowMs: nowMs())
                return fail(id, .refused, Self.tooWarm)
            }
            guard loss == nil, failure.kind == .busy, liveView.isBusy(id, order, nowMs: nowMs()) else {
                if loss == nil { liveView.mustEnd(nowMs: nowMs()) }
                return daemon.send(.failed(id: id, failure))
            }
        }
    }

    private static let tooWarm = "the camera is too warm"

    private func fail(_ id: UInt64, _ kind: WorkerFailure.Kind, _ text: String) {
        daemon.send(.failed(id: id, WorkerFailure(kind: kind, during: "live view", text: text)))
    }

    private mutating func isTooWarm() -> Bool {
        guard let heat = habits.liveView?.heat, let number = value(heat.setting).flatMap({ Int($0) }) else {
            return false
        }
        return number & heat.mask != 0
    }

    // MARK: What the driver changes

    /// Notes what the driver is about to change, on disk: a worker that is killed cannot give it back, the next one can.
    mutating func noteBeforeLiveView() {
        process.mustEndInOrder(true)
        for name in habits.liveView?.keeps ?? [] where settings[name, for: .liveView] == nil {
            if let now = value(name) { settings.remember(name, now, for: .liveView) }
        }
    }

    /// Sets the size that frames shall have, where the camera has a choice. What it had is noted on disk like the rest.
    private mutating func chooseSize(_ size: String?) {
        guard let size, loss == nil else { return }
        do throws(CameraError) {
            guard let name = try settingsTable().names[.liveViewSize] else { return }
            let now = try setting(.liveViewSize, name)
            guard now.value?.text != size,
                let word = now.choices.first(where: { $0.value?.text == size })?.word
            else { return }
            // Where none is chosen there is nothing to go back to.
            if now.value != nil, settings[name, for: .liveView] == nil {
                settings.remember(name, now.word, for: .liveView)
            }
            try camera.setConfig(name, to: word)
            table?.sent(.liveViewSize, nowMs: nowMs(), readsAgain: true)
        } catch { judge(error, during: "live view") }
    }

    /// Ends live view and sets back what the driver changed for it. A camera that is busy is asked again.
    mutating func endLiveView() {
        guard liveView.isOn, loss == nil else { return }
        do throws(CameraError) {
            for setting in habits.liveView?.end ?? [] {
                try camera.setConfig(setting.setting, to: setting.value)
            }
            try camera.endOpenCapture()
        } catch {
            judge(error, during: "live view")
            guard loss == nil, !liveView.endFailed(nowMs: nowMs()) else { return }
            Log.line("cannot end live view: \(error.text)")
        }
        setBackAfterLiveView()
        liveView.ended()
        process.mustEndInOrder(false)
    }

    /// At the end of a session, and before an operation: with as many tries as there may be.
    ///
    /// - Parameter kind: The operation that begins.
    mutating func finishLiveView(for kind: CameraOperation.Kind? = nil) {
        for id in liveView.takeOrders() {
            fail(id, kind == nil ? .disconnected : .occupied, kind?.rawValue ?? "the session ends")
        }
        while liveView.isOn, loss == nil {
            endLiveView()
            // A busy camera is left alone until it has something to say, or for a moment.
            if liveView.isOn, loss == nil { _ = try? camera.nextEvent(timeoutMs: Int32(LiveView.endPauseMs)) }
        }
    }

    private mutating func setBackAfterLiveView() {
        let memory = settings
        for (name, value) in memory.changed(for: .liveView) where !memory.isGivenUp(name, for: .liveView) {
            if set(name, to: value, isListed: false) { settings.forget(name, for: .liveView) }
        }
        if let handBack = habits.liveView?.handBack { set(handBack.setting, to: handBack.value) }
    }
}
