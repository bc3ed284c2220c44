import FoundationEssentials
import Glibc

/// One address being asked: performs what its handshake says, and keeps its times.
final class ProbeAttempt {
    private(set) var outcome: Result<FoundCamera, ProbeFailure>?
    private var handshake: PTPIPHandshake
    private let patience: NetworkProbe.Patience
    private var sockets: [PTPIPHandshake.Channel: ProbeSocket] = [:]
    private var retryAt: ContinuousClock.Instant?
    private var stepEnds: ContinuousClock.Instant
    private var restEnds: ContinuousClock.Instant?
    /// From when on the silence after the greeting means that the camera asks its owner.
    private var asksFrom: ContinuousClock.Instant?

    /// Starts at once.
    init(_ handshake: PTPIPHandshake, patience: NetworkProbe.Patience) {
        self.handshake = handshake
        self.patience = patience
        stepEnds = .now + patience.connection
        perform([.connect(.command, afterMs: 0)])
    }

    deinit { closeAll() }

    var address: NetworkAddress { handshake.address }

    /// When ``tick(at:)`` is due, whatever the sockets say.
    var wakesAt: ContinuousClock.Instant {
        // An instant that is past asks for nothing more.
        [restEnds, retryAt, asksOwner ? nil : asksFrom].compactMap(\.self).reduce(stepEnds, min)
    }

    /// Whether the camera took the greeting and says nothing: its owner is being asked.
    private(set) var asksOwner = false

    /// What is told of a camera that asks its owner.
    var asking: ProbeReport.Asking {
        let left = ContinuousClock.now.duration(to: stepEnds)
        return .init(address: address, until: Date(timeIntervalSinceNow: left / .seconds(1)))
    }

    /// Hangs up before its time.
    func giveUp() { step { $0.timedOut() } }

    /// The sockets to look at.
    var interests: [pollfd] {
        sockets.values.map { pollfd(fd: $0.descriptor, events: $0.interest, revents: 0) }
    }

    /// Takes what `poll` said about one of ``interests``.
    func ready(_ entry: pollfd) {
        guard entry.revents != 0, let (channel, socket) = sockets.first(where: { $1.descriptor == entry.fd })
        else { return }
        if socket.isConnecting {
            let reason = sockets[channel]?.finishConnecting() ?? 0
            if reason == 0 { return step { $0.connected(channel) } }
            return connectionFailed(channel, reason)
        }
        if entry.revents & Int16(POLLOUT) != 0 { sockets[channel]?.flush() }
        guard entry.revents & ~Int16(POLLOUT) != 0 else { return }
        switch socket.read() {
        case .bytes(let bytes): step { $0.received(bytes, on: channel) }
        case .nothing: return
        case .closed: step { $0.closed(channel) }
        }
    }

    /// Does what time asks for.
    func tick(at now: ContinuousClock.Instant) {
        guard outcome == nil else { return }
        if let due = retryAt, due <= now {
            retryAt = nil
            connect(.event)
        }
        if let asksFrom, asksFrom <= now { asksOwner = true }
        if stepEnds <= now || restEnds.map({ $0 <= now }) ?? false { step { $0.timedOut() } }
    }

    /// Ends without an outcome: a session is closed, nobody waits for the answer.
    func abandon() {
        if let goodbye = handshake.abandoned() { sockets[.command]?.send(goodbye) }
        closeAll()
    }

    // MARK: performing

    private func step(_ happening: (inout PTPIPHandshake) -> [PTPIPHandshake.Action]) {
        let before = handshake.step
        let actions = happening(&handshake)
        if handshake.step != before {
            let isPairing = handshake.step == .acknowledgement
            asksFrom = isPairing ? .now + patience.answer : nil
            asksOwner = false
            stepEnds = .now + (isPairing ? patience.acknowledgement : patience.answer)
            if before == .acknowledgement { restEnds = .now + patience.rest }
        }
        perform(actions)
    }

    private func perform(_ actions: [PTPIPHandshake.Action]) {
        for action in actions {
            switch action {
            case .connect(let channel, afterMs: 0): connect(channel)
            case .connect(_, let milliseconds): retryAt = .now + .milliseconds(milliseconds)
            case .send(let bytes, let channel): sockets[channel]?.send(bytes)
            case .found(let camera): end(.success(camera))
            case .failed(let failure): end(.failure(failure))
            }
        }
    }

    private func connect(_ channel: PTPIPHandshake.Channel) {
        switch ProbeSocket.connect(to: address) {
        case .success(let socket): sockets[channel] = socket
        case .failure(let error): step { $0.connectionFailed(channel, errno: error.errno) }
        }
    }

    private func connectionFailed(_ channel: PTPIPHandshake.Channel, _ reason: Int32) {
        if let socket = sockets.removeValue(forKey: channel) { close(socket.descriptor) }
        step { $0.connectionFailed(channel, errno: reason) }
    }

    private func end(_ outcome: Result<FoundCamera, ProbeFailure>) {
        self.outcome = outcome
        closeAll()
    }

    private func closeAll() {
        for socket in sockets.values { close(socket.descriptor) }
        sockets = [:]
    }
}
