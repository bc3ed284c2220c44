public import FrameFastModel
public import FrameFastSystem
public import Logging
public import ServiceLifecycle
import Synchronization

/// A service that runs hooks in the order of their events, independently of capture and upload. The service
/// does not store events on disk. Events that are waiting when the service stops are lost. Use a `command`
/// destination for work that must not be missed.
public final class HookService: Service {
    /// The largest number of events that wait for one hook.
    public static let eventsMax = 500
    /// The backoff between a failed run and its retry. A common cause of a failed run is a server that is
    /// restarting.
    public static let waits = Backoff(first: .seconds(2), factor: 3, maximum: .seconds(60))

    private struct State {
        var workers: [HookWorker] = []
        var kinds: Set<Hook.EventKind> = []
    }

    private let state = Mutex(State())
    private let starts: AsyncStream<HookWorker>
    private let start: AsyncStream<HookWorker>.Continuation
    private let makeWorker: @Sendable (Hook) -> HookWorker
    private let lookUp: @Sendable (HookEvent) async -> HookEvent?

    /// - Parameters:
    ///   - waits: The backoff between a failed run and its retry.
    ///   - clock: The clock of the backoff.
    ///   - lookUp: Adds facts to an event immediately before the run, or returns `nil` to skip the run.
    ///   - onOverflow: Called with a condition when a hook's queue skips events, and with `nil` when the
    ///     queue is empty again or the hook is removed.
    public init(
        hooks: [Hook], logger: Logger, eventsMax: Int = HookService.eventsMax,
        waits: Backoff = HookService.waits, clock: HostClock = .system,
        lookUp: @escaping @Sendable (HookEvent) async -> HookEvent? = { $0 },
        onOverflow: @escaping @Sendable (_ hook: String, Condition?) -> Void = { _, _ in }
    ) {
        self.lookUp = lookUp
        makeWorker = {
            HookWorker(
                hook: $0, eventsMax: eventsMax, waits: waits, clock: clock, logger: logger,
                onOverflow: onOverflow)
        }
        // The stream is unbounded, but holds only one worker for each hook that was added.
        (starts, start) = AsyncStream.makeStream()
        replaceHooks(with: hooks)
    }

    /// Replaces the hooks. An unchanged hook keeps its waiting events. The current runs of a removed hook
    /// finish, and its waiting events are dropped.
    public func replaceHooks(with hooks: [Hook]) {
        let before = state.withLock(\.workers)
        let workers = hooks.map { hook in before.first { $0.hook == hook } ?? makeWorker(hook) }
        state.withLock {
            $0 = State(workers: workers, kinds: hooks.reduce(into: []) { $0.formUnion($1.on) })
        }
        for worker in workers where !before.contains(where: { $0 === worker }) { start.yield(worker) }
        for worker in before where !workers.contains(where: { $0 === worker }) { worker.retire() }
    }

    /// Returns whether a hook runs for this kind of event. If the result is `false`, callers can skip
    /// collecting the event's facts.
    public func hasHook(for kind: Hook.EventKind) -> Bool {
        state.withLock { $0.kinds.contains(kind) }
    }

    /// Enqueues an event for all hooks that match it. Does not block.
    public func enqueue(_ event: HookEvent) {
        for worker in state.withLock(\.workers) { worker.enqueue(event) }
    }

    /// Runs hooks until the service shuts down. The shutdown cancels the current runs.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await worker in self.starts { group.addTask { await worker.run(self.lookUp) } }
            }
        }
    }
}
