/// A state machine of a camera's USB device. The device converts USB requests of the host to replies, and to
/// PTP requests for the camera.
struct USBDevice: Sendable {
    /// A result of a host request.
    enum Outcome: Sendable {
        case reply(USBIPReply)
        /// A complete request for the camera.
        case request(PTPRequest)
        /// The host cancelled the transaction or reset the device. The camera must not send the rest of its
        /// reply.
        case abandoned(closesSession: Bool)
    }

    let descriptors: USBDescriptors
    private var configuration: UInt8 = 0
    private var bulkIn = InEndpoint(packetBytes: USBDescriptors.bulkPacketBytes)
    private var events = InEndpoint(packetBytes: USBDescriptors.interruptPacketBytes)
    private var isOutHalted = false
    private var reader: ContainerReader
    private var disk: CardReader

    init(_ descriptors: USBDescriptors, maker: Maker) {
        self.descriptors = descriptors
        reader = ContainerReader(maker: maker)
        disk = CardReader(name: descriptors.product)
    }

    /// The number of messages on the bulk endpoint that the host has read completely.
    var messagesRead: Int { bulkIn.messagesRead }

    mutating func handle(_ request: USBIPRequest) -> [Outcome] {
        switch request {
        case .unlink(let sequence, let victim):
            let wasWaiting = bulkIn.unlink(victim) || events.unlink(victim)
            return [.reply(.unlinked(sequence, wasWaiting: wasWaiting))]
        case .submit(let transfer):
            switch (transfer.endpoint, transfer.isIn) {
            case (0, _): return control(transfer)
            case (USBDescriptors.Endpoint.bulkIn, true) where descriptors.mode != .charging:
                return bulkIn.enqueue(transfer).map(Outcome.reply)
            case (USBDescriptors.Endpoint.interruptIn, true) where descriptors.mode.isCamera:
                return events.enqueue(transfer).map(Outcome.reply)
            case (USBDescriptors.Endpoint.bulkOut, false) where descriptors.mode != .charging:
                return receive(transfer)
            default: return [.reply(.stalled(transfer.sequence))]
            }
        }
    }

    /// Sends a message, or a part of a message, on the bulk endpoint.
    mutating func sendMessage(_ bytes: ByteRope, isWhole: Bool = true) -> [USBIPReply] {
        bulkIn.isHalted ? [] : bulkIn.send(bytes, isWhole: isWhole)
    }

    /// Sends a message on the interrupt endpoint.
    mutating func announce(_ bytes: ByteRope) -> [USBIPReply] { events.send(bytes) }

    /// Halts the interrupt endpoint.
    mutating func haltEvents() -> [USBIPReply] { events.halt() }

    /// Halts both bulk endpoints until the host clears the halts.
    mutating func halt() -> [USBIPReply] {
        isOutHalted = true
        return bulkIn.halt()
    }

    private mutating func receive(_ transfer: USBTransfer) -> [Outcome] {
        guard !isOutHalted else { return [.reply(.stalled(transfer.sequence))] }
        let taken = Outcome.reply(.received(transfer.sequence, bytes: transfer.data.count))
        guard descriptors.mode.isCamera else {
            guard let answer = disk.answer(transfer.data) else { return [taken] + halt().map(Outcome.reply) }
            return [taken] + answer.flatMap { bulkIn.send($0) }.map(Outcome.reply)
        }
        var outcomes = [taken]
        for outcome in reader.read(transfer.data) {
            switch outcome {
            case .request(let request):
                // The host starts a new request, so the unread rest of the previous reply is discarded.
                bulkIn.flush()
                outcomes.append(.request(request))
            case .invalid: outcomes += halt().map(Outcome.reply)
            }
        }
        return outcomes
    }

    private mutating func control(_ transfer: USBTransfer) -> [Outcome] {
        func sent(_ bytes: [UInt8]) -> [Outcome] {
            let count = min(transfer.length, Int(transfer.setup.length))
            return [.reply(.sent(transfer.sequence, ByteRope(Array(bytes.prefix(count)))))]
        }
        let stalled = [Outcome.reply(.stalled(transfer.sequence))]
        let done = [Outcome.reply(.received(transfer.sequence, bytes: transfer.data.count))]
        switch transfer.setup.meaning {
        case .getDescriptor(let type, let index):
            return descriptors.descriptor(type: type, index: index).map(sent) ?? stalled
        case .getStatus(let endpoint): return sent([endpoint.map(isHalted) == true ? 1 : 0, 0])
        case .clearHalt(let endpoint):
            setHalt(endpoint, false)
            return done
        case .setHalt(let endpoint): return setHalt(endpoint, true).map(Outcome.reply) + done
        case .getConfiguration: return sent([configuration])
        case .setConfiguration(let number):
            configuration = number
            return done
        case .getInterface: return sent([0])
        case .setInterface, .setAddress: return done
        case .cancel where descriptors.mode.isCamera:
            cancelTransaction()
            return done + [.abandoned(closesSession: false)]
        case .deviceReset where descriptors.mode.isCamera:
            cancelTransaction()
            return done + [.abandoned(closesSession: true)]
        case .deviceStatus where descriptors.mode.isCamera: return sent(deviceStatus)
        case .maxUnit where descriptors.mode == .storage: return sent([0])
        case .diskReset where descriptors.mode == .storage:
            cancelTransaction()
            return done
        default: return stalled
        }
    }

    private mutating func cancelTransaction() {
        reader.reset()
        bulkIn.flush()
        bulkIn.clearHalt()
        isOutHalted = false
    }

    private func isHalted(_ endpoint: UInt8) -> Bool {
        switch endpoint {
        case 0x80 | USBDescriptors.Endpoint.bulkIn: bulkIn.isHalted
        case USBDescriptors.Endpoint.bulkOut: isOutHalted
        case 0x80 | USBDescriptors.Endpoint.interruptIn: events.isHalted
        default: false
        }
    }

    @discardableResult
    private mutating func setHalt(_ endpoint: UInt8, _ isHalted: Bool) -> [USBIPReply] {
        switch (endpoint, isHalted) {
        case (0x80 | USBDescriptors.Endpoint.bulkIn, true): return bulkIn.halt()
        case (0x80 | USBDescriptors.Endpoint.bulkIn, false): bulkIn.clearHalt()
        case (0x80 | USBDescriptors.Endpoint.interruptIn, true): return events.halt()
        case (0x80 | USBDescriptors.Endpoint.interruptIn, false): events.clearHalt()
        case (USBDescriptors.Endpoint.bulkOut, _): isOutHalted = isHalted
        default: break
        }
        return []
    }

    /// The length, the response code and the halted endpoints (Still Image class, 5.2.4).
    private var deviceStatus: [UInt8] {
        let endpoints = [0x80 | USBDescriptors.Endpoint.bulkIn, USBDescriptors.Endpoint.bulkOut].filter(
            isHalted)
        let code = endpoints.isEmpty ? PTPResponse.ok.rawValue : Self.transactionCancelled
        var out = ByteWriter(capacity: 12)
        out.u16(UInt16(4 + 4 * endpoints.count))
        out.u16(code)
        for endpoint in endpoints { out.u32(UInt32(endpoint)) }
        return out.bytes
    }

    private static let transactionCancelled: UInt16 = 0x201F
}
