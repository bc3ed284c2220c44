import FoundationEssentials
import Synchronization
import SystemIO

extension CameraServer {
    /// The longest wait for a client's first packet, in milliseconds.
    private static let firstPacketTimeoutMs: Int32 = 5000
    /// The longest time that a new client waits for the previous client to disconnect, in seconds.
    private static let takeoverTimeoutSeconds = 1.0

    /// Serves one connection. The first packet selects the command or the event channel.
    func serve(_ socket: LinkSocket) {
        defer { socket.disconnect() }
        guard socket.waitReadable(milliseconds: Self.firstPacketTimeoutMs) else { return }
        var reader = PacketReader(socket)
        while let packet = reader.next() {
            guard waitWhileSilent(socket) else { return }
            switch packet {
            case .initCommandRequest: return serveCommands(socket, &reader)
            case .initEventRequest(let connection): return serveEvents(socket, connection, &reader)
            case .probeRequest:
                guard socket.write(LinkPacket.bytes(LinkPacket.Kind.probeResponse)) else { return }
            default: return
            }
        }
    }

    private func serveEvents(_ socket: LinkSocket, _ connection: UInt32, _ reader: inout PacketReader) {
        let sender = EventSender(socket)
        let isAccepted = link.withLock { link in
            guard link.command != nil, link.connection == connection, link.events == nil else { return false }
            link.events = sender
            return true
        }
        guard isAccepted else {
            _ = socket.write(LinkPacket.initFail(reason: 1))
            return
        }
        if socket.write(LinkPacket.bytes(LinkPacket.Kind.initEventAck)) {
            stateChange.broadcast()
            sender.run(&reader)
        }
        link.withLock { if $0.events === sender { $0.events = nil } }
        stateChange.broadcast()
    }

    private func serveCommands(_ socket: LinkSocket, _ reader: inout PacketReader) {
        func claimCommandChannel() -> UInt32? {
            link.withLock { link in
                guard link.command == nil else { return nil }
                link.command = socket
                link.connection += 1
                return link.connection
            }
        }
        var connection: UInt32?
        stateChange.wait(seconds: Self.takeoverTimeoutSeconds) {
            connection = claimCommandChannel()
            return connection != nil
        }
        guard let connection else {
            _ = socket.write(LinkPacket.initFail(reason: 2))
            return
        }
        let identity = withCamera { $0.identity }
        let ack = LinkPacket.initCommandAck(
            connection: connection, name: CameraText(identity.model), serial: identity.serial)
        if socket.write(ack) { answerCommands(socket, &reader) }
        withCamera { $0.handleLinkClosed() }
        let events = link.withLock { link in
            link.command = nil
            defer { link.events = nil }
            return link.events
        }
        events?.disconnect()
        stateChange.broadcast()
    }

    private func answerCommands(_ socket: LinkSocket, _ reader: inout PacketReader) {
        let writer = ReplyWriter(
            socket: socket, packetBytes: options.packetBytes, bytesPerSecond: options.bytesPerSecond)
        while let packet = reader.next() {
            guard waitWhileSilent(socket) else { return }
            switch packet {
            case .request(var request, let sendsData):
                if sendsData {
                    guard let data = receiveData(&reader) else { return }
                    request.data = data
                }
                guard answer(request, writer) else { return }
            case .probeRequest:
                guard socket.write(LinkPacket.bytes(LinkPacket.Kind.probeResponse)) else { return }
            case .cancel, .probeResponse: continue
            default: return
            }
        }
    }

    private func receiveData(_ reader: inout PacketReader) -> [UInt8]? {
        guard case .startData? = reader.next() else { return nil }
        var data: [UInt8] = []
        while case .data(let bytes, let isLast)? = reader.next() {
            data += bytes
            guard data.count <= LinkPacket.bytesMax else { return nil }
            if isLast { return data }
        }
        return nil
    }

    /// - Returns: `false` if the connection is closed.
    private func answer(_ request: PTPRequest, _ writer: ReplyWriter) -> Bool {
        let now = SharedCamera.now()
        let (reply, isOpen) = withCamera { camera in
            (camera.respond(to: request, at: now), camera.isSessionOpen)
        }
        switch reply.linkFault {
        case .stall(let milliseconds):
            guard delayReply(writer.socket, milliseconds: milliseconds) else { return false }
        case .garbage:
            return writer.socket.write((0..<64).map { UInt8(truncatingIfNeeded: $0 * 29 + 200) })
        case .linkDown(let milliseconds):
            setLink(down: true)
            PlainThread.startOrExit("link back") { [self] in
                stateChange.wait(seconds: Double(milliseconds) / 1000) {
                    link.withLock { $0.isStopped || !$0.isDown }
                }
                setLink(down: false)
            }
            return false
        default: break
        }
        guard writer.send(reply, transaction: request.transaction) else {
            if case .drop(_, let isReset) = reply.linkFault {
                disconnectClients(andListener: false, byReset: isReset)
            }
            return false
        }
        if let delivery = reply.delivery, reply.response == .ok {
            if withCamera({ $0.recordDelivery(delivery) }) { stateChange.broadcast() }
        }
        if !isOpen || request.code == PTPOperation.openSession.code
            || request.code == PTPOperation.deleteObject.code
        {
            stateChange.broadcast()
        }
        return true
    }

    private func waitWhileSilent(_ socket: LinkSocket) -> Bool {
        while link.withLock({ $0.isSilent && !$0.isStopped }) {
            if socket.waitHungUp(milliseconds: 100) { return false }
        }
        return true
    }

    /// Waits before the reply. If `milliseconds` is `nil`, waits until the client disconnects.
    ///
    /// - Returns: `false` if the client disconnected during the delay.
    private func delayReply(_ socket: LinkSocket, milliseconds: Int?) -> Bool {
        guard let milliseconds else {
            _ = socket.waitHungUp(milliseconds: -1)
            return false
        }
        return !socket.waitHungUp(milliseconds: Int32(clamping: milliseconds))
    }
}
