import Foundation

@testable import Cameras
@testable import GPhoto2
@testable import Makers
@testable import USBHotplug
@testable import WorkerProtocol

extension FuzzTarget {
    /// Performs a handshake whose events are the input. Each event has a byte for its kind, then its data.
    /// The command connection is open at the start.
    static func probe(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        var handshake = PTPIPHandshake(
            address: NetworkAddress(host: IPv4Address(bits: 0x7F00_0002)), guid: guid,
            hostName: HostName(bytes: "host".utf8))
        var ends = 0
        func follow(_ actions: [PTPIPHandshake.Action]) {
            for action in actions {
                switch action {
                case .found, .failed: ends += 1
                case .connect, .send: break
                }
            }
            precondition(ends <= 1, "the handshake ends twice")
        }
        follow(handshake.didConnect(.command))
        while !input.isAtEnd {
            switch input.byte() % 8 {
            case 0, 1: follow(handshake.didReceive(input.chunk(), on: .command))
            case 2: follow(handshake.didReceive(input.chunk(), on: .event))
            case 3: follow(handshake.didConnect(.event))
            case 4: follow(handshake.connectionFailed(.event, errno: Int32(input.byte())))
            case 5: follow(handshake.didClose(input.byte() % 2 == 0 ? .command : .event))
            case 6: follow(handshake.didTimeOut())
            default: _ = handshake.abandon()
            }
        }
        if ends == 1 { precondition(handshake.step == .over, "the handshake continues after its end") }
    }

    /// Parses a datagram as each kind of announcement.
    static func announcements(_ bytes: [UInt8]) {
        let ports = MulticastDNS.ports(inResponse: bytes)
        precondition(ports.count <= MulticastDNS.recordsMax, "more services than records")
        precondition(
            Set(ports).count == ports.count && !ports.contains(0), "a repeated port, or port 0: \(ports)")
        let sender = IPv4Address(bits: 0xC0A8_0102)
        if let response = ServiceSearch.response(bytes, from: sender) {
            let request = String(decoding: DeviceDescription.request(response, at: sender), as: UTF8.self)
            precondition(
                request.split(separator: "\r\n").count == 3,
                "the request has another header field: \(request)")
        }
        let maker = DeviceDescription.manufacturer(inResponse: bytes)
        precondition(maker?.isEmpty != true, "a maker without a name")
    }

    private static let guid: ServiceGUID = {
        guard let guid = ServiceGUID(Array(repeating: "0f", count: 16).joined(separator: ":")) else {
            preconditionFailure("the GUID of the service is invalid")
        }
        return guid
    }()

    /// Passes packets to the framing, like the driver's reads and writes. Each step of the input has a byte
    /// and then a chunk. The byte states whether the chunk is a request, a header or a body, and for a body
    /// also the kind of the packet and whether the body is split.
    static func network(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        var dialogue = makeDialogue(flags: input.byte())
        var framing = NetworkFraming()
        while !input.isAtEnd {
            let step = input.byte()
            let chunk = input.chunk()
            switch step % 4 {
            case 0: HeapBytes(chunk).withBuffer { framing.request($0, to: &dialogue) }
            case 1: HeapBytes(chunk).withBuffer { framing.header($0, to: dialogue) }
            default:
                // A whole packet: the driver reads the header, then the announced number of bytes into one
                // buffer.
                let header = packetHeader(kind: UInt32(step >> 2), bodyBytes: chunk.count)
                HeapBytes(header).withBuffer { framing.header($0, to: dialogue) }
                let part = step % 4 == 2 ? max(1, chunk.count) : max(1, chunk.count / 3)
                HeapBytes(chunk).withBuffer { body in
                    for start in stride(from: 0, to: body.count, by: part) {
                        let end = min(start + part, body.count)
                        framing.body(.init(rebasing: body[start..<end]), to: &dialogue)
                    }
                }
            }
        }
    }

    private static func packetHeader(kind: UInt32, bodyBytes: Int) -> [UInt8] {
        PTPIPPacket.littleEndian(UInt32(PTPIPPacket.headerBytes + bodyBytes)) + PTPIPPacket.littleEndian(kind)
    }

