/// Lets so many in at once; the others wait in line, and leave it when they are cancelled.
public actor Turnstile {
    private var free: Int
    private var line: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    private var lastID: UInt64 = 0

    /// - Parameter width: How many are in at once; at least 1.
    public init(width: Int) {
        free = max(width, 1)
    }

    /// Does something when its turn has come.
    ///
    /// - Returns: `nil` when the task was cancelled before that.
    public func pass<Result, Failure>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result? {
        guard await enter() else { return nil }
        do throws(Failure) {
            let result = try await work()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    /// Waits for a turn.
    ///
    /// - Returns: Whether there is a turn; `false` when the task was cancelled.
    private func enter() async -> Bool {
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
            Task { await self.giveUp(id) }
        }
    }

    /// Gives the turn to the next in line.
    private func leave() {
        guard line.isEmpty else { return line.removeFirst().continuation.resume(returning: true) }
        free += 1
    }

    private func giveUp(_ id: UInt64) {
        guard let place = line.firstIndex(where: { $0.id == id }) else { return }
        line.remove(at: place).continuation.resume(returning: false)
    }
}
