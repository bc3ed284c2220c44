/// A semaphore for tasks. A waiting task is suspended, and stops waiting if it is cancelled.
public actor AsyncSemaphore {
    private var free: Int
    private var waiters: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    private var lastID: UInt64 = 0

    /// Creates a semaphore.
    ///
    /// - Parameter permits: The number of tasks that can hold a permit at the same time, at least 1.
    public init(permits: Int) {
        free = max(permits, 1)
    }

    /// Runs `work` with a permit. Waiting tasks receive permits in the order of their calls.
    ///
    /// - Returns: The result of `work`, or `nil` if the task was cancelled before it received a permit.
    public func withPermit<Result, Failure>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result? {
        guard await acquire() else { return nil }
        do throws(Failure) {
            let result = try await work()
            await release()
            return result
        } catch {
            await release()
            throw error
        }
    }

    /// Waits for a permit.
    ///
    /// - Returns: `false` if the task was cancelled before it received a permit.
    private func acquire() async -> Bool {
        guard !Task.isCancelled else { return false }
        guard free == 0 else {
            free -= 1
            return true
        }
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // `cancel` runs on this actor, and therefore not during this block.
                if Task.isCancelled {
                    continuation.resume(returning: false)
                } else {
                    waiters.append((id, continuation))
                }
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    /// Passes the permit to the task that has waited the longest, or frees the permit if no task waits.
    private func release() {
        guard waiters.isEmpty else { return waiters.removeFirst().continuation.resume(returning: true) }
        free += 1
    }

    private func cancel(_ id: UInt64) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }
}