    /// Passes containers to the framing, like the driver's transfers on the bulk and interrupt endpoints.
    static func containers(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        var dialogue = makeDialogue(flags: input.byte())
        var framing = USBFraming()
        while !input.isAtEnd {
            let step = input.byte()
            HeapBytes(input.chunk()).withBuffer { bytes in
                switch step % 4 {
                case 0: framing.write(bytes, to: &dialogue)
                case 1: framing.interrupt(bytes, to: &dialogue)
                default: framing.read(bytes, to: &dialogue)
                }
            }
        }
        precondition(
            dialogue.missing.count <= dialogue.handles.scannedHandles.count,
            "counts missing objects that do not exist")
    }

    /// Returns a dialogue. Each of the five low bits of `flags` enables an option, such as hidden objects.
    private static func makeDialogue(flags: UInt8) -> PTPDialogue {
        var dialogue = PTPDialogue()
        if flags & 1 != 0 { dialogue.handles.quarantined = [0x0101_0101, 2] }
        if flags & 2 != 0 { dialogue.handles.hiddenHandles = [3] }
        if flags & 4 != 0 { dialogue.handles.beginHandleScan() }
        dialogue.hidesPartialTransfers = flags & 8 != 0
        dialogue.isAskingForInfo = flags & 16 != 0
        return dialogue
    }

    /// Bytes on the heap. The framing changes them in place, like the driver's buffers. A read beyond the end
    /// traps.
    private struct HeapBytes {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func withBuffer(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            defer { buffer.deallocate() }
            buffer.copyBytes(from: bytes)
            body(buffer)
        }
    }

    /// Classifies a USB device. The input has the number of the active configuration, three strings, udev's
    /// properties and the descriptors.
    static func descriptors(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let configuration = input.byte()
        let strings = (0..<3).map { _ in input.chunk().asText }
        let properties = USBDevice.udevProperties(text: input.chunk().asText, prefix: "E:")
        guard let reader = DescriptorReader(input.all()) else { return }
        let device = USBDevice(
            bus: 1, number: 2, portPath: "1-1", vendorID: reader.vendorID, productID: reader.productID,
            deviceClass: reader.deviceClass, configurationCount: reader.configurationCount,
            manufacturer: strings[0], product: strings[1], serial: strings[2],
            interfaces: reader.interfaces(configuration: configuration), properties: properties)
        let classification = knowledge.classify(DeviceDescriptors(device))
        precondition(!"\(classification)".isEmpty)
    }

    private static let knowledge: KnowledgeBase = {
        guard let knowledge = try? KnowledgeBase.bundled() else { preconditionFailure("no knowledge base") }
        return knowledge
    }()

    /// Decodes the input as the prefix of a frame, as a call trace, and as the body of a frame.
    static func worker(_ bytes: [UInt8]) {
        let length = try? WorkerMessage.bodyLength(prefix: bytes.prefix(WorkerMessage.prefixBytes))
        precondition(
            (0...WorkerMessage.maximumBytes).contains(length ?? 0), "a frame of \(length ?? 0) bytes")
        _ = CallTrace(bytes: bytes)?.objectHandle
        let body = Data(bytes)
        if let command = try? WorkerMessage.decodeCommand(from: body) {
            precondition(isKept(command), "the command changes when it is encoded: \(command)")
        }
        if let event = try? JSONDecoder().decode(WorkerEvent.self, from: body) {
            precondition(
                event.reducedToLimits.reducedToLimits == event.reducedToLimits,
                "the reduced event is not within the limits: \(event)")
        }
        if let event = try? WorkerMessage.decodeEvent(from: body) {
            precondition(isKept(event), "the event changes when it is encoded: \(event)")
        }
    }

    private static func isKept(_ command: WorkerCommand) -> Bool {
        guard let frame = try? WorkerMessage.encode(command) else { return false }
        return (try? WorkerMessage.decodeCommand(from: frame.dropFirst(WorkerMessage.prefixBytes)))
            == command
    }

    private static func isKept(_ event: WorkerEvent) -> Bool {
        guard let frame = try? WorkerMessage.encode(event) else { return false }
        return (try? WorkerMessage.decodeEvent(from: frame.dropFirst(WorkerMessage.prefixBytes))) == event
    }
}
