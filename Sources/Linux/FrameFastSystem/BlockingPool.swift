import Dispatch
import Synchronization

/// A pool of a few threads for blocking calls such as fsync, outside Swift's cooperative pool. A task that
/// waits for a thread of the pool is suspended.
public final class BlockingPool: Sendable {
    private struct State {
        var waiting: ArraySlice<@Sendable () -> Void> = []
        var threads = 0
    }

    private let queue: DispatchQueue
    private let width: Int
    private let state = Mutex(State())

    /// Creates a pool.
    ///
    /// - Parameter width: The largest number of concurrent calls.
    public init(label: String, width: Int) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
        self.width = width
    }

    /// Runs `body` on a thread of the pool. Inside a simulation, runs `body` in the calling task.
    public func run<Success: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        if SimulatedHost.current != nil {
            await SimulatedHost.yield()
            return try body()
        }
        let result = await withCheckedContinuation { continuation in
            let isThreadMissing = state.withLock { state in
                state.waiting.append { continuation.resume(returning: Result(catching: body)) }
                guard state.threads < width else { return false }
                state.threads += 1
                return true
            }
            if isThreadMissing { queue.async { self.runWaitingCalls() } }
        }
        return try result.get()
    }

    /// Runs waiting calls until the queue is empty.
    private func runWaitingCalls() {
        while let call = next() { call() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.threads -= 1 }
            return next
        }
    }
}
