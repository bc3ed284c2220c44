package import FrameFastAPI

/// A bounded queue of events for one reader. A full queue drops all its events and reports the loss.
///
/// A new event of a camera replaces the last event of this camera in the queue, if the two events differ
/// only in progress.
package struct EventBacklog {
    /// The next item for a reader.
    package enum Item: Equatable {
        /// Events in order, at least one.
        case events([EventReply])
        /// Events were lost, and the reader needs a new snapshot.
        case overflowed
        /// A heartbeat is due, and the queue has no events.
        case heartbeat
    }

    private let limit: Int
    private var events: [EventReply] = []
    private var isOverflowed = false
    private var isHeartbeatDue = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds an event, or drops all events if the queue is full. After an overflow the queue drops new events
    /// until the next ``takeNext()``, because the reader's next snapshot contains them.
    mutating func enqueue(_ event: EventReply) {
        guard !isOverflowed else { return }
        if let index = progressIndex(replacedBy: event) { events.remove(at: index) }
        guard events.count < limit else { return markOverflow() }
        events.append(event)
    }

    /// Returns the index of the camera's last event, if the new event differs from it only in progress.
    /// Otherwise returns `nil`.
    private func progressIndex(replacedBy event: EventReply) -> Int? {
        guard case .camera(let new) = event.body else { return nil }
        for (index, event) in events.enumerated().reversed() {
            guard case .camera(let old) = event.body, old.id == new.id else { continue }
            return old.differsOnlyInProgress(from: new) ? index : nil
        }
        return nil
    }

    /// Drops all events and marks the loss. The hub also calls this function if events were lost before they
    /// reached the queue.
    mutating func markOverflow() {
        events = []
        isOverflowed = true
    }

    mutating func scheduleHeartbeat() {
        isHeartbeatDue = true
    }

    /// Removes and returns the next item, or returns `nil` if nothing is queued. All queued events are one
    /// item. If a heartbeat is due, the returned item replaces the heartbeat.
    mutating func takeNext() -> Item? {
        let wasHeartbeatDue = isHeartbeatDue
        isHeartbeatDue = false
        if isOverflowed {
            isOverflowed = false
            return .overflowed
        }
        guard events.isEmpty else {
            defer { events = [] }
            return .events(events)
        }
        return wasHeartbeatDue ? .heartbeat : nil
    }
}

extension CameraReply {
    /// Returns whether two replies for a camera differ only in the progress of the camera's photos.
    fileprivate func differsOnlyInProgress(from other: CameraReply) -> Bool {
        var copy = self
        copy.progress = other.progress
        copy.pending = other.pending
        copy.lastCapture = other.lastCapture
        return copy == other
    }
}
