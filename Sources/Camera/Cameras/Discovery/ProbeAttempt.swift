import FoundationEssentials
import FrameFastSystem
import Glibc
import SystemIO

/// The probe of one address. The attempt performs the actions of the handshake and enforces the time limits.
final class ProbeAttempt {
    private(set) var outcome: Result<FoundCamera, ProbeFailure>?
    private var handshake: PTPIPHandshake
    private let timeLimits: NetworkProbe.TimeLimits
    private var sockets: [PTPIPHandshake.Channel: ProbeSocket] = [:]
    private let clock: HostClock
    /// The uptime of the next connection attempt, in seconds, or `nil` if none is planned.
    private var retryAt: Double?
    /// The uptime at which the time limit of the current step expires, in seconds.
    private var stepEnds: Double
    /// The uptime at which the time limit for the rest of the handshake expires, in seconds. `nil` until the
    /// camera has responded to the greeting.
    private var restEnds: Double?
    /// The uptime from which a camera without a response is assumed to wait for the user's approval, in
    /// seconds. `nil` unless the attempt waits for the response to the greeting (Init_Command_Request).
    private var approvalAssumedFrom: Double?

    /// Creates an attempt and starts the connection.
    init(_ handshake: PTPIPHandshake, timeLimits: NetworkProbe.TimeLimits, clock: HostClock) {
        self.handshake = handshake
        self.timeLimits = timeLimits
        self.clock = clock
        stepEnds = clock.deadline(after: timeLimits.connection)
        perform([.connect(.command, afterMs: 0)])
    }

    deinit { closeAll() }

    var address: NetworkAddress { handshake.address }

    /// The uptime at which ``handleTimeouts(at:)`` must be called, regardless of socket events.
    var wakesAt: Double {
        // When `approvalAssumedFrom` has passed, `awaitsApproval` is set and no further wake-up is needed.
        [restEnds, retryAt, awaitsApproval ? nil : approvalAssumedFrom].compactMap(\.self).reduce(
            stepEnds, min)
    }

    /// Whether the camera is assumed to wait for the user's approval, because it has not responded to the
    /// greeting.
    private(set) var awaitsApproval = false

    /// The report of a camera that waits for the user's approval.
    var waiting: ProbeReport.WaitingCamera {
        .init(address: address, until: clock.now() + (stepEnds - clock.uptime()))
    }

    /// Ends the attempt as if its time limit had expired.
    func timeOut() { step { $0.didTimeOut() } }

    /// The sockets to poll.
    var interests: [pollfd] {
        sockets.values.map { pollfd(fd: $0.descriptor, events: $0.interest, revents: 0) }
    }

    /// Processes the events that `poll` reported for one of ``interests``.
    func handleEvents(_ entry: pollfd) {
        guard entry.revents != 0, let (channel, socket) = sockets.first(where: { $1.descriptor == entry.fd })
        else { return }
        if socket.isConnecting {
            let reason = sockets[channel]?.finishConnecting() ?? 0
            if reason == 0 { return step { $0.didConnect(channel) } }
            return connectionFailed(channel, reason)
        }
        if entry.revents & Int16(POLLOUT) != 0 { sockets[channel]?.flush() }
        guard entry.revents & ~Int16(POLLOUT) != 0 else { return }
        switch socket.read() {
        case .bytes(let bytes): step { $0.didReceive(bytes, on: channel) }
        case .nothing: return
        case .closed: step { $0.didClose(channel) }
        }
    }

    /// Processes retries and timeouts that are due.
    func handleTimeouts(at now: Double) {
        guard outcome == nil else { return }
        if let due = retryAt, due <= now {
            retryAt = nil
            connect(.event)
        }
        if let approvalAssumedFrom, approvalAssumedFrom <= now { awaitsApproval = true }
        if stepEnds <= now || restEnds.map({ $0 <= now }) ?? false { step { $0.didTimeOut() } }
    }

    /// Ends the attempt without an outcome. Closes the PTP session without waiting for a response.
    func abandon() {
        if let closeRequest = handshake.abandon() { sockets[.command]?.send(closeRequest) }
        closeAll()
    }

    // MARK: Actions

    private func step(_ event: (inout PTPIPHandshake) -> [PTPIPHandshake.Action]) {
        let before = handshake.step
        let actions = event(&handshake)
        if handshake.step != before {
            let isPairing = handshake.step == .acknowledgement
            approvalAssumedFrom = isPairing ? clock.deadline(after: timeLimits.response) : nil
            awaitsApproval = false
            stepEnds = clock.deadline(after: isPairing ? timeLimits.acknowledgement : timeLimits.response)
            if before == .acknowledgement { restEnds = clock.deadline(after: timeLimits.rest) }
        }
        perform(actions)
    }

    private func perform(_ actions: [PTPIPHandshake.Action]) {
        for action in actions {
            switch action {
            case .connect(let channel, afterMs: 0): connect(channel)
            case .connect(_, let milliseconds):
                retryAt = clock.deadline(after: .milliseconds(milliseconds))
            case .send(let bytes, let channel): sockets[channel]?.send(bytes)
            case .found(let camera): finish(with: .success(camera))
            case .failed(let failure): finish(with: .failure(failure))
            }
        }
    }

    private func connect(_ channel: PTPIPHandshake.Channel) {
        switch ProbeSocket.connect(to: address) {
        case .success(let socket): sockets[channel] = socket
        case .failure(let error): step { $0.connectionFailed(channel, errno: error.number) }
        }
    }

    private func connectionFailed(_ channel: PTPIPHandshake.Channel, _ reason: Int32) {
        if let socket = sockets.removeValue(forKey: channel) { close(socket.descriptor) }
        step { $0.connectionFailed(channel, errno: reason) }
    }

    private func finish(with outcome: Result<FoundCamera, ProbeFailure>) {
        self.outcome = outcome
        closeAll()
    }

    private func closeAll() {
        for socket in sockets.values { close(socket.descriptor) }
        sockets = [:]
    }
}
