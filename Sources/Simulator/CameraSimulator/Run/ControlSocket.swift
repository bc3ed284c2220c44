import FoundationEssentials
import Glibc
import PlainThreads

/// A Unix socket that accepts one command per line. It replies with one line, or with several lines and a
/// final `ok`.
final class ControlSocket: Sendable {
    private let descriptor: Int32
    private let path: String

    init(path: String, simulator: Simulator) throws(SimulatorError) {
        self.path = path
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
            throw .socket(address: path, reason: "the path is longer than 107 bytes")
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        unlink(path)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard bound, chmod(path, 0o600) == 0, listen(descriptor, 16) == 0 else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw .socket(address: path, reason: reason)
        }
        PlainThread.startOrExit("control") { [descriptor] in
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else {
                    if errno == EINTR { continue }
                    break
                }
                let client = LinkSocket(accepted)
                PlainThread.startOrExit("control client") { Self.serve(client, simulator) }
            }
            Glibc.close(descriptor)
        }
    }

    /// Stops listening and removes the socket file.
    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        unlink(path)
    }

    /// The maximum length of a line, in bytes. It fits any name with escapes.
    private static let lineMax = 8192

    private static func serve(_ socket: LinkSocket, _ simulator: Simulator) {
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
                let answer: String
                do throws(SimulatorError) { answer = try ControlCommand(line).run(on: simulator) } catch {
                    answer = "error \(error)"
                }
                guard socket.write(Array((answer + "\n").utf8)) else { return }
            }
        }
    }
}
