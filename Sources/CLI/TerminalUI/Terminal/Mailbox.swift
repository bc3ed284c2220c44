import CLinux
import Glibc
import Synchronization

/// Messages of background threads, for a loop that waits in `poll`.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    /// Readable while there are messages.
    public let descriptor: Int32
    let wakeDescriptor: Int32

    /// An empty one.
    public init() {
        var ends: [Int32] = [-1, -1]
        _ = framefast_pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        descriptor = ends[0]
        wakeDescriptor = ends[1]
    }

    deinit {
        close(descriptor)
        close(wakeDescriptor)
    }

    /// Adds a message and wakes the waiting loop.
    public func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        // A full pipe is a reader that was woken already.
        _ = write(wakeDescriptor, [1], 1)
    }

    /// Everything since the last time.
    public func takeAll() -> [Message] {
        var drain = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &drain, drain.count) > 0 {}
        return messages.withLock { messages in
            let all = messages
            messages.removeAll()
            return all
        }
    }
}
