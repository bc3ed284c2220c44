import FrameFastSystem
import Testing

@Suite struct AsyncSemaphoreTests {
    private actor Count {
        private(set) var running = 0
        private(set) var maxRunning = 0
        private(set) var total = 0

        func enter() {
            running += 1
            total += 1
            maxRunning = max(maxRunning, running)
        }

        func leave() { running -= 1 }
    }

    @Test(arguments: [1, 3]) func `limits how many tasks run at the same time`(permits: Int) async {
        let (semaphore, count) = (AsyncSemaphore(permits: permits), Count())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = await semaphore.withPermit {
                        await count.enter()
                        await Task.yield()
                        await count.leave()
                    }
                }
            }
        }
        #expect(await count.total == 20)
        #expect(await count.maxRunning <= permits)
    }

    @Test func `a cancelled task stops waiting and a failed task returns its permit`() async {
        struct Failure: Error {}
        let semaphore = AsyncSemaphore(permits: 1)
        let (started, start) = AsyncStream<Void>.makeStream()
        let (end, finish) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await semaphore.withPermit {
                start.yield()
                for await _ in end { break }
                throw Failure()
            }
        }
        for await _ in started { break }
        let waiting = Task { await semaphore.withPermit { true } }
        waiting.cancel()
        #expect(await waiting.value == nil)
        finish.yield()
        await #expect(throws: Failure.self) { try await first.value }
        #expect(await semaphore.withPermit { true } == true)
    }
}
