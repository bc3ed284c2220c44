import Synchronization
import SystemIO

/// A queue of messages from background threads, for a loop that waits in `poll`.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let wake = try? WakeDescriptor()

    /// Creates an empty mailbox.
    public init() {}

    /// The descriptor for `poll`, which is readable while there are messages, or −1 if the process had no
    /// descriptor left.
    public var descriptor: Int32 { wake?.descriptor ?? -1 }

    /// Adds a message and wakes the waiting loop.
    public func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wake?.signal()
    }

    /// Removes and returns all messages.
    public func takeAll() -> [Message] {
        wake?.reset()
        return messages.withLock { messages in
            let all = messages
            messages.removeAll()
            return all
        }
    }
}
