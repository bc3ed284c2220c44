import Foundation
public import FrameFastModel
public import Logging
public import ServiceLifecycle
import Synchronization

/// Runs hooks: in order, a few at a time, away from everything that takes or moves photos.
public final class HookService: Service {
    /// Most runs that wait.
    public static let turnsMax = 500
    /// Most runs at the same time.
    public static let runsMax = 2

    private let hooks: [Hook]
    private let logger: Logger
    private let onOverflow: @Sendable (Condition?) -> Void
    private let queue: Mutex<HookQueue>
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// - Parameter onOverflow: Told the condition when runs have to be dropped, and `nil` when all is well again.
    public init(
        hooks: [Hook], logger: Logger, turnsMax: Int = HookService.turnsMax,
        onOverflow: @escaping @Sendable (Condition?) -> Void = { _ in }
    ) {
        self.hooks = hooks
        self.logger = logger
        self.onOverflow = onOverflow
        queue = Mutex(HookQueue(turnsMax: turnsMax))
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes an event. Never waits, never fails.
    public func offer(_ event: HookEvent) {
        let due = hooks.filter { $0.on.contains(event.moment) }
        guard !due.isEmpty else { return }
        let overflow = queue.withLock { queue -> (isFirst: Bool, dropped: Int)? in
            let wasWell = queue.dropped.isEmpty
            let isFull = due.map { queue.add(.init(hook: $0, event: event)) }.contains(true)
            return isFull ? (wasWell, queue.dropped.values.reduce(0, +)) : nil
        }
        ring.yield()
        guard let overflow else { return }
        // Once per overflow and then each hundredth: the log is no second queue.
        guard overflow.isFirst || overflow.dropped.isMultiple(of: 100) else { return }
        logger.warning(
            "hooks are slower than events: the oldest are dropped",
            metadata: ["event": "\(event.moment.rawValue)", "dropped": "\(overflow.dropped)"])
        onOverflow(
            Condition(
                code: "hooks-behind", severity: .warning, since: Date(),
                sentence:
                    "Hooks are slower than what they are run for: \(overflow.dropped) runs were dropped.",
                nextStep: "Make the hooks' programs faster, or let them only note their work and return."))
    }

    /// Runs hooks until the service is shut down; a run that is under way is then ended.
    public func run() async throws {
        for hook in hooks {
            for fault in hook.command.faults {
                logger.error("a hook cannot work", metadata: ["hook": "\(hook.name)", "fault": "\(fault)"])
            }
        }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                var running = 0
                for await _ in self.bell {
                    while let turn = self.queue.withLock({ $0.next() }) {
                        if running >= Self.runsMax {
                            await group.next()
                            running -= 1
                        }
                        guard !Task.isCancelled else { return group.cancelAll() }
                        group.addTask { await self.run(turn) }
                        running += 1
                    }
                    if self.queue.withLock({ $0.settle() }) { self.onOverflow(nil) }
                }
                group.cancelAll()
            }
        }
    }

    private func run(_ turn: HookQueue.Turn) async {
        var facts = turn.event.facts
        facts["EVENT"] = turn.event.moment.rawValue
        facts["HOOK"] = turn.hook.name
        if let fault = turn.hook.command.faults.first {
            return logger.error(
                "a hook was not run", metadata: ["hook": "\(turn.hook.name)", "fault": "\(fault)"])
        }
        let (end, output) = await CommandRun(settings: turn.hook.command, facts: facts).run()
        let level: Logger.Level = end == .exited(0) || end == .cancelled ? .info : .warning
        logger.log(
            level: level, "hook ended",
            metadata: [
                "hook": "\(turn.hook.name)", "event": "\(turn.event.moment.rawValue)", "end": "\(end)",
                "output": "\(oneLine(output, max: 2_000))",
            ])
    }
}
