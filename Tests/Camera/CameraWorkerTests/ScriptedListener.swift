import Foundation
import Glibc
import Synchronization

/// A TCP server on a loopback address. The test specifies how the server handles each connection.
final class ScriptedListener: Sendable {
    let host: String
    let port: UInt16
    private let descriptor: Int32
    private let accepted = Mutex(0)

    /// The number of accepted connections.
    var connectionCount: Int { accepted.withLock { $0 } }

    /// Starts a server.
    ///
    /// - Parameter serve: Handles a connection on a separate thread. The connection closes when the closure
    ///   returns. With `nil`, the server accepts no connection. When the kernel's queue is full, further
    ///   connection attempts receive no response.
    init(_ host: String = "127.0.0.1", serve: (@Sendable (_ connection: Int32) -> Void)?) throws {
        self.host = host
        let opened = try Loopback.listen(host, backlog: serve == nil ? 0 : 16)
        descriptor = opened.descriptor
        port = opened.port
        guard let serve else { return }
        Thread.detachNewThread { [descriptor, weak self] in
            while true {
                let connection = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
                guard connection >= 0 else {
                    _ = close(descriptor)
                    return
                }
                self?.accepted.withLock { $0 += 1 }
                Thread.detachNewThread {
                    serve(connection)
                    close(connection)
                }
            }
        }
        isServed.withLock { $0 = true }
    }

    private let isServed = Mutex(false)

    deinit {
        // Wakes the thread in accept, which closes the descriptor.
        shutdown(descriptor, Int32(SHUT_RDWR))
        if !isServed.withLock({ $0 }) { close(descriptor) }
    }
}

/// accept4(2), which Swift's Glibc module does not declare.
@_silgen_name("accept4")
private func accept4(
    _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?,
    _ flags: Int32
) -> Int32

/// TCP sockets on 127.0.0.0/8.
enum Loopback {
    static func listen(_ host: String, backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = address(host, 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, backlog) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isOpen else { throw CameraTestError(words: "cannot listen on \(host)") }
        return (descriptor, UInt16(bigEndian: name.sin_port))
    }

    /// Returns an established connection, or `nil`.
    static func connect(_ host: String, _ port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = address(host, port)
        let status = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    private static func address(_ host: String, _ port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &name.sin_addr)
        return name
    }

    static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Returns the next bytes, or an empty array if the peer has disconnected or the read fails.
    static func read(_ connection: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : []
    }

    /// Reads until the peer disconnects.
    static func waitForEnd(_ connection: Int32) {
        while !read(connection).isEmpty {}
    }
}

/// A relay between a client and a camera. The relay records the first packet of each connection.
final class RecordingRelay: Sendable {
    let listener: ScriptedListener
    private let recorded: Recording

    final class Recording: Sendable {
        let first = Mutex<[[UInt8]]>([])
    }

    /// Starts a relay.
    ///
    /// - Parameter pause: Called before each connection is relayed, with `true` for the first connection.
    init(to host: String, _ port: UInt16, pause: @escaping @Sendable (_ isFirst: Bool) -> Void = { _ in })
        throws
    {
        let recorded = Recording()
        self.recorded = recorded
        let isFirst = Mutex(true)
        listener = try ScriptedListener { client in
            pause(
                isFirst.withLock { value in
                    defer { value = false }
                    return value
                })
            guard let camera = Loopback.connect(host, port) else { return }
            defer { close(camera) }
            let hello = Loopback.read(client)
            recorded.first.withLock { $0.append(hello) }
            guard Loopback.write(hello, to: camera) else { return }
            var ends = [client, camera].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while poll(&ends, 2, -1) > 0 {
                for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                    let bytes = Loopback.read(ends[from].fd)
                    guard !bytes.isEmpty, Loopback.write(bytes, to: ends[to].fd) else { return }
                }
            }
        }
    }

    /// The greetings of all command connections.
    var greetings: [[UInt8]] {
        recorded.first.withLock { $0.filter { $0.count > 8 && $0[4] == 1 } }
    }
}
