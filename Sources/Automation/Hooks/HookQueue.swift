/// A bounded queue of events for one hook.
struct HookQueue: Sendable {
    let eventsMax: Int
    private var events: [HookEvent] = []
    /// Whether the queue is closed.
    private(set) var isClosed = false
    /// The number of events that were skipped since the queue was last empty, by kind.
    private(set) var skipped: [Hook.EventKind: Int] = [:]

    init(eventsMax: Int) { self.eventsMax = eventsMax }

    /// Adds an event. A full queue drops its oldest event of the same kind, or the new event if the queue has
    /// no event of that kind. Many events of one kind therefore cannot displace other kinds.
    ///
    /// - Returns: Whether an event was skipped.
    mutating func add(_ event: HookEvent) -> Bool {
        guard events.count >= eventsMax else {
            events.append(event)
            return false
        }
        skipped[event.kind, default: 0] += 1
        if let oldest = events.firstIndex(where: { $0.kind == event.kind }) {
            events.remove(at: oldest)
            events.append(event)
        }
        return true
    }

    /// Removes and returns the oldest event, or returns `nil` if the queue is empty.
    mutating func next() -> HookEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Closes the queue permanently and removes its events.
    ///
    /// - Returns: Whether events had been skipped.
    mutating func close() -> Bool {
        defer {
            isClosed = true
            events = []
            skipped = [:]
        }
        return !skipped.isEmpty
    }

    /// Resets the numbers of skipped events if the queue is empty.
    ///
    /// - Returns: Whether the numbers were reset.
    mutating func resetSkipped() -> Bool {
        guard events.isEmpty, !skipped.isEmpty else { return false }
        skipped = [:]
        return true
    }
}
