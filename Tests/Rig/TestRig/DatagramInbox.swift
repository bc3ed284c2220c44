public import Foundation
import Glibc
import Synchronization
import SystemIO

/// A datagram socket that receives a program's messages, like systemd's notify socket or the journal's
/// socket.
///
/// A thread reads the socket continuously, because the kernel queues ten datagrams and then blocks the
/// writer.
public final class DatagramInbox: Sendable {
    /// The path of the socket.
    public let path: String
    private let descriptor: Int32
    private let messages: Messages

    private final class Messages: Sendable { let all = Mutex<[Data]>([]) }

    /// Opens the socket.
    public init(_ path: String) throws {
        self.path = path
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let messages = Messages()
        (self.descriptor, self.messages) = (descriptor, messages)
        let status = UnixAddress.withAddress(path) { bind(descriptor, $0, $1) }
        guard let status else {
            throw WaitTimeout(description: "the path of a socket is too long: \(path)")
        }
        guard status == 0 else {
            throw WaitTimeout(description: "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        Thread {
            var buffer = [UInt8](repeating: 0, count: 256 * 1_024)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else {
                    close(descriptor)
                    return
                }
                messages.all.withLock { $0.append(Data(buffer[..<count])) }
            }
        }.start()
    }

    deinit {
        // The shutdown wakes the reader thread, which then ends.
        shutdown(descriptor, Int32(SHUT_RDWR))
        unlink(path)
    }

    /// Returns all received datagrams.
    public func received() -> [Data] { messages.all.withLock { $0 } }

    /// Returns all received datagrams as text.
    public func texts() -> [String] { received().map { String(decoding: $0, as: UTF8.self) } }
}
