import Synchronization

/// A clock whose time advances only when a test advances it.
public final class VirtualClock: Clock {
    /// A moment of the virtual time, relative to its zero.
    public struct Instant: InstantProtocol {
        /// The time since the clock's zero.
        public var elapsed: Duration = .zero

        /// Returns the moment that is `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        /// Returns the time from this moment to another.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        /// Returns whether one moment is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    private struct State {
        var now = Instant()
        var sleepers: [(deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// The virtual time.
    public var now: Instant { state.withLock(\.now) }
    /// Zero, because sleeps end exactly at their deadlines.
    public let minimumResolution: Duration = .zero

    /// Sleeps until the virtual time reaches the deadline. Ignores cancellation.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let due = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                guard deadline > state.now else { return [continuation] }
                state.sleepers.append((deadline, continuation))
                defer { state.waiters = [] }
                return state.waiters
            }
            for continuation in due { continuation.resume() }
        }
    }

    /// Waits until a task sleeps on this clock.
    public func hasSleeper() async {
        await withCheckedContinuation { continuation in
            let isSleeping = state.withLock { state in
                if state.sleepers.isEmpty { state.waiters.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isSleeping { continuation.resume() }
        }
    }

    /// Advances the time, and wakes the tasks whose deadlines it reaches.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
