import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// The maximum wait for the daemon's request to list the card.
    private static let listCommandWait = Duration.milliseconds(1_000)

    /// Waits until a duty is due, a command arrives or the camera sends data. Then polls for events, unless a
    /// command has ended the wait.
    ///
    /// - Parameter due: The time at which the next duty is due, or `nil` if all duties are idle.
    mutating func waitAndPoll(until due: Instant?) {
        // Waits for the request to list the card. If a photo is announced earlier, the driver reads the
        // photo's whole folder.
        if let pause = pauseBeforeList {
            guard !queue.wait(for: pause) else { return }
        }
        if photoStore.isFull || holdsEvents {
            let wait = FullStoreWait(due: due)
            guard !queue.wait(for: wait.timeout(at: .now)) else { return }
            guard !camera.sockets.isClosed else { return loseConnection(.disconnected, disconnectText) }
            guard !holdsEvents, !wait.isDutyDue(at: .now) else { return }
            return readWaitingCount()
        }
        if camera.mayHaveEvents { return pollEvents() }
        let now = Instant.now
        let idle = due.map { now.delay(until: $0) }
        let pause = events.pace.delay(at: now)
        let timeout: Duration? = mustPoll ? min(pause, idle ?? pause) : idle
        guard !camera.sockets.descriptors.isEmpty else {
            if !queue.wait(for: timeout ?? pause) { pollEvents() }
            return
        }
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
            // Bytes that remain on the command connection after a poll are unsolicited data. Over USB, no
            // unsolicited data can arrive, because the driver requests all data. While the store is full,
            // remaining events are not an error.
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
        guard !shared.isListed, readsByHandle else { return nil }
        let pause = Instant.now.delay(until: shared.opened + Self.listCommandWait)
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
