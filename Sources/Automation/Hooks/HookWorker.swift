import Foundation
import FrameFastModel
import Logging
import Synchronization

/// One hook with the events that wait for it: a hook that hangs delays no other.
final class HookWorker: HookRunner {
    let hook: Hook
    private let run: HookRun
    private let logger: Logger
    private let onOverflow: @Sendable (_ hook: String, Condition?) -> Void
    private let queue: Mutex<HookQueue>
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let (ended, end) = AsyncStream<Void>.makeStream()

    init(
        hook: Hook, eventsMax: Int, waits: Backoff, logger: Logger,
        onOverflow: @escaping @Sendable (_ hook: String, Condition?) -> Void
    ) {
        self.hook = hook
        run = HookRun(hook: hook, waits: waits, logger: logger)
        self.logger = logger
        self.onOverflow = onOverflow
        queue = Mutex(HookQueue(eventsMax: eventsMax))
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func offer(_ event: HookEvent) {
        guard hook.wants(event) else { return }
        let overflow = queue.withLock { queue -> (isFirst: Bool, skipped: Int)? in
            let wasWell = queue.skipped.isEmpty
            return queue.add(event) ? (wasWell, queue.skipped.values.reduce(0, +)) : nil
        }
        ring.yield()
        guard let overflow else { return }
        // Once per overflow and then each hundredth: the log is no second queue.
        guard overflow.isFirst || overflow.skipped.isMultiple(of: 100) else { return }
        logger.warning(
            "a hook is slower than its events: the oldest are skipped",
            metadata: [
                "hook": "\(hook.name)", "event": "\(event.moment.rawValue)", "skipped": "\(overflow.skipped)",
            ])
        onOverflow(
            hook.name,
            Condition(
                .hookBehind, since: Date(), subject: .hook(hook.name),
                sentence:
                    "The hook \(hook.name) is slower than what it is run for: \(overflow.skipped) of its runs were skipped.",
                nextStep: "Make its program faster, or let it only note its work and return."))
    }

    /// The configuration has no such hook any more: what runs may end and is not repeated, and what waits is forgotten.
    func retire() {
        if queue.withLock({ $0.forget() }) { onOverflow(hook.name, nil) }
        ring.finish()
    }

    func hasEnded() async { for await _ in ended {} }

    func run(
        after before: (any HookRunner)? = nil,
        _ lookUp: @escaping @Sendable (HookEvent) async -> HookEvent?
    ) async {
        defer { end.finish() }
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await _ in bell {
                while let event = queue.withLock({ $0.next() }) {
                    guard !Task.isCancelled else { return group.cancelAll() }
                    guard let event = await lookUp(event), hook.wants(event) else { continue }
                    if running >= hook.parallel {
                        await group.next()
                        running -= 1
                    }
                    guard !Task.isCancelled else { return group.cancelAll() }
                    group.addTask { await self.run.run(event) { self.queue.withLock(\.isOver) } }
                    running += 1
                }
                if queue.withLock({ $0.settle() }) { onOverflow(hook.name, nil) }
            }
            if Task.isCancelled { group.cancelAll() }
        }
    }
}
