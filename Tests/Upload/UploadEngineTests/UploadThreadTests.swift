import Glibc
import Testing

@testable import UploadEngine

@Suite struct UploadThreadTests {
    /// The niceness of the calling thread.
    static var ownNiceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test func `tasks and the actors that they call run on the upload thread`() async throws {
        actor ThreadReporter {
            func thread() -> pthread_t { pthread_self() }
        }
        let thread = try #require(UploadThread.shared)
        let found = Recording<pthread_t>()
        await withTaskExecutorPreference(thread) {
            let reporter = ThreadReporter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        found.add(pthread_self())
                        let there = await reporter.thread()
                        await withCheckedContinuation { waiting in Task.detached { waiting.resume() } }
                        found.add(there)
                        found.add(pthread_self())
                    }
                }
            }
        }
        #expect(found.all.count == 60 && Set(found.all).count == 1)
    }

    @Test(.enabled(if: UploadThreadTests.ownNiceness <= 10, "the niceness of this process is too high"))
    func `upload thread has a niceness of 10`() async throws {
        let thread = try #require(UploadThread.shared)
        let nice = await withTaskExecutorPreference(thread) {
            Self.ownNiceness
        }
        #expect(nice == 10)
    }
}
