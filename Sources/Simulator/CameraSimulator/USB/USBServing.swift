import FoundationEssentials
import Glibc
import Synchronization
import SystemIO

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
            if abandoned == true { withCamera { $0.handleLinkClosed() } }
            stateChange.broadcast()
        }
        socket.disconnect()
    }

    /// - Returns: Whether the host's request ends the session.
    private func perform(_ outcomes: [USBDevice.Outcome], _ state: inout State) -> Bool {
        var closesSession = false
        for outcome in outcomes {
            switch outcome {
            case .reply(let reply): send([reply], state)
            case .request(let request):
                state.request = request
                state.generation += 1
            case .abandoned(let closes):
                state.request = nil
                state.generation += 1
                closesSession = closesSession || closes
            }
        }
        return closesSession
    }

    /// Runs the camera's thread, which performs requests one after another until ``stop()`` is called.
    func answerRequests() {
        while true {
            var next: (request: PTPRequest, generation: Int)?
            stateChange.wait {
                state.withLock { state in
                    if state.isStopped { return true }
                    guard !state.isSilent, let request = state.request else { return false }
                    state.request = nil
                    next = (request, state.generation)
                    return true
                }
            }
            guard let next else { return }
            answer(next.request, generation: next.generation)
        }
    }

    private func answer(_ request: PTPRequest, generation: Int) {
        let now = SharedCamera.now()
        let reply = withCamera { $0.respond(to: request, at: now) }
        switch reply.linkFault {
        case .stall(let milliseconds):
            stateChange.wait(seconds: milliseconds.map { Double($0) / 1000 }) { !isCurrent(generation) }
        case .garbage:
            return sendMessage(
                ByteRope((0..<64).map { UInt8(truncatingIfNeeded: $0 * 29 + 200) }), generation)
        case .linkDown(let milliseconds): return replug(afterMs: milliseconds)
        default: break
        }
        let target = state.withLock { $0.device.messagesRead } + (reply.data == nil ? 1 : 2)
        if var data = reply.data {
            let whole = PTPContainer.data(data, code: request.code, transaction: request.transaction)
            switch reply.linkFault {
            case .drop(let limit, let isReset):
                data = whole.slice(0..<PTPContainer.headerBytes + limit)
                sendMessage(data, generation, isWhole: false)
                return isReset ? halt(generation) : replug(afterMs: 0)
            case .extraData(let bytes):
                data = whole
                data.append(ByteRope([UInt8](repeating: 0x5A, count: bytes)))
                sendMessage(data, generation)
            default: sendMessage(whole, generation)
            }
        }
        sendMessage(PTPContainer.response(reply, transaction: request.transaction), generation)
        func isReadByHost() -> Bool { state.withLock { $0.device.messagesRead >= target } }
        stateChange.wait { isReadByHost() || !isCurrent(generation) }
        if let delivery = reply.delivery, reply.response == .ok, isReadByHost() {
            if withCamera({ $0.recordDelivery(delivery) }) { stateChange.broadcast() }
        }
    }

    /// Returns whether the host still waits for the reply to this request.
    private func isCurrent(_ generation: Int) -> Bool {
        state.withLock { $0.generation == generation && $0.socket != nil && !$0.isStopped }
    }

    private func sendMessage(_ bytes: ByteRope, _ generation: Int, isWhole: Bool = true) {
        func put(_ part: ByteRope, isLast: Bool) {
            state.withLock { state in
                guard state.generation == generation else { return }
                send(state.device.sendMessage(part, isWhole: isLast), state)
            }
        }
        guard let rate = options.bytesPerSecond else { return put(bytes, isLast: isWhole) }
        // On a slow cable, the bytes are sent in slices of about 50 ms. The pause before each slice is equal
        // to the slice's transfer time.
        let slice = max(USBDescriptors.bulkPacketBytes, rate / 20)
        var start = 0
        repeat {
            let part = bytes.slice(start..<start + slice)
            start += slice
            if stateChange.wait(seconds: Double(part.count) / Double(rate), until: { !isCurrent(generation) })
            {
                return
            }
            put(part, isLast: isWhole && start >= bytes.count)
        } while start < bytes.count
    }

    private func halt(_ generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            send(state.device.halt(), state)
        }
    }

    /// Simulates a loose cable: unplugs the camera and plugs it in again after a delay.
    private func replug(afterMs milliseconds: Int) {
        try? setLink(down: true)
        PlainThread.startOrExit("replug") { [self] in
            stateChange.wait(seconds: Double(milliseconds) / 1000) { isStopped }
            if !isStopped { try? setLink(down: false) }
        }
    }
}

extension LinkSocket {
    /// Reads exactly `count` bytes, or returns `nil` if the connection ends earlier.
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
