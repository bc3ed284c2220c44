import PlainThreads

/// Runs what blocks in `poll` on a thread of its own, and wakes it when nobody wants to know any more.
enum NetworkThread {
    /// Runs `body`, which returns soon after the signal that it is given.
    ///
    /// - Parameter none: The answer when the system has no descriptors or threads left.
    static func run<Result: Sendable>(
        _ name: String, ifNone none: Result, _ body: @escaping @Sendable (StopSignal) -> Result
    ) async -> Result {
        guard let stop = try? StopSignal() else { return none }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do { try PlainThread.start(name) { continuation.resume(returning: body(stop)) } } catch {
                    continuation.resume(returning: none)
                }
            }
        } onCancel: {
            stop.send()
        }
    }
}
