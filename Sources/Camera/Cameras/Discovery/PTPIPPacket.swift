/// A PTP/IP packet: a length, a type and a payload (CIPA DC-005, section 2.3). All numbers are little-endian.
struct PTPIPPacket: Hashable, Sendable {
    /// The packet type. Data with any other type is not a PTP/IP packet.
    enum Kind: UInt32, Sendable {
        case initCommandRequest = 1, initCommandAck, initEventRequest, initEventAck, initFail
        case request, response, event, startData, data, cancel, endData, probeRequest, probeResponse
    }

    static let headerBytes = 8
    /// The maximum length of a packet in a handshake, in bytes. A camera name has up to 40 characters, and
    /// DeviceInfo has a few KiB.
    static let bytesMax = 64 * 1024

    var kind: Kind
    var payload: [UInt8]

    /// The packet in wire format.
    var bytes: [UInt8] {
        Self.littleEndian(UInt32(Self.headerBytes + payload.count)) + Self.littleEndian(kind.rawValue)
            + payload
    }

    static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    // MARK: Requests

    /// Returns the greeting (Init_Command_Request), byte for byte as libgphoto2 sends it
    /// (`ptp_ptpip_init_command_request`). A camera that is paired with libgphoto2 therefore also accepts the
    /// probe, and vice versa.
    static func initCommandRequest(guid: [UInt8], hostName: [UInt8]) -> PTPIPPacket {
        let name = (hostName + [0]).flatMap { littleEndian(UInt16($0)) }
        return PTPIPPacket(
            kind: .initCommandRequest, payload: guid + name + littleEndian(UInt32(0x0001_0000)))
    }

    static func initEventRequest(connection: UInt32) -> PTPIPPacket {
        PTPIPPacket(kind: .initEventRequest, payload: littleEndian(connection))
    }

    /// Returns a request without data from this computer (data phase info 1).
    static func request(_ code: UInt16, transaction: UInt32, _ parameters: UInt32...) -> PTPIPPacket {
        PTPIPPacket(
            kind: .request,
            payload: littleEndian(UInt32(1)) + littleEndian(code) + littleEndian(transaction)
                + parameters.flatMap { littleEndian($0) })
    }

    static let probeResponse = PTPIPPacket(kind: .probeResponse, payload: [])
}

/// A parser that splits a connection's byte stream into packets.
struct PTPIPPacketParser: Sendable {
    /// The bytes are not a PTP/IP packet.
    struct NotAPacket: Error {}

    private var bytes: [UInt8] = []

    /// Whether the buffer contains part of a packet.
    var hasPartialPacket: Bool { !bytes.isEmpty }

    mutating func append(_ new: some Collection<UInt8>) { bytes.append(contentsOf: new) }

    /// Returns the next packet, or `nil` if it is incomplete. Throws as soon as the header is invalid.
    mutating func next() throws(NotAPacket) -> PTPIPPacket? {
        var reader = LittleEndianReader(bytes)
        guard let length = reader.number(UInt32.self).map(Int.init) else { return nil }
        guard (PTPIPPacket.headerBytes...PTPIPPacket.bytesMax).contains(length) else { throw NotAPacket() }
        guard let type = reader.number(UInt32.self) else { return nil }
        guard let kind = PTPIPPacket.Kind(rawValue: type) else { throw NotAPacket() }
        guard bytes.count >= length else { return nil }
        defer { bytes.removeFirst(length) }
        return PTPIPPacket(kind: kind, payload: Array(bytes[PTPIPPacket.headerBytes..<length]))
    }
}

/// A reader of numbers and strings in untrusted bytes.
struct LittleEndianReader: Sendable {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The unread bytes.
    var remaining: [UInt8] { Array(rest) }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        guard let bytes = readBytes(Number.bitWidth / 8) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a UTF-16 string up to a NUL. Returns `nil` if no NUL follows within `unitsMax` units.
    mutating func terminatedText(unitsMax: Int) -> String? {
        var units: [UInt16] = []
        while let unit = number(UInt16.self) {
            if unit == 0 { return String(decoding: units, as: UTF16.self) }
            units.append(unit)
            guard units.count <= unitsMax else { return nil }
        }
        return nil
    }

    /// Reads a PTP string: a count of units, followed by the units and a NUL (PIMA 15740, section 5.3.4).
    mutating func text() -> String? {
        guard let count = number(UInt8.self), let bytes = readBytes(Int(count) * 2) else { return nil }
        var reader = LittleEndianReader(Array(bytes))
        var units: [UInt16] = []
        while let unit = reader.number(UInt16.self), unit != 0 { units.append(unit) }
        return String(decoding: units, as: UTF16.self)
    }

    /// Skips a PTP array of 16-bit numbers.
    mutating func skipArray16() -> Bool {
        guard let count = number(UInt32.self), count <= UInt32(rest.count) else { return false }
        return readBytes(Int(count) * 2) != nil
    }
}
