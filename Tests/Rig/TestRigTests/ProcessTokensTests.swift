import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TestRig

@Suite struct ProcessTokensTests {
    /// A counter of the tokens that are held at the same time.
    private final class Held: Sendable {
        private let count = Mutex((now: 0, most: 0))
        var now: Int { count.withLock(\.now) }
        var most: Int { count.withLock(\.most) }

        func change(by tokens: Int) {
            count.withLock { count in
                count.now += tokens
                count.most = max(count.most, count.now)
            }
        }
    }

    @Test func `never grants more tokens than the limit`() async throws {
        let tokens = ProcessTokens(4)
        let held = Held()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for weight in [1, 2, 4, 3, 1, 2, 9, 2, 1] {
                group.addTask {
                    try await tokens.holding(weight) {
                        held.change(by: min(weight, 4))
                        await Task.yield()
                        held.change(by: -min(weight, 4))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(held.most <= 4)
        #expect(held.now == 0)
    }

    @Test func `returns tokens after an error`() async throws {
        let tokens = ProcessTokens(1)
        await #expect(throws: CancellationError.self) {
            try await tokens.holding(1) { throw CancellationError() }
        }
        try await tokens.holding(1) {}
    }

    @Test func `the programs trait has the given weight, and the blocking trait has weight 0`() throws {
        #expect(ProgramsTrait.programs(3).weight == 3)
        #expect(ProgramsTrait.blocking.weight == 0)
    }

    /// Nested traits of one case must not wait for each other; see `ProgramsTrait`.
    @Test(.programs(2), .programs(64)) func `a case with two weights runs`() {
        #expect(Thread.current.name != nil)
    }
}

@Suite struct BlockingThreadsTests {
    /// A barrier that blocks threads until all of them have arrived.
    private final class Barrier: Sendable {
        private let arrived = Mutex(0)
        private let all = DispatchSemaphore(value: 0)
        private let count: Int

        init(_ count: Int) { self.count = count }

        var isComplete: Bool { arrived.withLock { $0 == count } }

        func wait() {
            let isLast = arrived.withLock { arrived in
                arrived += 1
                return arrived == count
            }
            if isLast { for _ in 0..<count { all.signal() } }
            all.wait()
        }
    }

    @Test func `blocking jobs get one thread each`() async {
        let barrier = Barrier(40)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask(executorPreference: BlockingThreads.shared) { barrier.wait() }
            }
        }
        #expect(barrier.isComplete)
    }
}
