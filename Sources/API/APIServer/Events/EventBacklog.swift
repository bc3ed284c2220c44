import FrameFastAPI

/// What one reader of events has not taken yet. Bounded; overflowing forgets everything and says so.
///
/// A camera's progress takes one place at most: a newer value replaces an older one that differs in nothing else.
struct EventBacklog {
    /// What a reader gets when it looks.
    enum Taken: Equatable {
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
        if let index = progressIndex(replacedBy: event) { events.remove(at: index) }
        guard events.count < limit else { return overflow() }
        events.append(event)
    }

    /// The place of a camera's last event if the new one differs from it in nothing but progress, else `nil`.
    private func progressIndex(replacedBy event: EventReply) -> Int? {
        guard case .camera(let new) = event.body else { return nil }
        for (index, event) in events.enumerated().reversed() {
            guard case .camera(let old) = event.body, old.id == new.id else { continue }
            return old.differsOnlyInProgress(from: new) ? index : nil
        }
        return nil
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

extension CameraReply {
    /// Whether two values of a camera differ in nothing but the progress of its photos.
    fileprivate func differsOnlyInProgress(from other: CameraReply) -> Bool {
        var copy = self
        copy.progress = other.progress
        copy.pending = other.pending
        copy.lastCapture = other.lastCapture
        return copy == other
    }
}
