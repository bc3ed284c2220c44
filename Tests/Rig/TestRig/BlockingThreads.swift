import Dispatch

/// Threads for tests that wait in system calls: on Swift's own, of which there are as many as processors, every test of
/// the run that is asynchronous would wait with them.
public final class BlockingThreads: TaskExecutor {
    /// The one for all tests.
    public static let shared = BlockingThreads()

    private let queue = DispatchQueue(label: "blocking tests", attributes: .concurrent)

    /// Runs a piece of a test on any of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
