import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// The milliseconds until the photo buffers are released, or `nil` if no buffer is allocated. Buffers are
    /// kept between photos, because allocating a new buffer takes as long as writing a photo twice.
    var bufferReleaseDelay: Int32? {
        guard sink.hasUsedMuch || photoStore.hasSpare else { return nil }
        return Int32(clamping: bufferReleaseDueMs - min(bufferReleaseDueMs, nowMs()))
    }

    mutating func releaseBuffers() {
        // Restarts the timer, because this method does not release a buffer that is still being written.
        bufferReleaseDueMs = nowMs() + Self.bufferIdleMs
        sink.releaseBuffers()
        photoStore.releaseBuffer()
    }

    /// Waits until the worker has something to do, then polls for events.
    mutating func waitAndPoll() {
        // If a photo is announced before the card is listed, the driver would read the whole folder of the
        // photo.
        if let pause = pauseBeforeList {
            guard !queue.wait(timeoutMs: pause) else { return }
        }
        if photoStore.isFull {
            guard !queue.wait(timeoutMs: min(Self.fullStoreMs, operationDelay ?? .max)) else { return }
            guard !camera.sockets.isClosed else { return loseConnection(.disconnected, disconnectText) }
            return readWaitingCount()
        }
        if camera.mayHaveEvents { return pollEvents() }
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
            bufferPoll.delay(nowMs: nowMs()).map { Int32(clamping: $0) },
        ].compactMap(\.self).min()
        if let own { delay = min(delay, own) }
        guard !camera.sockets.descriptors.isEmpty else {
            if !queue.wait(timeoutMs: delay) { pollEvents() }
            return
        }
        let wake = camera.sockets.wait(
            or: queue.descriptor,
            timeoutMs: mustPoll
                ? delay : [portion, frame, settings, own, bufferReleaseDelay].compactMap(\.self).min() ?? -1)
        if wake.isClosed {
            loseConnection(.disconnected, disconnectText)
        } else if wake.hasTraffic || (mustPoll && !wake.isCalled) {
            if wake.hasTraffic, events.pollSendsRequest == true || !camera.isGuarded,
                queue.wait(timeoutMs: Int32(clamping: events.pace.pause(nowMs: nowMs())))
            {
                return
            }
            pollEvents()
            // Bytes that remain after a poll are unsolicited data on the command connection. Over USB, no
            // unsolicited data can arrive, because the driver requests all data. Events that remain because
            // the store is full are not an error.
            if loss == nil, !photoStore.isFull, !camera.mayHaveEvents, queue.isEmpty,
                camera.sockets.hasUnsolicitedData(onlyReplies: mustPoll)
            {
                handleUnexpectedTraffic()
            }
        }
    }

    /// The time that events wait for the daemon's request to list the card, in milliseconds, or `nil` if
    /// events do not wait. The daemon sends this request directly after `open`.
    private var pauseBeforeList: Int32? {
        guard !isListed, readsByHandle else { return nil }
        let end = openedMs + Self.listOrderMs
        return end > nowMs() ? Int32(clamping: end - nowMs()) : nil
    }

    /// Whether the worker has to poll the camera. Polling is necessary if events arrive only in responses to
    /// requests, or if no descriptor is available to wait on.
    var mustPoll: Bool {
        camera.sockets.descriptors.isEmpty || events.pollSendsRequest != false || !camera.isGuarded
    }

    /// The error text for a connection that is down.
    var disconnectText: String {
        camera.sockets.isNetwork
            ? "the camera closed the connection" : "the camera was unplugged or switched off"
    }

    /// Handles unsolicited data that remains after a poll.
    private mutating func handleUnexpectedTraffic() {
        if events.recordFailure() {
            loseConnection(.disconnected, "the camera sends data that was not requested")
        }
    }
}
