import FoundationEssentials
import Glibc
import SystemIO

/// A Unix socket that accepts one command per line. The socket replies with one line, or with several lines
/// and a final `ok`.
final class ControlSocket: Sendable {
    private let descriptor: Int32
    private let path: String

    /// - Parameter reply: Returns the reply to a line, without the final line break.
    init(path: String, reply: @escaping @Sendable (String) -> String) throws(SimulatorError) {
        self.path = path
        guard path.utf8.count <= UnixAddress.pathBytesMax else {
            throw .socket(
                address: path, reason: "the path is longer than \(UnixAddress.pathBytesMax) bytes")
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        unlink(path)
        let isBound = UnixAddress.withAddress(path) { bind(descriptor, $0, $1) == 0 } ?? false
        guard isBound, chmod(path, 0o600) == 0, listen(descriptor, 16) == 0 else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw .socket(address: path, reason: reason)
        }
        PlainThread.startOrExit("control") {
            while true {
                do throws(SystemCallFailure) {
                    let client = LinkSocket(try IO.accept(on: descriptor))
                    PlainThread.startOrExit("control client") { Self.serve(client, reply) }
                } catch {
                    guard error.isShortage else { break }
                    usleep(Self.shortagePauseMicroseconds)
                }
            }
            Glibc.close(descriptor)
        }
    }

    /// Stops listening and removes the socket file.
    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        unlink(path)
    }

    /// The pause before the next client while descriptors or memory are used up, in microseconds.
    private static let shortagePauseMicroseconds: UInt32 = 100_000

    /// The maximum length of a line, in bytes. The longest command contains a photo's name with escapes, and
    /// is shorter.
    private static let lineMax = 8192

    private static func serve(_ socket: LinkSocket, _ reply: (String) -> String) {
        var pending: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        while pending.count < lineMax {
            let count = socket.read(into: buffer)
            guard count > 0 else { return }
            pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
            while let end = pending.firstIndex(of: 10) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                guard socket.write(Array((reply(line) + "\n").utf8)) else { return }
            }
        }
    }
}
