import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import FrameFastSystem

@Suite struct BlockingPoolTests {
    private final class Calls: Sendable {
        private let state = Mutex((running: 0, most: 0))
        var most: Int { state.withLock(\.most) }

        func run() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
            sched_yield()
            state.withLock { $0.running -= 1 }
        }
    }

    @Test(arguments: [1, 3]) func `runs all calls, but never more than its width at once`(width: Int)
        async throws
    {
        let pool = BlockingPool(label: "test", width: width)
        let calls = Calls()
        let done = try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...200 { group.addTask { await pool.run { calls.run() } } }
            return try await group.reduce(0) { count, _ in count + 1 }
        }
        #expect(done == 200 && (1...width).contains(calls.most))
    }

    @Test func `rethrows an error and continues to run calls`() async throws {
        let pool = BlockingPool(label: "test", width: 1)
        let error = SystemCallError(call: "try", subject: "it", errno: .ioError)
        await #expect(throws: error) { try await pool.run { throw error } }
        #expect(await pool.run { 7 } == 7)
    }
}
