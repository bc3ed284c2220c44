import Glibc

/// A one-shot signal that wakes a thread that sleeps in `poll`.
final class StopSignal: Sendable {
    /// The system has no descriptors left.
    struct NoDescriptors: Error { var errno: Int32 }

    /// The descriptor to poll; readable after the signal was sent.
    let descriptor: Int32
    private let sender: Int32

    init() throws(NoDescriptors) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw NoDescriptors(errno: errno) }
        descriptor = ends[0]
        sender = ends[1]
    }

    deinit {
        close(descriptor)
        close(sender)
    }

    func send() {
        var byte: UInt8 = 1
        _ = write(sender, &byte, 1)
    }
}
