import FrameFastAPI
import NIOConcurrencyHelpers

/// One open stream's end of the hub. One task reads; anybody offers.
///
/// Its lock is NIO's: ThreadSanitizer does not know the futex of `Synchronization.Mutex` and reports races under it.
package final class EventReader: Sendable {
    private struct State {
        var backlog: EventBacklog
        var waiter: CheckedContinuation<Void, Never>?
        var isFinished = false
    }

    private let state: NIOLockedValueBox<State>

    init(limit: Int) {
        state = NIOLockedValueBox(State(backlog: EventBacklog(limit: limit)))
    }

    func offer(_ event: EventReply) { change { $0.backlog.offer(event) } }

    func resync() { change { $0.backlog.overflow() } }

    func beat() { change { $0.backlog.beat() } }

    package func finish() { change { $0.isFinished = true } }

    /// Waits for something to tell; `nil` when the hub is finished or the task is cancelled.
    package func next() async -> EventBacklog.Taken? {
        while !Task.isCancelled {
            let (taken, isFinished) = state.withLockedValue { ($0.backlog.take(), $0.isFinished) }
            if let taken { return taken }
            if isFinished { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLockedValue { state in
                        if state.isFinished || state.backlog.hasNews || Task.isCancelled { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                change { _ in }
            }
        }
        return nil
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLockedValue { state in
            body(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
