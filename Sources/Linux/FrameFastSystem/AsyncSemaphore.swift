/// A semaphore for tasks. A task that waits does not block its thread, and leaves the line when it is cancelled.
public actor AsyncSemaphore {
    private var free: Int
    private var line: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    private var lastID: UInt64 = 0

    /// - Parameter permits: How many tasks have a permit at the same time; at least 1.
    public init(permits: Int) {
        free = max(permits, 1)
    }

    /// Runs `work` with a permit. Tasks get their permits in the order in which they ask.
    ///
    /// - Returns: `nil` if the task was cancelled before it had a permit.
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
    /// - Returns: Whether the task has a permit; `false` if it was cancelled.
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
                // The handler below runs before or after this, never between: it has to enter the actor.
                if Task.isCancelled {
                    continuation.resume(returning: false)
                } else {
                    line.append((id, continuation))
                }
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    /// Hands the permit to the next task in line.
    private func release() {
        guard line.isEmpty else { return line.removeFirst().continuation.resume(returning: true) }
        free += 1
    }

    private func cancel(_ id: UInt64) {
        guard let place = line.firstIndex(where: { $0.id == id }) else { return }
        line.remove(at: place).continuation.resume(returning: false)
    }
}
