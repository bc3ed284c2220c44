import FrameFastSystem
import Synchronization

extension AsyncEvent {
    /// Waits until the event is signaled, the time has passed or the task is cancelled.
    ///
    /// - Parameter seconds: The longest time to wait, in seconds, or `nil` for no limit.
    func wait(seconds: Double?, _ clock: HostClock) async {
        guard let seconds else { return await wait() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(max(seconds, 0)) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// A flag that stops all loops of the upload service.
final class StopSignal: Sendable {
    private let state = Mutex<(isRaised: Bool, events: [AsyncEvent])>((false, []))

    /// Whether the service is stopping.
    var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Registers an event that is signaled when the service stops.
    func register(_ event: AsyncEvent) { state.withLock { $0.events.append(event) } }

    /// Sets the flag and signals all registered events.
    func raise() {
        let events = state.withLock { state in
            state.isRaised = true
            return state.events
        }
        for event in events { event.signal() }
    }
}
