import FrameFastModel
import Hooks
import Store

extension HookStorage {
    init(_ ledger: LedgerStore, facts: HookFacts) {
        self.init(
            entered: Set(Hook.Moment.allCases.filter { LedgerStore.hookMoments.contains($0.rawValue) }),
            enter: { hook, event in
                try await ledger.enterHookEvent(
                    hook: hook, moment: event.moment.rawValue, facts: event.facts)
            },
            events: { hook, id, limit in
                var events: [KeptHookEvent] = []
                for record in try await ledger.hookEvents(of: hook, after: id, limit: limit) {
                    events.append(KeptHookEvent(id: record.id, event: try await facts.event(record)))
                }
                return events
            },
            count: { try await ledger.hookEventCount(of: $0) },
            forget: { try await ledger.forgetHookEvent($0) })
    }
}

extension HookFacts {
    /// What was kept; `nil` when what it happened to is gone.
    func event(_ kept: HookEventRecord) async throws -> HookEvent? {
        guard let moment = Hook.Moment(rawValue: kept.moment) else { return nil }
        if let id = kept.job { return try await ledger.upload(id: id).map { event(moment, $0) } }
        guard let id = kept.capture else { return HookEvent(moment, facts: kept.facts) }
        guard let record = try await ledger.capture(id: id), record.state == .saved else { return nil }
        return event(moment, record)
    }
}

extension LedgerStore {
    /// Durable hooks among those that are configured: what waits for others is forgotten.
    func keepEvents(of hooks: [Hook]) async throws {
        let durable = hooks.filter(\.isDurable).map { ($0.name, Set($0.on.map(\.rawValue))) }
        try await keepHookEvents(Dictionary(durable) { first, _ in first })
    }
}
