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
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        /// The sleepers whose task was cancelled before they slept.
        var cancelled: Set<Int> = []
        var lastSleeper = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// The virtual time.
    public var now: Instant { state.withLock(\.now) }
    /// Zero, because sleeps end exactly at their deadlines.
    public let minimumResolution: Duration = .zero

    /// Sleeps until the virtual time reaches the deadline.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(id, until: deadline, continuation)
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func start(
        _ id: Int, until deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let (result, waiters) = state.withLock {
            state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
            if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
            guard deadline > state.now else { return (.success(()), []) }
            state.sleepers[id] = (deadline, continuation)
            defer { state.waiters = [] }
            return (nil, state.waiters)
        }
        if let result { continuation.resume(with: result) }
        for waiter in waiters { waiter.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: id)
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
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
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
