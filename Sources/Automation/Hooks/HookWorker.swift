import ChildProcesses
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Synchronization

/// The worker of one hook. Each worker has its own queue, so a hook that hangs does not delay other hooks.
final class HookWorker: Sendable {
    let hook: Hook
    private let waits: Backoff
    private let clock: HostClock
    private let logger: Logger
    private let onOverflow: @Sendable (_ hook: String, Condition?) -> Void
    private let queue: Mutex<HookQueue>
    private let wakeups: AsyncStream<Void>
    private let wakeupSink: AsyncStream<Void>.Continuation

    init(
        hook: Hook, eventsMax: Int, waits: Backoff, clock: HostClock = .system, logger: Logger,
        onOverflow: @escaping @Sendable (_ hook: String, Condition?) -> Void
    ) {
        self.hook = hook
        self.waits = waits
        self.clock = clock
        self.logger = logger
        self.onOverflow = onOverflow
        queue = Mutex(HookQueue(eventsMax: eventsMax))
        (wakeups, wakeupSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Enqueues an event if the hook matches it. Does not block.
    func enqueue(_ event: HookEvent) {
        guard hook.matches(event) else { return }
        let overflow = queue.withLock { queue -> (isFirst: Bool, skipped: Int)? in
            let hadNoSkips = queue.skipped.isEmpty
            return queue.add(event) ? (hadNoSkips, queue.skipped.values.reduce(0, +)) : nil
        }
        wakeupSink.yield()
        guard let overflow else { return }
        // Logs only the first and every hundredth skipped event.
        guard overflow.isFirst || overflow.skipped.isMultiple(of: 100) else { return }
        logger.warning(
            "the queue of a hook is full: skipping events",
            metadata: [
                "hook": "\(hook.name)", "event": "\(event.kind.rawValue)", "skipped": "\(overflow.skipped)",
            ])
        onOverflow(
            hook.name,
            Condition(
                .hookBehind, since: clock.now(), subject: .hook(hook.name),
                sentence:
                    "The hook \(hook.name) is too slow: \(overflow.skipped) of its events were skipped.",
                nextStep: "Make the hook's program faster, or let the program queue its work and exit."))
    }

    /// Stops the worker of a hook that was removed or changed. Current runs finish without retries, and
    /// waiting events are dropped.
    func retire() {
        if queue.withLock({ $0.close() }) { onOverflow(hook.name, nil) }
        wakeupSink.finish()
    }

    /// Runs the hook for its events until the task is cancelled. The cancellation ends the current runs.
    ///
    /// - Parameter lookUp: Adds facts to an event, or returns `nil` to skip the event.
    func run(_ lookUp: @escaping @Sendable (HookEvent) async -> HookEvent?) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await _ in wakeups {
                while let event = queue.withLock({ $0.next() }) {
                    guard !Task.isCancelled else { return group.cancelAll() }
                    guard let event = await lookUp(event), hook.matches(event) else { continue }
                    if running >= hook.parallel {
                        await group.next()
                        running -= 1
                    }
                    guard !Task.isCancelled else { return group.cancelAll() }
                    group.addTask { await self.run(event) }
                    running += 1
                }
                if queue.withLock({ $0.resetSkipped() }) { onOverflow(hook.name, nil) }
            }
            if Task.isCancelled { group.cancelAll() }
        }
    }

    private func run(_ event: HookEvent) async {
        var facts = event.facts
        facts[.event] = event.kind.rawValue
        facts[.hook] = hook.name
        if let fault = hook.command.faults.first {
            return logger.error(
                "cannot run a hook", metadata: ["hook": "\(hook.name)", "fault": "\(fault)"])
        }
        for attempt in 1...(hook.retries + 1) {
            let outcome = await CommandRun(
                settings: hook.command, facts: facts.byName, factNames: FactName.all
            ).run()
            log(outcome, of: event, attempt: attempt)
            guard outcome.end != .exited(0), outcome.end != .cancelled, attempt <= hook.retries else {
                return
            }
            // Cancelling the task ends the wait.
            do { try await clock.sleep(for: waits.wait(after: attempt)) } catch { return }
            guard !queue.withLock(\.isClosed) else { return }
        }
    }

    private func log(_ outcome: CommandRun.Outcome, of event: HookEvent, attempt: Int) {
        let hasSucceeded = outcome.end == .exited(0) || outcome.end == .cancelled
        logger.log(
            level: hasSucceeded ? .info : .warning, "a hook ended",
            metadata: [
                "hook": "\(hook.name)", "event": "\(event.kind.rawValue)", "attempt": "\(attempt)",
                "end": "\(outcome.end)", "said": "\(outcome.lastLine ?? "")",
            ])
        logger.debug(
            "output of a hook",
            metadata: ["hook": "\(hook.name)", "output": "\(oneLine(outcome.output, max: 2_000))"])
    }
}
