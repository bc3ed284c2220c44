import CLinux
public import Glibc

extension IO {
    /// Sends bytes to a socket, in one call. Throws `EPIPE` if the peer has closed the connection, without
    /// raising SIGPIPE.
    ///
    /// - Parameter flags: Further flags of send(2).
    /// - Returns: The number of sent bytes, which may be less than the buffer's size.
    public static func send(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, flags: Int32 = 0
    ) throws(SystemCallFailure) -> Int {
        try retrying {
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
        }
    }

    /// Sends the bytes of an array to a socket, in one call. Throws `EPIPE` if the peer has closed the
    /// connection, without raising SIGPIPE.
    ///
    /// - Returns: The number of sent bytes, which may be less than the array's size.
    public static func send(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallFailure) -> Int {
        try retrying { Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends all bytes of an array to a socket, in as many calls as necessary. Throws `EPIPE` if the peer has
    /// closed the connection, without raising SIGPIPE.
    public static func sendAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallFailure) {
        var sent = 0
        while sent < bytes.count {
            let count = try bytes[sent...].withUnsafeBytes { buffer -> Result<Int, SystemCallFailure> in
                Result { () throws(SystemCallFailure) in try send(buffer, to: descriptor) }
            }.get()
            guard count > 0 else { throw SystemCallFailure(number: EIO) }
            sent += count
        }
    }

    /// Receives the available bytes of a socket. Waits for at least one byte.
    ///
    /// - Parameter flags: The flags of recv(2).
    /// - Returns: The number of bytes at the start of `buffer`, or 0 at the end of the stream.
    public static func receive(
        from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, flags: Int32 = 0
    ) throws(SystemCallFailure) -> Int {
        try retrying { recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    }

    /// Receives the available bytes of a socket into an existing array, up to the array's size. Waits for at
    /// least one byte.
    ///
    /// - Parameter flags: The flags of recv(2).
    /// - Returns: The number of bytes at the start of `bytes`, or 0 at the end of the stream.
    public static func receive(
        from descriptor: Int32, into bytes: inout [UInt8], flags: Int32 = 0
    ) throws(SystemCallFailure) -> Int {
        let count = bytes.count
        return try retrying { recv(descriptor, &bytes, count, flags) }
    }

    /// Accepts the next connection of a listening socket. Waits for a connection.
    ///
    /// - Returns: The descriptor of the connection, which other programs do not inherit.
    public static func accept(on descriptor: Int32) throws(SystemCallFailure) -> Int32 {
        try retrying { framefast_accept(descriptor) }
    }

    /// Creates a Unix stream socket that other programs do not inherit.
    public static func makeUnixSocket() throws(SystemCallFailure) -> Int32 {
        try retrying { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }
    }

    /// Connects a Unix stream socket to the socket file at `path`.
    ///
    /// - Throws: `ENAMETOOLONG` if the path is longer than ``UnixAddress/pathBytesMax``, or the error of the
    ///   call.
    public static func connect(
        _ descriptor: Int32, toUnixSocket path: String
    ) throws(SystemCallFailure) {
        let result = UnixAddress.withAddress(path) { address, length -> Result<Int32, SystemCallFailure> in
            Result { () throws(SystemCallFailure) in
                try retrying { Glibc.connect(descriptor, address, length) }
            }
        }
        guard let result else { throw SystemCallFailure(number: ENAMETOOLONG) }
        _ = try result.get()
    }

    /// Connects to the socket file at `path`.
    ///
    /// - Returns: The descriptor of the connection, which other programs do not inherit.
    /// - Throws: `ENAMETOOLONG` if the path is longer than ``UnixAddress/pathBytesMax``, or the error of the
    ///   failed call.
    public static func connect(toUnixSocket path: String) throws(SystemCallFailure) -> Int32 {
        let descriptor = try makeUnixSocket()
        do throws(SystemCallFailure) { try connect(descriptor, toUnixSocket: path) } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }
}

/// Conversion of paths to addresses of Unix sockets.
public enum UnixAddress {
    /// The longest path, in bytes: `sun_path` holds 108 bytes including the terminating null (unix(7)).
    public static let pathBytesMax = 107

    /// Calls `body` with the address of a path.
    ///
    /// - Parameter allowsAbstractName: Whether a leading `@` means an abstract name, as in systemd.
    /// - Returns: The result of `body`, or `nil` if the path is longer than ``pathBytesMax``.
    public static func withAddress<Value>(
        _ path: String, allowsAbstractName: Bool = false,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value? {
        var bytes = Array(path.utf8)
        guard bytes.count <= pathBytesMax else { return nil }
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        if allowsAbstractName {
            // The length determines where an abstract name ends.
            length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
