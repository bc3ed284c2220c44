import ChildProcesses
import FrameFastModel
import Logging

/// Runs one hook for one event, as often as its configuration says.
struct HookRun: Sendable {
    let hook: Hook
    let waits: Backoff
    let logger: Logger

    /// - Parameters:
    ///   - id: The event's number, where it is kept.
    ///   - isOver: Whether nobody wants the hook any more.
    /// - Returns: whether it is done with; not when the service ends meanwhile.
    @discardableResult
    func run(_ event: HookEvent, id: Int64? = nil, isOver: @Sendable () -> Bool) async -> Bool {
        var facts = event.facts
        facts[.event] = event.moment.rawValue
        facts[.eventID] = id?.description
        facts[.hook] = hook.name
        if let fault = hook.command.faults.first {
            logger.error("a hook was not run", metadata: ["hook": "\(hook.name)", "fault": "\(fault)"])
            return true
        }
        for attempt in 1...(hook.retries + 1) {
            let named = facts.byName(with: event.photo?.record.fields ?? [:])
            let outcome = await CommandRun(settings: hook.command, facts: named).run()
            log(outcome, of: event, attempt: attempt)
            guard outcome.end != .cancelled else { return false }
            guard outcome.end != .exited(0), attempt <= hook.retries else { return true }
            // Ends early when the service does.
            do { try await Task.sleep(for: waits.wait(after: attempt)) } catch { return false }
            guard !isOver() else { return false }
        }
        return true
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
