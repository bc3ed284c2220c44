import GPhoto2
import WorkerProtocol

extension CameraSession {
    /// Milliseconds until the memory that photos need is given back; `nil` when there is none. Not between two photos: it
    /// would cost the next one as much time as writing it twice.
    var untilRest: Int32? {
        guard sink.hasUsedMuch || shelf.hasSpare else { return nil }
        return Int32(clamping: restDueMs - min(restDueMs, nowMs()))
    }

    mutating func rest() {
        // What is still written from then is given back the next time.
        restDueMs = nowMs() + Self.restMs
        sink.rest()
        shelf.rest()
    }

    /// Sleeps until there is something to do, then takes what the camera has to say.
    mutating func waitAndLook() {
        // A photo that is announced before the card is listed the driver would read with all of its folder.
        if let pause = pauseBeforeList {
            guard !queue.wait(timeoutMs: pause) else { return }
        }
        if shelf.isFull {
            guard !queue.wait(timeoutMs: min(Self.fullShelfMs, operationDelay ?? .max)) else { return }
            guard !camera.sockets.isClosed else { return lose(.disconnected, closing) }
            return countWaiting()
        }
        if camera.mayHaveEvents { return takeEvents() }
        var delay = Int32(clamping: events.pace.delay(nowMs: nowMs()))
        if let release = releases.delay(nowMs: nowMs()) { delay = min(delay, Int32(clamping: release)) }
        let portion = listing.map { Int32(clamping: $0.delay(nowMs: nowMs())) }
        if let portion { delay = min(delay, portion) }
        let frame = operation == nil ? liveView.delay(nowMs: nowMs()).map { Int32(clamping: $0) } : nil
        if let frame { delay = min(delay, frame) }
        let settings = settingsDelay.map { Int32(clamping: $0) }
        if let settings { delay = min(delay, settings) }
        let shutter = queue.isEmpty ? 0 : shutterRest.delay(nowMs: nowMs())
        let own = [
            operationDelay, focusMove.map { Int32(clamping: $0.delay(nowMs: nowMs())) },
            shutter > 0 ? Int32(clamping: shutter) : nil,
            burstLook.delay(nowMs: nowMs()).map { Int32(clamping: $0) },
        ].compactMap(\.self).min()
        if let own { delay = min(delay, own) }
        guard !camera.sockets.descriptors.isEmpty else {
            if !queue.wait(timeoutMs: delay) { takeEvents() }
            return
        }
        let wake = camera.sockets.wait(
            or: queue.descriptor,
            timeoutMs: mustAsk
                ? delay : [portion, frame, settings, own, untilRest].compactMap(\.self).min() ?? -1)
        if wake.isClosed {
            lose(.disconnected, closing)
        } else if wake.hasTraffic || (mustAsk && !wake.isCalled) {
            if wake.hasTraffic, events.driverAsks == true || !camera.isGuarded,
                queue.wait(timeoutMs: Int32(clamping: events.pace.rest(nowMs: nowMs())))
            {
                return
            }
            takeEvents()
            // Bytes that the driver does not take are on the command connection, where nobody asked for anything.
            // Over USB there is none: the driver asks for all that comes. Events that are left because the shelf is full
            // were not asked for either, and are no fault.
            if loss == nil, !shelf.isFull, !camera.mayHaveEvents, queue.isEmpty,
                camera.sockets.hasUnasked(onlyReplies: mustAsk)
            {
                takeUnexpected()
            }
        }
    }

    /// Milliseconds for which events wait for the order to list the card, which comes directly after the session has begun;
    /// `nil` for not at all.
    private var pauseBeforeList: Int32? {
        guard !isListed, readsByHandle else { return nil }
        let end = openedMs + Self.listOrderMs
        return end > nowMs() ? Int32(clamping: end - nowMs()) : nil
    }

    /// Whether the camera is to be asked for events: they come by that, or there is nothing to wait for.
    var mustAsk: Bool {
        camera.sockets.descriptors.isEmpty || events.driverAsks != false || !camera.isGuarded
    }

    /// What it is called when the link is down.
    var closing: String {
        camera.sockets.isNetwork
            ? "the camera closed the connection" : "the camera was unplugged or switched off"
    }

    /// Traffic that is still there after a look for events.
    private mutating func takeUnexpected() {
        if events.failed() { lose(.disconnected, "the camera sends what nobody asked for") }
    }
}
