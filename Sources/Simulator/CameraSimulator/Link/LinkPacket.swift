/// A PTP/IP packet (CIPA DC-X005-2005, chapter 4): a length (32 bits), a type (32 bits) and a payload. The
/// length includes the length field.
enum LinkPacket: Hashable, Sendable {
    case initCommandRequest(name: CameraText)
    case initEventRequest(connection: UInt32)
    case request(PTPRequest, sendsData: Bool)
    case startData(total: UInt64)
    case data([UInt8], isLast: Bool)
    case cancel
    case probeRequest
    case probeResponse
    case other(type: UInt32)

    /// The size of the length and type fields, in bytes.
    static let headerBytes = 8
    /// The maximum size of a packet from a client, in bytes. The largest data packet of a client is smaller.
    static let bytesMax = 16 << 20

    /// The packet type numbers.
    enum Kind {
        static let initCommandRequest: UInt32 = 1
        static let initCommandAck: UInt32 = 2
        static let initEventRequest: UInt32 = 3
        static let initEventAck: UInt32 = 4
        static let initFail: UInt32 = 5
        static let request: UInt32 = 6
        static let response: UInt32 = 7
        static let event: UInt32 = 8
        static let startData: UInt32 = 9
        static let data: UInt32 = 10
        static let cancel: UInt32 = 11
        static let endData: UInt32 = 12
        static let probeRequest: UInt32 = 13
        static let probeResponse: UInt32 = 14
    }

    /// Parses the payload of a packet, or returns `nil` if it is too short for its type.
    init?(type: UInt32, payload: some Collection<UInt8>) {
        var reader = ByteReader(payload)
        switch type {
        case Kind.initCommandRequest:
            for _ in 0..<4 where reader.u32() == nil { return nil }
            self = .initCommandRequest(name: reader.terminatedText())
        case Kind.initEventRequest:
            guard let connection = reader.u32() else { return nil }
            self = .initEventRequest(connection: connection)
        case Kind.request:
            guard let phase = reader.u32(), let code = reader.u16(), let transaction = reader.u32() else {
                return nil
            }
            var request = PTPRequest(code: code, transaction: transaction)
            while request.parameters.count < 5, let value = reader.u32() { request.parameters.append(value) }
            self = .request(request, sendsData: phase == 2)
        case Kind.startData:
            guard reader.u32() != nil, let total = reader.u64() else { return nil }
            self = .startData(total: total)
        case Kind.data, Kind.endData:
            guard reader.u32() != nil else { return nil }
            self = .data(Array(payload.dropFirst(4)), isLast: type == Kind.endData)
        case Kind.cancel: self = .cancel
        case Kind.probeRequest: self = .probeRequest
        case Kind.probeResponse: self = .probeResponse
        default: self = .other(type: type)
        }
    }

    /// Returns a packet whose payload is written by `fill`.
    static func bytes(_ kind: UInt32, _ fill: (inout ByteWriter) -> Void = { _ in }) -> [UInt8] {
        var out = ByteWriter(capacity: 64)
        out.u32(0)
        out.u32(kind)
        fill(&out)
        out.patch32(at: 0, UInt32(out.bytes.count))
        return out.bytes
    }

    /// Returns the acknowledgement of Init_Command_Request.
    static func initCommandAck(connection: UInt32, name: CameraText, serial: String) -> [UInt8] {
        bytes(Kind.initCommandAck) { out in
            out.u32(connection)
            // The camera's GUID, which is derived from the serial number and therefore the same in each run.
            let text = Array("framefast-sim-".utf8) + Array(serial.utf8.suffix(2))
            out.raw(text)
            out.zeros(16 - text.count)
            for unit in name.units { out.u16(unit) }
            out.u16(0)
            out.u32(0x0001_0000)
        }
    }

    /// Returns the refusal of an Init request. The reason is 1 (rejected), 2 (busy) or 3 (unspecified).
    static func initFail(reason: UInt32) -> [UInt8] { bytes(Kind.initFail) { $0.u32(reason) } }

    static func response(_ reply: PTPReply, transaction: UInt32) -> [UInt8] {
        bytes(Kind.response) { out in
            out.u16(reply.response.rawValue)
            out.u32(transaction)
            for parameter in reply.parameters { out.u32(parameter) }
        }
    }

    static func event(code: UInt16, parameters: [UInt32]) -> [UInt8] {
        bytes(Kind.event) { out in
            out.u16(code)
            out.u32(0)
            for index in 0..<3 { out.u32(index < parameters.count ? parameters[index] : 0) }
        }
    }
}
