public import FrameFastModel
public import Logging
public import ServiceLifecycle
import Synchronization

/// Runs hooks: each in the order of its events, away from everything that takes or moves photos. At most once: what
/// waits when the service ends is not run later; except for durable hooks, which are run at least once for each event.
public final class HookService: Service {
    /// Most events that wait for one hook.
    public static let eventsMax = 500
    /// Waits between a run that failed and its repetition. What a hook talks to is often only restarted.
    public static let waits = Backoff(first: .seconds(2), factor: 3, maximum: .seconds(60))

    private struct State {
        var workers: [any HookRunner] = []
        var moments: Set<Hook.Moment> = []
    }

    private struct Begin {
        var worker: any HookRunner
        /// One of the same name that has to end first.
        var after: (any HookRunner)?
    }

    private let state = Mutex(State())
    private let starts: AsyncStream<Begin>
    private let start: AsyncStream<Begin>.Continuation
    private let makeWorker: @Sendable (Hook) -> any HookRunner
    private let lookUp: @Sendable (HookEvent) async -> HookEvent?

    /// - Parameters:
    ///   - waits: Between a run that failed and its repetition, for hooks that have some.
    ///   - storage: Where the events of durable hooks are kept; without it none is durable.
    ///   - lookUp: Adds to an event what has to be looked up, when it is its turn; `nil` when the hook is not to be run.
    ///   - onOverflow: Told the condition when events of a hook have to be skipped, and `nil` when all is well again.
    public init(
        hooks: [Hook], logger: Logger, eventsMax: Int = HookService.eventsMax,
        waits: Backoff = HookService.waits, storage: HookStorage? = nil,
        lookUp: @escaping @Sendable (HookEvent) async -> HookEvent? = { $0 },
        onOverflow: @escaping @Sendable (_ hook: String, Condition?) -> Void = { _, _ in }
    ) {
        self.lookUp = lookUp
        makeWorker = {
            if $0.isDurable, let storage {
                DurableHookWorker(
                    hook: $0, storage: storage, waits: waits, logger: logger, onOverflow: onOverflow)
            } else {
                HookWorker(
                    hook: $0, eventsMax: eventsMax, waits: waits, logger: logger, onOverflow: onOverflow)
            }
        }
        // As many as hooks are configured, at a person's pace.
        (starts, start) = AsyncStream.makeStream()
        use(hooks)
    }

    /// Takes other hooks. One that stays as it is keeps what waits for it; one that goes ends what it runs.
    public func use(_ hooks: [Hook]) {
        let before = state.withLock(\.workers)
        let workers = hooks.map { hook in before.first { $0.hook == hook } ?? makeWorker(hook) }
        state.withLock {
            $0 = State(workers: workers, moments: hooks.reduce(into: []) { $0.formUnion($1.on) })
        }
        for worker in workers where !before.contains(where: { $0 === worker }) {
            start.yield(Begin(worker: worker, after: before.first { $0.hook.name == worker.hook.name }))
        }
        for worker in before where !workers.contains(where: { $0 === worker }) { worker.retire() }
    }

    /// Whether any hook is run in this moment: otherwise nobody needs to gather its facts.
    public func hears(_ moment: Hook.Moment) -> Bool {
        state.withLock { $0.moments.contains(moment) }
    }

    /// Takes an event. Never waits, never fails.
    public func offer(_ event: HookEvent) {
        for worker in state.withLock(\.workers) { worker.offer(event) }
    }

    /// Runs hooks until the service is shut down; runs that are under way are then ended.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await begin in self.starts {
                    group.addTask { await begin.worker.run(after: begin.after, self.lookUp) }
                }
            }
        }
    }
}
