import FrameFastAPI
import FrameFastSystem
import Synchronization

/// The queue of one open stream. One task reads the queue. Any thread may add events.
package final class EventReader: Sendable {
    private struct State {
        var backlog: EventBacklog
        var isFinished = false
    }

    private let state: Mutex<State>
    /// An event that is signaled after each change of the state.
    private let changeEvent = AsyncEvent()
    private let accepts: @Sendable (EventReply.Body) -> Bool

    init(limit: Int, accepts: @escaping @Sendable (EventReply.Body) -> Bool = { _ in true }) {
        state = Mutex(State(backlog: EventBacklog(limit: limit)))
        self.accepts = accepts
    }

    func enqueue(_ event: EventReply) {
        guard accepts(event.body) else { return }
        update { $0.backlog.enqueue(event) }
    }

    func resync() { update { $0.backlog.markOverflow() } }

    func scheduleHeartbeat() { update { $0.backlog.scheduleHeartbeat() } }

    /// Ends the stream.
    package func finish() { update { $0.isFinished = true } }

    /// Waits for the next item. Returns `nil` if the hub is finished or the task is cancelled.
    package func next() async -> EventBacklog.Item? {
        while !Task.isCancelled {
            let (item, isFinished) = state.withLock { ($0.backlog.takeNext(), $0.isFinished) }
            if let item { return item }
            if isFinished { return nil }
            await changeEvent.wait()
        }
        return nil
    }

    private func update(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changeEvent.signal()
    }
}
