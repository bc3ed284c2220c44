import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// The time until the photo buffers are released, or `nil` if no buffer is allocated. Buffers are kept
    /// between photos, because allocating a new buffer takes as long as writing a photo twice.
    var bufferReleaseDelay: Duration? {
        guard sink.hasUsedMuch || photoStore.hasSpare else { return nil }
        return Instant.now.delay(until: bufferReleaseDue)
    }

    mutating func releaseBuffers() {
        // Restarts the timer, because this method does not release a buffer that is still being written.
        bufferReleaseDue = .now + Self.bufferIdle
        sink.releaseBuffers()
        photoStore.releaseBuffer()
    }

    /// Waits until the worker has something to do, then polls for events.
    mutating func waitAndPoll() {
        // If a photo is announced before the card is listed, the driver would read the whole folder of the
        // photo.
        if let pause = pauseBeforeList {
            guard !queue.wait(for: pause) else { return }
        }
        if photoStore.isFull {
            guard !queue.wait(for: min(Self.fullStore, operationDelay ?? Self.fullStore)) else { return }
            guard !camera.sockets.isClosed else { return loseConnection(.disconnected, disconnectText) }
            return readWaitingCount()
        }
        if camera.mayHaveEvents { return pollEvents() }
        let now = Instant.now
        let shutter: Duration = queue.isEmpty ? .zero : shutterRest.delay(at: now)
        let steps: [Duration?] = [
            listing?.delay(at: now), operation == nil ? liveView.delay(at: now) : nil, settingsDelay,
            operationDelay, focusMove?.delay(at: now), shutter > .zero ? shutter : nil,
            bufferPoll.delay(at: now),
        ]
        let own = steps.compactMap(\.self).min()
        var delay = events.pace.delay(at: now)
        for other in [releases.delay(at: now), own] { delay = min(delay, other ?? delay) }
        guard !camera.sockets.descriptors.isEmpty else {
            if !queue.wait(for: delay) { pollEvents() }
            return
        }
        let timeout: Duration? = mustPoll ? delay : [own, bufferReleaseDelay].compactMap(\.self).min()
        let wake = camera.sockets.wait(or: queue.descriptor, timeoutMs: timeout?.pollTimeout ?? -1)
        if wake.isClosed {
            loseConnection(.disconnected, disconnectText)
        } else if wake.hasTraffic || (mustPoll && !wake.isCalled) {
            if wake.hasTraffic, events.pollSendsRequest == true || !camera.isGuarded,
                queue.wait(for: events.pace.pause(at: .now))
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

    /// The time that events wait for the daemon's request to list the card, or `nil` if events do not wait.
    /// The daemon sends this request directly after `open`.
    private var pauseBeforeList: Duration? {
        guard !isListed, readsByHandle else { return nil }
        let pause = Instant.now.delay(until: opened + Self.listOrder)
        return pause > .zero ? pause : nil
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
