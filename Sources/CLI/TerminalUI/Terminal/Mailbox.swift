import CLinux
import Glibc
import Synchronization

/// A queue of messages from background threads, for a loop that waits in `poll`.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    /// The descriptor for `poll`, which is readable while there are messages.
    public let descriptor: Int32
    let wakeDescriptor: Int32

    /// Creates an empty mailbox.
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
        // If the pipe is full, the reader was already woken.
        _ = write(wakeDescriptor, [1], 1)
    }

    /// Removes and returns all messages.
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
