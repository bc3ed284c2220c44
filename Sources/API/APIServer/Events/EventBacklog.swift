package import FrameFastAPI

/// What one reader of events has not taken yet. Bounded; overflowing forgets everything and says so.
package struct EventBacklog {
    /// What a reader gets when it looks.
    package enum Taken: Equatable {
        /// These, in order. Never empty.
        case events([EventReply])
        /// Events were lost: a new snapshot is needed.
        case overflowed
        /// It was quiet for a while: show that the line lives.
        case heartbeat
    }

    private let limit: Int
    private var events: [EventReply] = []
    private var isOverflowed = false
    private var isBeatDue = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes an event in, or forgets all when there is no room. After that nothing is kept until the reader
    /// looks: the snapshot that it then takes contains it all.
    mutating func offer(_ event: EventReply) {
        guard !isOverflowed else { return }
        guard events.count < limit else { return overflow() }
        events.append(event)
    }

    /// Events were lost, here or before they came here.
    mutating func overflow() {
        events = []
        isOverflowed = true
    }

    mutating func beat() {
        isBeatDue = true
    }

    /// Whether ``take()`` would give anything.
    var hasNews: Bool { isOverflowed || isBeatDue || !events.isEmpty }

    /// Hands over what there is; `nil` when there is nothing.
    mutating func take() -> Taken? {
        let wasBeatDue = isBeatDue
        isBeatDue = false
        if isOverflowed {
            isOverflowed = false
            return .overflowed
        }
        guard events.isEmpty else {
            defer { events = [] }
            return .events(events)
        }
        return wasBeatDue ? .heartbeat : nil
    }
}
