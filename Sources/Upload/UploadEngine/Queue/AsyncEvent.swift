import Synchronization

/// An event that wakes one waiting task. A ring without a waiting task is remembered once.
final class AsyncEvent: Sendable {
    private enum State {
        case silent
        case rung
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.silent)

    /// Wakes the waiting task, or the next one that waits.
    func ring() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let continuation) = state {
                state = .silent
                return continuation
            }
            state = .rung
            return nil
        }
        waiter?.resume()
    }

    /// Waits until the event rings or the task is cancelled. Only one task may wait at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasRung = state.withLock { state in
                    if case .rung = state {
                        state = .silent
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if hasRung { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .waiting(let continuation) = state else { return nil }
                state = .silent
                return continuation
            }
            waiter?.resume()
        }
    }

    /// Waits until the event rings, the time is over or the task is cancelled.
    ///
    /// - Parameter seconds: The longest time to wait, in seconds, or `nil` for no limit.
    func wait(seconds: Double?, _ clock: UploadClock) async {
        guard let seconds else { return await wait() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(max(seconds, 0)) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// A flag that tells all loops to stop.
final class StopSignal: Sendable {
    private let state = Mutex<(isRaised: Bool, events: [AsyncEvent])>((false, []))

    /// Whether the service is stopping.
    var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Registers an event that rings when the service stops.
    func register(_ event: AsyncEvent) { state.withLock { $0.events.append(event) } }

    /// Sets the flag and rings all registered events.
    func raise() {
        let events = state.withLock { state in
            state.isRaised = true
            return state.events
        }
        for event in events { event.ring() }
    }
}
