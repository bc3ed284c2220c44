import FrameFastSystem
import SystemIO
import Testing

@testable import Simulation

/// Tests of the executor with virtual time.
@Suite struct SimulationExecutorTests {
    private static let stepsMax = 100

    /// Runs `body` on a new thread without a task, like the main thread of `framefast-simulate`.
    private static func runOnThread(_ body: @escaping @Sendable () -> Void) throws {
        try PlainThread.startJoinable("simulation", body).join()
    }

    @Test func `a cancelled task does not end a sleep of the next seed`() throws {
        let executor = SimulationExecutor()
        let clock = executor.clock
        // The abandoned task prefers an executor that has stopped. Therefore, its sleep never returns.
        let stopped = SimulationExecutor()
        let abandoned = AsyncResult<Task<Void, Never>>()
        let sleeps = AsyncResult<[Bool]>()
        try Self.runOnThread {
            try? executor.run(seed: 1, window: 1, stepsMax: Self.stepsMax) { () async -> Void in
                executor.setAlarm(after: 0) {
                    try? stopped.run(seed: 1, window: 1, stepsMax: Self.stepsMax) { () async -> Void in
                        let task = Task(executorPreference: stopped) {
                            _ = try? await clock.sleep(for: .seconds(1))
                        }
                        abandoned.set(task)
                        await task.value
                    }
                }
                _ = try? await clock.sleep(for: .seconds(1))
            }
            // If each seed numbered its sleeps from 1, the cancelled sleep of the first seed would have the
            // number of one of these two sleeps.
            let completed = try? executor.run(seed: 2, window: 1, stepsMax: Self.stepsMax) {
                () async -> [Bool] in
                executor.setAlarm(after: 0) { abandoned.value?.cancel() }
                var completed: [Bool] = []
                for _ in 1...2 {
                    completed.append((try? await clock.sleep(for: .seconds(1))) != nil)
                }
                return completed
            }
            if let completed { sleeps.set(completed) }
        }
        #expect(abandoned.value?.isCancelled == true)
        #expect(sleeps.value == [true, true])
    }
}
