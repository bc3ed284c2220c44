/// A request to the server. A `path` is UTF-8. A `handle` comes from ``SFTPReply/handle(_:)``.
enum SFTPRequest: Hashable, Sendable {
    /// The mode in which a file is opened.
    struct OpenMode: OptionSet, Hashable, Sendable {
        let rawValue: UInt32
        static let read = OpenMode(rawValue: 0x01)
        static let write = OpenMode(rawValue: 0x02)
        static let create = OpenMode(rawValue: 0x08)
        static let truncate = OpenMode(rawValue: 0x10)
        /// Fails if a file with the name exists.
        static let exclusive = OpenMode(rawValue: 0x20)
    }

    case open(path: String, mode: OpenMode)
    case close(handle: [UInt8])
    case read(handle: [UInt8], offset: UInt64, count: UInt32)
    case write(handle: [UInt8], offset: UInt64, bytes: ArraySlice<UInt8>)
    /// Requests the attributes of a path, without following links.
    case linkFacts(path: String)
    /// Requests the attributes of a path, following links.
    case facts(path: String)
    case handleFacts(handle: [UInt8])
    /// Sets the access and modification times, in seconds since 1970.
    case setTime(handle: [UInt8], seconds: UInt32)
    case remove(path: String)
    case makeFolder(path: String)
    case absolutePath(path: String)
    /// Renames a file. Fails if a file with the new name exists. OpenSSH implements the rename with link and
    /// unlink, and therefore never replaces a file.
    case rename(from: String, to: String)
    /// The extension fsync@openssh.com.
    case sync(handle: [UInt8])
    /// The extension statvfs@openssh.com.
    case fileSystem(path: String)
    /// The extension limits@openssh.com.
    case limits

    /// The flag for attributes that contain the access and modification times (SSH_FILEXFER_ATTR_ACMODTIME).
    private static let times: UInt32 = 0x8

    /// The first packet of a session, for protocol version 3.
    static let greeting: [UInt8] = [0, 0, 0, 5, 1, 0, 0, 0, 3]

    /// Returns the encoded packet.
    func packet(id: UInt32) -> [UInt8] {
        var writer: SFTPWire.Writer
        switch self {
        case .open(let path, let mode):
            writer = Self.makeWriter(3, id)
            writer.string(path.utf8)
            writer.word(mode.rawValue)
            writer.word(0)
        case .close(let handle):
            writer = Self.makeWriter(4, id)
            writer.string(handle)
        case .read(let handle, let offset, let count):
            writer = Self.makeWriter(5, id)
            writer.string(handle)
            writer.long(offset)
            writer.word(count)
        case .write(let handle, let offset, let bytes):
            writer = Self.makeWriter(6, id, capacity: 64 + handle.count + bytes.count)
            writer.string(handle)
            writer.long(offset)
            writer.string(bytes)
        case .linkFacts(let path): writer = Self.makeWriter(7, id, path)
        case .handleFacts(let handle):
            writer = Self.makeWriter(8, id)
            writer.string(handle)
        case .setTime(let handle, let seconds):
            writer = Self.makeWriter(10, id)
            writer.string(handle)
            writer.word(Self.times)
            writer.word(seconds)
            writer.word(seconds)
        case .remove(let path): writer = Self.makeWriter(13, id, path)
        case .makeFolder(let path):
            writer = Self.makeWriter(14, id, path)
            writer.word(0)
        case .absolutePath(let path): writer = Self.makeWriter(16, id, path)
        case .facts(let path): writer = Self.makeWriter(17, id, path)
        case .rename(let from, let to):
            writer = Self.makeWriter(18, id, from)
            writer.string(to.utf8)
        case .sync(let handle):
            writer = Self.makeWriter(200, id, SFTPExtension.sync)
            writer.string(handle)
        case .fileSystem(let path):
            writer = Self.makeWriter(200, id, SFTPExtension.fileSystem)
            writer.string(path.utf8)
        case .limits: writer = Self.makeWriter(200, id, SFTPExtension.limits)
        }
        return writer.finished()
    }

    private static func makeWriter(_ kind: UInt8, _ id: UInt32, capacity: Int = 64) -> SFTPWire.Writer {
        var writer = SFTPWire.Writer(kind: kind, capacity: capacity)
        writer.word(id)
        return writer
    }

    private static func makeWriter(_ kind: UInt8, _ id: UInt32, _ text: String) -> SFTPWire.Writer {
        var writer = makeWriter(kind, id)
        writer.string(text.utf8)
        return writer
    }
}

/// OpenSSH's extensions. An extension is used only if the server's greeting lists it.
enum SFTPExtension {
    static let sync = "fsync@openssh.com"
    static let fileSystem = "statvfs@openssh.com"
    static let limits = "limits@openssh.com"
}
