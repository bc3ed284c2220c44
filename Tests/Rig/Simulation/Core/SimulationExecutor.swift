import Foundation
import FrameFastSystem
import Glibc
import Synchronization

/// The executor of all tasks of a simulation.
///
/// One thread runs the jobs, in an order that the seed chooses. The virtual time moves only when no job is
/// ready, to the earliest deadline of a sleeping task. The same seed therefore gives the same history.
final class SimulationExecutor: TaskExecutor {
    /// The executor of this process. After ``install()``, jobs without a preferred executor also run here.
    static let shared = SimulationExecutor()

    /// The reason why a simulation did not end.
    enum Failure: Error, Hashable {
        /// No job is ready and no task sleeps, so every task waits forever.
        case deadlock
        /// The simulation exceeded its number of jobs.
        case tooManySteps
        /// Code of the service enqueued a job from another thread, so the seed may have another history in
        /// the next run.
        case foreignThread
    }

    /// The date at the start of each simulation: 2033-05-18. Real files are older, so the service treats them
    /// as unchanged since it saved them.
    static let startDate = 2_000_000_000.0
    /// The maximum number of jobs after the end of a simulation, before and after the sleeping tasks are
    /// cancelled. The executor then abandons the remaining tasks.
    private static let drainStepsMax = 50_000
    private static let microseconds = 1_000_000.0
    /// The longest sleep, in seconds.
    private static let sleepMax = 1e9

    private struct Sleeper {
        var deadline: Int64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var random = SimulationRandom(seed: 0)
        var jobs: [UnownedJob] = []
        /// The number of oldest jobs from which the next job is chosen.
        var window = 1
        var steps = 0
        /// The time since the start, in microseconds.
        var now: Int64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        /// The IDs of sleeps whose task was cancelled before the sleep started.
        var cancelled: Set<UInt64> = []
        /// The number of the last sleeper. Sleepers of different seeds have different numbers.
        var lastSleeper: UInt64 = 0
        var alarm: (step: Int, action: @Sendable () -> Void)?
        /// The thread of the simulation.
        var thread = pthread_self()
        var hasForeignJob = false
    }

    /// The next action of the loop.
    private enum Turn {
        case run(UnownedJob)
        case wake(CheckedContinuation<Void, any Error>)
        case ring(@Sendable () -> Void)
        case stop
    }

    private let state = Mutex(State())

    // MARK: jobs

    /// Adds a job to the queue.
    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    private func add(_ job: UnownedJob) {
        state.withLock { state in
            state.jobs.append(job)
            if pthread_equal(pthread_self(), state.thread) == 0 { state.hasForeignJob = true }
        }
    }

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Redirects all jobs of this process that have no preferred executor to this executor. Unstructured
    /// tasks do not inherit a preference.
    static func install() {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else {
            fatalError("the Swift runtime has no swift_task_enqueueGlobal_hook")
        }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in SimulationExecutor.shared.add(job) }
    }

    /// Runs an operation, and all tasks that it starts, until the operation ends.
    ///
    /// - Parameters:
    ///   - window: The number of oldest jobs from which the next job is chosen. With 1, jobs run in order.
    ///   - stepsMax: The largest number of jobs.
    /// - Throws: ``Failure`` if the operation does not end.
    func run<Value: Sendable>(
        seed: UInt64, window: Int, stepsMax: Int, _ operation: @escaping @Sendable () async -> Value
    ) throws(Failure) -> Value {
        state.withLock { state in
            // A task of an earlier seed may be cancelled during this seed. The sleep of that task must not
            // have the number of a sleep of this seed.
            let lastSleeper = state.lastSleeper
            state = State()
            state.lastSleeper = lastSleeper
            state.random = SimulationRandom(seed: seed)
            state.window = max(window, 1)
        }
        let result = AsyncResult<Value>()
        Task(executorPreference: self) { result.set(await operation()) }
        defer { drain() }
        while true {
            if let value = result.value { return value }
            guard step() else { throw .deadlock }
            guard steps < stepsMax else { throw .tooManySteps }
            guard !state.withLock(\.hasForeignJob) else { throw .foreignThread }
        }
    }

    /// Runs the remaining tasks up to a number of jobs. Then cancels the tasks that still sleep, and runs
    /// them.
    private func drain() {
        let end = steps + Self.drainStepsMax
        while steps < end, step() {}
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return state.sleepers.sorted { $0.key < $1.key }.map(\.value)
        }
        for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
        let last = steps + Self.drainStepsMax
        while steps < last, step() {}
    }

    /// Performs one action.
    ///
    /// - Returns: `false` if no job is ready and no task sleeps.
    private func step() -> Bool {
        switch nextTurn() {
        case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .wake(let continuation): continuation.resume()
        case .ring(let action): action()
        case .stop: return false
        }
        return true
    }

    private func nextTurn() -> Turn {
        state.withLock { state in
            if let alarm = state.alarm, state.steps >= alarm.step {
                state.alarm = nil
                return .ring(alarm.action)
            }
            if !state.jobs.isEmpty {
                state.steps += 1
                let last = min(state.jobs.count, state.window) - 1
                return .run(state.jobs.remove(at: state.random.number(0...last)))
            }
            let first = state.sleepers.min {
                ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
            }
            guard let first else { return .stop }
            state.sleepers[first.key] = nil
            state.now = max(state.now, first.value.deadline)
            return .wake(first.value.continuation)
        }
    }

    /// The number of jobs since the start.
    var steps: Int { state.withLock { $0.steps } }

    /// Calls `action` between two jobs, after a number of jobs from now. A later call replaces the action.
    func setAlarm(after steps: Int, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.alarm = ($0.steps + steps, action) }
    }

    /// Removes the action of ``setAlarm(after:_:)``.
    func clearAlarm() { state.withLock { $0.alarm = nil } }

    /// Draws a number from the sequence of the seed.
    func draw<Value>(_ body: (inout SimulationRandom) -> Value) -> Value where Value: Sendable {
        state.withLock { body(&$0.random) }
    }

    // MARK: time

    /// The time since the start, in seconds.
    var uptime: Double { Double(state.withLock { $0.now }) / Self.microseconds }

    /// The clock of the simulated computer. The computer is never suspended.
    var clock: HostClock {
        let uptime: @Sendable () -> Double = { self.uptime }
        let sleep: @Sendable (Double) async throws -> Void = { try await self.sleep($0) }
        return HostClock(
            now: { Date(timeIntervalSince1970: Self.startDate + self.uptime) }, uptime: uptime,
            awakeTime: uptime, slept: { 0 },
            bootTimeNs: { UInt64(self.uptime * 1_000_000_000) }, sleep: sleep, sleepAwake: sleep,
            random: { self.draw { Double.random(in: 0..<1, using: &$0) } },
            randomBits: { self.draw { $0.next() } },
            minuteOfDay: { Int($0.timeIntervalSince1970) / 60 % 1_440 })
    }

    private func sleep(_ seconds: Double) async throws {
        let wait = max(Int64(min(max(seconds, 0), Self.sleepMax) * Self.microseconds), 1)
        let id = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard state.cancelled.remove(id) == nil else { return true }
                    state.sleepers[id] = Sleeper(deadline: state.now + wait, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
