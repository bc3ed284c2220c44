import FrameFastAPI
import FrameFastSystem
import NIOConcurrencyHelpers

/// The queue of one open stream. One task reads it; any thread may add events.
///
/// Its lock is NIO's, because ThreadSanitizer does not support the futex of `Synchronization.Mutex` and
/// reports false races.
final class EventReader: Sendable {
    private struct State {
        var backlog: EventBacklog
        var isFinished = false
    }

    private let state: NIOLockedValueBox<State>
    /// Rings after each change of the state.
    private let changeEvent = AsyncEvent()

    init(limit: Int) {
        state = NIOLockedValueBox(State(backlog: EventBacklog(limit: limit)))
    }

    func enqueue(_ event: EventReply) { update { $0.backlog.enqueue(event) } }

    func resync() { update { $0.backlog.markOverflow() } }

    func scheduleHeartbeat() { update { $0.backlog.scheduleHeartbeat() } }

    func finish() { update { $0.isFinished = true } }

    /// Waits for the next item. Returns `nil` if the hub is finished or the task is cancelled.
    func next() async -> EventBacklog.Item? {
        while !Task.isCancelled {
            let (item, isFinished) = state.withLockedValue { ($0.backlog.takeNext(), $0.isFinished) }
            if let item { return item }
            if isFinished { return nil }
            await changeEvent.wait()
        }
        return nil
    }

    private func update(_ body: (inout State) -> Void) {
        state.withLockedValue { body(&$0) }
        changeEvent.ring()
    }
}
