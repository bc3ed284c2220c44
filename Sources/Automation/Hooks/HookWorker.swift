import ChildProcesses
import Foundation
import FrameFastModel
import Logging
import Synchronization

/// One hook with the events that wait for it: a hook that hangs delays no other.
final class HookWorker: Sendable {
    let hook: Hook
    private let waits: Backoff
    private let logger: Logger
    private let onOverflow: @Sendable (_ hook: String, Condition?) -> Void
    private let queue: Mutex<HookQueue>
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init(
        hook: Hook, eventsMax: Int, waits: Backoff, logger: Logger,
        onOverflow: @escaping @Sendable (_ hook: String, Condition?) -> Void
    ) {
        self.hook = hook
        self.waits = waits
        self.logger = logger
        self.onOverflow = onOverflow
        queue = Mutex(HookQueue(eventsMax: eventsMax))
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes an event. Never waits, never fails.
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

    /// Runs the hook until the task is cancelled; runs that are under way are then ended.
    ///
    /// - Parameter lookUp: Adds what has to be looked up; `nil` when it turns out that nothing happened.
    func run(_ lookUp: @escaping @Sendable (HookEvent) async -> HookEvent?) async {
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
                    group.addTask { await self.run(event) }
                    running += 1
                }
                if queue.withLock({ $0.settle() }) { onOverflow(hook.name, nil) }
            }
            if Task.isCancelled { group.cancelAll() }
        }
    }

    private func run(_ event: HookEvent) async {
        var facts = event.facts
        facts[.event] = event.moment.rawValue
        facts[.hook] = hook.name
        if let fault = hook.command.faults.first {
            return logger.error(
                "a hook was not run", metadata: ["hook": "\(hook.name)", "fault": "\(fault)"])
        }
        for attempt in 1...(hook.retries + 1) {
            let outcome = await CommandRun(settings: hook.command, facts: facts.byName).run()
            log(outcome, of: event, attempt: attempt)
            guard outcome.end != .exited(0), outcome.end != .cancelled, attempt <= hook.retries else {
                return
            }
            // Ends early when the service does.
            do { try await Task.sleep(for: waits.wait(after: attempt)) } catch { return }
            guard !queue.withLock(\.isOver) else { return }
        }
    }

    private func log(_ outcome: CommandRun.Outcome, of event: HookEvent, attempt: Int) {
        let isWell = outcome.end == .exited(0) || outcome.end == .cancelled
        logger.log(
            level: isWell ? .info : .warning, "hook ended",
            metadata: [
                "hook": "\(hook.name)", "event": "\(event.moment.rawValue)", "attempt": "\(attempt)",
                "end": "\(outcome.end)", "said": "\(outcome.lastLine ?? "")",
            ])
        logger.debug(
            "hook wrote",
            metadata: ["hook": "\(hook.name)", "output": "\(oneLine(outcome.output, max: 2_000))"])
    }
}
