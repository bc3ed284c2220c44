import Dispatch
import Synchronization

/// A few threads for calls that block (fsync, large reads), away from Swift's cooperative pool. A call that waits for its
/// turn holds no thread.
public final class BlockingPool: Sendable {
    private struct State {
        var waiting: ArraySlice<@Sendable () -> Void> = []
        var threads = 0
    }

    private let queue: DispatchQueue
    private let width: Int
    private let state = Mutex(State())

    /// - Parameter width: Most calls that run at the same time.
    public init(label: String, width: Int) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
        self.width = width
    }

    /// Runs `body` on a thread of the pool.
    public func run<Success: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result = await withCheckedContinuation { continuation in
            let isThreadMissing = state.withLock { state in
                state.waiting.append { continuation.resume(returning: Result(catching: body)) }
                guard state.threads < width else { return false }
                state.threads += 1
                return true
            }
            if isThreadMissing { queue.async { self.work() } }
        }
        return try result.get()
    }

    /// Runs calls until none waits.
    private func work() {
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
