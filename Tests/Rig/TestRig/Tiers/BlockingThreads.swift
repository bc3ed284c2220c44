import Foundation
import Synchronization

/// Threads for tests that block in system calls.
///
/// Swift's own pool has one thread for each processor. A test that blocks these threads stops all other
/// tests. A dispatch queue on Linux adds only one thread per second. This executor runs each job on an idle
/// thread, or immediately starts a new thread.
public final class BlockingThreads: TaskExecutor {
    /// The threads of all tests.
    public static let shared = BlockingThreads()

    private struct State {
        var jobs: [UnownedJob] = []
        /// The number of threads without a job, including threads that are starting.
        var idle = 0
    }
    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Runs a part of a test on one of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.idle < state.jobs.count else { return false }
            state.idle += 1
            return true
        }
        if needsThread { startThread() }
        wakeUp.signal()
    }

    private func startThread() {
        let thread = Thread { [self] in
            while true { runNext() }
        }
        thread.name = "blocking test"
        // The stack size of a main thread on Linux.
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func runNext() {
        wakeUp.wait()
        let job = state.withLock { state in
            state.idle -= 1
            return state.jobs.removeFirst()
        }
        job.runSynchronously(on: asUnownedTaskExecutor())
        state.withLock { $0.idle += 1 }
    }
}
