/// The wire format of SFTP version 3 (draft-ietf-secsh-filexfer-02) with OpenSSH's extensions (its PROTOCOL file).
/// Pure: bytes in, bytes out.
enum SFTPWire {
    /// Longest packet that is taken. OpenSSH's own limit, SFTP_MAX_MSG_LENGTH, is 256 KiB.
    static let packetBytesMax = 256 * 1024
    /// Longest string in a reply that is not file data: names, messages. A path of Linux has at most 4,096 bytes.
    static let textBytesMax = 32 * 1024
    /// Longest handle, by the draft.
    static let handleBytesMax = 256
    /// Most extensions that a greeting may list; OpenSSH 9.2 lists 10.
    static let extensionsMax = 64

    /// What is wrong with the other side's bytes.
    enum Fault: Error, Hashable, Sendable {
        /// A packet that claims to be empty or longer than ``packetBytesMax``.
        case packetLength(UInt32)
        /// A field that runs over the end of its packet, or is longer than such a field may be.
        case cut
        /// More bytes than the packet's fields need.
        case excess
        /// A packet of a kind that a server does not send.
        case kind(UInt8)
        /// A protocol version other than 3.
        case version(UInt32)
    }

    /// Reads the fields of one packet. Every length is checked against what is left before anything is taken.
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

    /// Collects a stream into packets.
    struct Framer {
        private var buffer: [UInt8] = []
        private var start = 0

        /// Takes what came.
        mutating func take(_ bytes: UnsafeRawBufferPointer) {
            if start > 0 {
                buffer.removeSubrange(..<start)
                start = 0
            }
            buffer.append(contentsOf: bytes)
        }

        /// The next whole packet without its length; `nil` when more bytes are needed.
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

    /// Writes the fields of one packet.
    struct Writer {
        /// The packet with its length.
        private(set) var bytes: [UInt8] = [0, 0, 0, 0]

        init(kind: UInt8, room: Int = 64) {
            bytes.reserveCapacity(room)
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

        /// The finished packet. Its bytes stay where they are: most of them are a photo's.
        consuming func finished() -> [UInt8] {
            let length = UInt32(bytes.count - 4)
            for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * place)) }
            return bytes
        }
    }
}
