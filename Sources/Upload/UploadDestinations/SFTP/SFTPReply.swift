/// A reply from an SFTP server.
enum SFTPReply: Hashable, Sendable {
    /// The greeting, with the names and values of the server's extensions.
    case version(extensions: [String: String])
    case status(SFTPStatus, text: String)
    case handle([UInt8])
    case data(ArraySlice<UInt8>)
    /// The first name in a list of names, as in the reply to a request for an absolute path.
    case name(String)
    case facts(SFTPFacts)
    /// The reply of an extension, which the sender of the request decodes.
    case extended(ArraySlice<UInt8>)

    /// Decodes one packet without its length field.
    ///
    /// - Returns: The reply and the ID of its request. The greeting has no ID.
    static func read(_ packet: ArraySlice<UInt8>) throws(SFTPWire.Fault) -> (id: UInt32?, reply: SFTPReply) {
        var reader = SFTPWire.Reader(packet)
        let kind = try reader.byte()
        if kind == 2 { return (nil, try greeting(&reader)) }
        let id = try reader.word()
        switch kind {
        case 101:
            let status = SFTPStatus(rawValue: try reader.word())
            // In version 3, a status has a message and a language. Old servers send neither the message nor
            // the language.
            let text = reader.isAtEnd ? "" : try reader.text()
            if !reader.isAtEnd { _ = try reader.text() }
            return (id, try requireEnd(reader, .status(status, text: text)))
        case 102:
            let handle = Array(try reader.bytes(max: SFTPWire.handleBytesMax))
            return (id, try requireEnd(reader, .handle(handle)))
        case 103:
            // Some servers add an end-of-file flag, which belongs to version 6.
            return (id, .data(try reader.bytes(max: SFTPWire.packetBytesMax)))
        case 104:
            guard try reader.word() >= 1 else { throw .cut }
            return (id, .name(try reader.text()))
        case 105: return (id, try .facts(SFTPFacts(&reader)))
        case 201:
            var rest: [UInt8] = []
            while !reader.isAtEnd { rest.append(try reader.byte()) }
            return (id, .extended(rest[...]))
        default: throw .kind(kind)
        }
    }

    private static func greeting(_ reader: inout SFTPWire.Reader) throws(SFTPWire.Fault) -> SFTPReply {
        let version = try reader.word()
        guard version == 3 else { throw .version(version) }
        var extensions: [String: String] = [:]
        while !reader.isAtEnd {
            let name = try reader.text()
            let data = try reader.text()
            extensions[name] = data
            guard extensions.count <= SFTPWire.extensionsMax else { throw .excess }
        }
        return .version(extensions: extensions)
    }

    private static func requireEnd(_ reader: SFTPWire.Reader, _ reply: SFTPReply) throws(SFTPWire.Fault)
        -> SFTPReply
    {
        guard reader.isAtEnd else { throw .excess }
        return reply
    }
}

/// A status code of SFTP version 3.
struct SFTPStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32
    static let ok = SFTPStatus(rawValue: 0)
    static let endOfFile = SFTPStatus(rawValue: 1)
    static let noSuchFile = SFTPStatus(rawValue: 2)
    static let permissionDenied = SFTPStatus(rawValue: 3)
    /// An unspecified failure, for example a full disk, a name that is already in use, or a disk error.
    static let failure = SFTPStatus(rawValue: 4)
    static let unsupported = SFTPStatus(rawValue: 8)
    /// A folder of the path does not exist. The status belongs to later versions of SFTP, but some servers
    /// also send it in version 3.
    static let noSuchPath = SFTPStatus(rawValue: 10)

    /// Whether the file or a folder of its path does not exist.
    var isMissing: Bool { self == .noSuchFile || self == .noSuchPath }
}

/// The attributes of a file or folder. An attribute is `nil` if the server omits it.
struct SFTPFacts: Hashable, Sendable {
    var bytes: UInt64?
    /// The file type and permissions, as in `stat(2)`.
    var mode: UInt32?

    var isFolder: Bool { mode.map { $0 & 0o170000 == 0o040000 } ?? false }
    /// Whether this is a regular file. Also `true` if the server sends no mode.
    var isFile: Bool { mode.map { $0 & 0o170000 == 0o100000 } ?? true }

    init(bytes: UInt64?, mode: UInt32?) {
        self.bytes = bytes
        self.mode = mode
    }

    init(_ reader: inout SFTPWire.Reader) throws(SFTPWire.Fault) {
        let flags = try reader.word()
        if flags & 0x1 != 0 { bytes = try reader.long() }
        if flags & 0x2 != 0 { _ = try reader.long() }
        if flags & 0x4 != 0 { mode = try reader.word() }
        if flags & 0x8 != 0 { _ = try reader.long() }
    }
}

/// The reply to statvfs@openssh.com.
struct SFTPFileSystem: Hashable, Sendable {
    /// The free space for ordinary users, in bytes.
    var bytesFree: UInt64
    /// The number of files that ordinary users can still create, or `nil` if there is no such limit.
    var filesFree: UInt64?
    var isReadOnly: Bool

    init(_ payload: ArraySlice<UInt8>) throws(SFTPWire.Fault) {
        var reader = SFTPWire.Reader(payload)
        var fields: [UInt64] = []
        for _ in 0..<11 { fields.append(try reader.long()) }
        bytesFree =
            fields[4].multipliedReportingOverflow(by: fields[1]).overflow ? .max : fields[4] * fields[1]
        filesFree = fields[5] == 0 ? nil : fields[7]
        isReadOnly = fields[9] & 1 != 0
    }
}

/// The reply to limits@openssh.com. A value of 0 means no limit.
struct SFTPLimits: Hashable, Sendable {
    var readBytes: UInt64
    var writeBytes: UInt64

    /// Creates limits from a reply. Returns `nil` if the reply does not contain limits.
    init?(_ reply: SFTPReply) {
        guard case .extended(let payload) = reply, let limits = try? SFTPLimits(payload) else { return nil }
        self = limits
    }

    init(_ payload: ArraySlice<UInt8>) throws(SFTPWire.Fault) {
        var reader = SFTPWire.Reader(payload)
        _ = try reader.long()
        readBytes = try reader.long()
        writeBytes = try reader.long()
        _ = try reader.long()
    }
}
