/// Events that wait for one hook, bounded. A value: tested without time or processes.
struct HookQueue: Sendable {
    let eventsMax: Int
    private var events: [HookEvent] = []
    /// Whether nobody wants the events any more.
    private(set) var isOver = false
    /// Events that were skipped since the queue was last empty, by moment.
    private(set) var skipped: [Hook.Moment: Int] = [:]

    init(eventsMax: Int) { self.eventsMax = eventsMax }

    var count: Int { events.count }

    /// Takes an event. When the queue is full the oldest one of the same moment makes room; without one, the new one is
    /// skipped: a flood of one kind cannot push out the others.
    ///
    /// - Returns: whether something was skipped.
    mutating func add(_ event: HookEvent) -> Bool {
        guard events.count >= eventsMax else {
            events.append(event)
            return false
        }
        skipped[event.moment, default: 0] += 1
        if let oldest = events.firstIndex(where: { $0.moment == event.moment }) {
            events.remove(at: oldest)
            events.append(event)
        }
        return true
    }

    /// The next event.
    mutating func next() -> HookEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Forgets everything, for good.
    ///
    /// - Returns: whether something had been skipped.
    mutating func forget() -> Bool {
        defer {
            isOver = true
            events = []
            skipped = [:]
        }
        return !skipped.isEmpty
    }

    /// Forgets what was skipped, once the queue has caught up.
    mutating func settle() -> Bool {
        guard events.isEmpty, !skipped.isEmpty else { return false }
        skipped = [:]
        return true
    }
}
