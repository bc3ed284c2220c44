import Synchronization

/// Wakes one sleeper. Ringing while nobody sleeps is remembered once.
final class Bell: Sendable {
    private enum State {
        case silent
        case rung
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.silent)

    /// Wakes who waits, or who comes next.
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

    /// Returns when the bell rings, or when the task is cancelled. One task at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRung = state.withLock { state in
                    if case .rung = state {
                        state = .silent
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isRung { continuation.resume() }
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

    /// Returns when the bell rings, after `seconds`, or when the task is cancelled.
    ///
    /// - Parameter seconds: `nil` waits for the bell alone.
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

/// Says that the service is to stop, to everybody who listens.
final class StopSignal: Sendable {
    private let state = Mutex<(isRaised: Bool, bells: [Bell])>((false, []))

    /// Whether the service is to stop.
    var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Rings `bell` as well when the service is to stop.
    func wake(_ bell: Bell) { state.withLock { $0.bells.append(bell) } }

    /// Says it.
    func raise() {
        let bells = state.withLock { state in
            state.isRaised = true
            return state.bells
        }
        for bell in bells { bell.ring() }
    }
}
