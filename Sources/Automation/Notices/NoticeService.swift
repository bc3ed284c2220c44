public import FrameFastModel
public import Logging
public import ServiceLifecycle
import Synchronization

/// Tells people what is wrong: each notice by itself, away from everything that takes or moves photos.
public final class NoticeService: Service {
    /// Waits between a try that failed and the next: a server that is restarted is back soon, one that is not need not be
    /// asked often.
    public static let waits = Backoff(
        first: .seconds(5), factor: 3, maximum: .seconds(600), spread: 0.8...1.2)

    private struct State {
        var workers: [NoticeWorker] = []
        var conditions: [Condition]?
        var isStopping = false
    }

    private let surroundings: NoticeSurroundings
    private let state = Mutex(State())
    private let starts: AsyncStream<(NoticeWorker, after: NoticeWorker?)>
    private let start: AsyncStream<(NoticeWorker, after: NoticeWorker?)>.Continuation
    private let onFailure: @Sendable (NoticeName, Condition?) -> Void
    private let makeWorker: @Sendable (Notice, [Condition]?) -> NoticeWorker

    /// - Parameters:
    ///   - waits: Between a try that failed and the next.
    ///   - startGrace: How long after the start something may be found wrong again that was told before.
    ///   - onFailure: Told the condition when something does not arrive, and `nil` when all is well again.
    public init(
        notices: [Notice], surroundings: NoticeSurroundings, logger: Logger,
        waits: Backoff = NoticeService.waits, startGrace: Duration? = nil,
        onFailure: @escaping @Sendable (NoticeName, Condition?) -> Void
    ) {
        self.surroundings = surroundings
        self.onFailure = onFailure
        makeWorker = { notice, conditions in
            NoticeWorker(
                notice, conditions: conditions, surroundings: surroundings, waits: waits,
                startGrace: startGrace ?? NoticeBook.startGrace, logger: logger, onFailure: onFailure)
        }
        // As many as notices are configured, at a person's pace.
        (starts, start) = AsyncStream.makeStream()
        use(notices)
    }

    /// Takes other notices. One that stays as it is goes on; one that changed knows what was told.
    public func use(_ notices: [Notice]) {
        let (before, conditions) = state.withLock { ($0.workers, $0.conditions) }
        let workers = notices.map { notice in
            before.first { $0.notice == notice } ?? makeWorker(notice, conditions)
        }
        state.withLock { $0.workers = workers }
        for worker in before where !workers.contains(where: { $0 === worker }) {
            worker.stop()
            if !notices.contains(where: { $0.name == worker.notice.name }) {
                onFailure(worker.notice.name, nil)
            }
        }
        for worker in workers where !before.contains(where: { $0 === worker }) {
            start.yield((worker, after: before.first { $0.notice.name == worker.notice.name }))
        }
    }

    /// The whole new list of what is wrong. Never waits, never fails.
    public func offer(_ conditions: [Condition]) {
        let workers = state.withLock { state in
            state.conditions = conditions
            return state.workers
        }
        for worker in workers { worker.offer(conditions) }
    }

    /// Every notice, with how many conditions it has to tell and why they did not arrive last.
    public var standings: [(notice: Notice, waiting: Int, failure: String?)] {
        state.withLock(\.workers).map { worker in
            let standing = worker.standing
            return (worker.notice, standing.waiting, standing.failure)
        }
    }

    /// Sends one test, in quiet hours as well; `nil` when there is no such notice.
    public func test(_ name: NoticeName) async -> NoticeAnswer? {
        guard let notice = state.withLock(\.workers).first(where: { $0.notice.name == name })?.notice else {
            return nil
        }
        let message = NoticeMessage(notice: name, host: surroundings.host, entries: [])
        return await NoticeSender(surroundings: surroundings).send(message, notice)
    }

    /// Tells until the service is shut down.
    public func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await (worker, before) in self.starts {
                    group.addTask { await worker.run(after: before) }
                }
            }
        } onGracefulShutdown: {
            self.start.finish()
            for worker in self.state.withLock(\.workers) { worker.stop() }
        }
    }
}
