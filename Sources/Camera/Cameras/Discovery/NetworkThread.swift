import FrameFastSystem
import SystemIO

/// Runs code that blocks in `poll` on a separate thread, and wakes the code if the task is cancelled.
enum NetworkThread {
    /// Runs `body`, which must return soon after the stop signal.
    ///
    /// - Parameter none: The result if the system has no free descriptors or threads.
    static func run<Result: Sendable>(
        _ name: String, ifNone none: Result, _ body: @escaping @Sendable (WakeDescriptor) -> Result
    ) async -> Result {
        guard let stop = try? WakeDescriptor() else { return none }
        let result = AsyncResult<Result>()
        do { try PlainThread.start(name) { result.set(body(stop)) } } catch { return none }
        return await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            stop.signal()
        }
    }
}
