/// The wire format of SFTP version 3 (draft-ietf-secsh-filexfer-02) with OpenSSH's extensions (OpenSSH's
/// PROTOCOL file). This code encodes and decodes, and performs no I/O.
enum SFTPWire {
    /// The length of the longest accepted packet, in bytes. OpenSSH's limit, SFTP_MAX_MSG_LENGTH, is 256 KiB.
    static let packetBytesMax = 256 * 1024
    /// The length of the longest string in a reply, in bytes. File data can be longer. A Linux path has at
    /// most 4,096 bytes.
    static let textBytesMax = 32 * 1024
    /// The length of the longest handle, in bytes, as defined by the draft.
    static let handleBytesMax = 256
    /// The largest number of extensions in a greeting. OpenSSH 9.2 lists 10.
    static let extensionsMax = 64

    /// An error in the server's bytes.
    enum Fault: Error, Hashable, Sendable {
        /// A packet whose length field is 0 or above ``packetBytesMax``.
        case packetLength(UInt32)
        /// A field that exceeds its packet or its own limit.
        case cut
        /// A packet with more bytes than its fields need.
        case excess
        /// A packet of a type that a server does not send.
        case kind(UInt8)
        /// A protocol version other than 3.
        case version(UInt32)
    }

    /// A reader for the fields of one packet, which checks each length against the remaining bytes.
    struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func byte() throws(Fault) -> UInt8 {
            guard let first = rest.popFirst() else { throw .cut }
            return first
        }

        mutating func word() throws(Fault) -> UInt32 {
            guard rest.count >= 4 else { throw .cut }
            let value = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            rest = rest.dropFirst(4)
            return value
        }

        mutating func long() throws(Fault) -> UInt64 {
            let high = try word()
            return try UInt64(high) << 32 | UInt64(word())
        }

        mutating func bytes(max: Int) throws(Fault) -> ArraySlice<UInt8> {
            let count = try word()
            guard count <= max, Int(count) <= rest.count else { throw .cut }
            defer { rest = rest.dropFirst(Int(count)) }
            return rest.prefix(Int(count))
        }

        mutating func text() throws(Fault) -> String {
            String(decoding: try bytes(max: SFTPWire.textBytesMax), as: UTF8.self)
        }
    }

    /// A buffer that splits a stream of bytes into packets.
    struct Framer {
        private var buffer: [UInt8] = []
        private var start = 0

        /// Adds received bytes.
        mutating func append(_ bytes: UnsafeRawBufferPointer) {
            if start > 0 {
                buffer.removeSubrange(..<start)
                start = 0
            }
            buffer.append(contentsOf: bytes)
        }

        /// Returns the next complete packet without its length field, or `nil` if more bytes are needed.
        mutating func next() throws(Fault) -> ArraySlice<UInt8>? {
            let rest = buffer[start...]
            guard rest.count >= 4 else { return nil }
            var reader = Reader(rest)
            let length = try reader.word()
            guard length >= 1, length <= SFTPWire.packetBytesMax else { throw .packetLength(length) }
            guard rest.count >= 4 + Int(length) else { return nil }
            defer { start += 4 + Int(length) }
            return buffer[(start + 4)..<(start + 4 + Int(length))]
        }
    }

    /// A writer for the fields of one packet.
    struct Writer {
        /// The packet with its length field.
        private(set) var bytes: [UInt8] = [0, 0, 0, 0]

        init(kind: UInt8, capacity: Int = 64) {
            bytes.reserveCapacity(capacity)
            bytes.append(kind)
        }

        mutating func word(_ value: UInt32) {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func long(_ value: UInt64) {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func string(_ value: some Collection<UInt8>) {
            word(UInt32(value.count))
            bytes.append(contentsOf: value)
        }

        /// Returns the finished packet without copying its bytes.
        consuming func finished() -> [UInt8] {
            let length = UInt32(bytes.count - 4)
            for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * place)) }
            return bytes
        }
    }
}
