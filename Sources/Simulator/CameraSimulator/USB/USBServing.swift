import FoundationEssentials
import Glibc
import PlainThreads
import Synchronization

extension USBCable {
    /// Serves the kernel's requests until the connection ends or a request is invalid.
    func answerTransfers(_ socket: LinkSocket) {
        while let header = socket.read(exactly: USBIPRequest.headerBytes),
            var request = USBIPRequest(header: header)
        {
            if case .submit(var transfer) = request, request.payloadBytes > 0 {
                guard let data = socket.read(exactly: request.payloadBytes) else { break }
                transfer.data = data
                request = .submit(transfer)
            }
            let abandoned = state.withLock { state in
                guard state.socket === socket else { return nil as Bool? }
                return perform(state.device.handle(request), &state)
            }
            if abandoned == true { withCamera { $0.linkClosed() } }
            bell.ring()
        }
        socket.end()
    }

    /// - Returns: Whether the host's request ends the session.
    private func perform(_ outcomes: [USBDevice.Outcome], _ state: inout State) -> Bool {
        var closesSession = false
        for outcome in outcomes {
            switch outcome {
            case .reply(let reply): send([reply], state)
            case .request(let request):
                state.request = request
                state.turn += 1
            case .abandoned(let closes):
                state.request = nil
                state.turn += 1
                closesSession = closesSession || closes
            }
        }
        return closesSession
    }

    /// Runs the camera's thread, which answers requests one after another until the program ends.
    func answerRequests() {
        while true {
            var next: (request: PTPRequest, turn: Int)?
            bell.wait {
                state.withLock { state in
                    if state.isStopped { return true }
                    guard !state.isSilent, let request = state.request else { return false }
                    state.request = nil
                    next = (request, state.turn)
                    return true
                }
            }
            guard let next else { return }
            answer(next.request, turn: next.turn)
        }
    }

    private func answer(_ request: PTPRequest, turn: Int) {
        let now = LiveCamera.now()
        let reply = withCamera { $0.respond(to: request, at: now) }
        switch reply.mishap {
        case .stall(let milliseconds):
            bell.wait(seconds: milliseconds.map { Double($0) / 1000 }) { !isCurrent(turn) }
        case .garbage:
            return say(ByteRope((0..<64).map { UInt8(truncatingIfNeeded: $0 * 29 + 200) }), turn)
        case .linkDown(let milliseconds): return replug(afterMs: milliseconds)
        default: break
        }
        let target = state.withLock { $0.device.messagesTaken } + (reply.data == nil ? 1 : 2)
        if var data = reply.data {
            let whole = PTPContainer.data(data, code: request.code, transaction: request.transaction)
            switch reply.mishap {
            case .drop(let limit, let isReset):
                data = whole.slice(0..<PTPContainer.headerBytes + limit)
                say(data, turn, isWhole: false)
                return isReset ? halt(turn) : replug(afterMs: 0)
            case .extraData(let bytes):
                data = whole
                data.append(ByteRope([UInt8](repeating: 0x5A, count: bytes)))
                say(data, turn)
            default: say(whole, turn)
            }
        }
        say(PTPContainer.response(reply, transaction: request.transaction), turn)
        func isTaken() -> Bool { state.withLock { $0.device.messagesTaken >= target } }
        bell.wait { isTaken() || !isCurrent(turn) }
        if let delivery = reply.delivery, reply.response == .ok, isTaken() {
            if withCamera({ $0.delivered(delivery) }) { bell.ring() }
        }
    }

    /// Returns whether the host still waits for the reply to this request.
    private func isCurrent(_ turn: Int) -> Bool {
        state.withLock { $0.turn == turn && $0.socket != nil && !$0.isStopped }
    }

    private func say(_ bytes: ByteRope, _ turn: Int, isWhole: Bool = true) {
        func put(_ part: ByteRope, isLast: Bool) {
            state.withLock { state in
                guard state.turn == turn else { return }
                send(state.device.say(part, isWhole: isLast), state)
            }
        }
        guard let rate = options.bytesPerSecond else { return put(bytes, isLast: isWhole) }
        // On a slow cable, each slice is 1/20 of a second's bytes, sent after a pause for its transfer time.
        let slice = max(USBDescriptors.bulkPacketBytes, rate / 20)
        var start = 0
        repeat {
            let part = bytes.slice(start..<start + slice)
            start += slice
            if bell.wait(seconds: Double(part.count) / Double(rate), until: { !isCurrent(turn) }) { return }
            put(part, isLast: isWhole && start >= bytes.count)
        } while start < bytes.count
    }

    private func halt(_ turn: Int) {
        state.withLock { state in
            guard state.turn == turn else { return }
            send(state.device.halt(), state)
        }
    }

    /// Simulates a loose cable: unplugs the camera and plugs it in again after a delay.
    private func replug(afterMs milliseconds: Int) {
        try? setLink(down: true)
        PlainThread.startOrExit("replug") { [self] in
            bell.wait(seconds: Double(milliseconds) / 1000) { isStopped }
            if !isStopped { try? setLink(down: false) }
        }
    }
}

extension LinkSocket {
    /// Reads exactly `count` bytes, or returns `nil` if the connection ends before.
    fileprivate func read(exactly count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let more = bytes.withUnsafeMutableBytes { read(into: .init(rebasing: $0[got...])) }
            guard more > 0 else { return nil }
            got += more
        }
        return bytes
    }
}
