import Glibc
import Synchronization
import SystemIO

/// A queue of messages from background threads, for a loop that waits in `poll`.
public final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        /// Wakes the thread that waits until the loop takes the messages, or `nil` if no thread waits.
        var taken: WakeDescriptor?
    }

    private let state = Mutex(State())
    private let wake = try? WakeDescriptor()

    /// Creates an empty mailbox.
    public init() {}

    /// The descriptor for `poll`, which is readable while there are messages, or −1 if the process had no
    /// descriptor left.
    public var descriptor: Int32 { wake?.descriptor ?? -1 }

    /// Adds a message and wakes the waiting loop.
    public func post(_ message: Message) {
        state.withLock { $0.messages.append(message) }
        wake?.signal()
    }

    /// Adds a message. If the mailbox is full, blocks the thread until the loop takes the messages. Only one
    /// thread of a mailbox may use this function.
    ///
    /// - Parameter messagesMax: The number of messages in a full mailbox.
    public func post(_ message: Message, messagesMax: Int) {
        post(message)
        let taken = state.withLock { state -> WakeDescriptor? in
            guard state.messages.count >= messagesMax else { return nil }
            state.taken = try? WakeDescriptor()
            return state.taken
        }
        if let taken { _ = try? IO.poll(taken.descriptor, for: POLLIN, milliseconds: -1) }
    }

    /// Removes and returns all messages.
    public func takeAll() -> [Message] {
        wake?.reset()
        return state.withLock { state in
            state.taken?.signal()
            defer { state = State() }
            return state.messages
        }
    }
}
