import Dispatch

/// A few threads for calls that block (fsync, large reads), away from Swift's cooperative pool.
public struct BlockingPool: Sendable {
    private let queue: DispatchQueue
    private let turns: DispatchSemaphore

    /// - Parameter width: Most calls that run at the same time.
    public init(label: String, width: Int) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
        turns = DispatchSemaphore(value: width)
    }

    /// Runs `body` on a thread of the pool.
    public func run<Success: Sendable>(
        _ body: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                turns.wait()
                defer { turns.signal() }
                continuation.resume(with: Result(catching: body))
            }
        }
    }
}
