/// Events that wait for their hooks, bounded. A value: tested without time or processes.
struct HookQueue: Sendable {
    /// One run that is due.
    struct Turn: Hashable, Sendable {
        var hook: Hook
        var event: HookEvent
    }

    let turnsMax: Int
    private var turns: [Turn] = []
    /// Runs that were dropped, by moment.
    private(set) var dropped: [Hook.Moment: Int] = [:]

    init(turnsMax: Int) { self.turnsMax = turnsMax }

    var count: Int { turns.count }

    /// Takes a run. When the queue is full the oldest one of the same moment makes room; without one, the new one is
    /// dropped: a flood of one kind cannot push out the others.
    ///
    /// - Returns: whether something was dropped.
    mutating func add(_ turn: Turn) -> Bool {
        guard turns.count >= turnsMax else {
            turns.append(turn)
            return false
        }
        dropped[turn.event.moment, default: 0] += 1
        if let oldest = turns.firstIndex(where: { $0.event.moment == turn.event.moment }) {
            turns.remove(at: oldest)
            turns.append(turn)
        }
        return true
    }

    /// The next run.
    mutating func next() -> Turn? { turns.isEmpty ? nil : turns.removeFirst() }

    /// Forgets what was dropped, once the queue has caught up.
    mutating func settle() -> Bool {
        guard turns.isEmpty, !dropped.isEmpty else { return false }
        dropped = [:]
        return true
    }
}
