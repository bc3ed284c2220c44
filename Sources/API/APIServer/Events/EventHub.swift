public import FoundationEssentials
public import FrameFastAPI
import Synchronization

/// Fans events out to every open stream. Publishing never waits for a reader.
///
/// Each reader has a bounded buffer. When it is full the reader loses what is in it and is told `resync`; it then
/// takes a new snapshot. Nobody else notices.
public final class EventHub: Sendable {
    /// Events that one reader may be behind: at 50 photos a second and three changes a photo, three seconds.
    public static let bufferedEventsMax = 512
    /// Streams that may be open at a time: status bars, scripts and screens of one host, and a bound on memory.
    public static let readersMax = 64

    private struct State {
        var seq: UInt64 = 0
        var nextReader = 0
        var readers: [Int: EventReader] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    /// Creates a hub without readers.
    ///
    /// - Parameter now: The clock that stamps events.
    public init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    /// Number of the last event published; 0 before the first.
    public var lastSeq: UInt64 { state.withLock { $0.seq } }

    /// Number of open streams.
    public var readerCount: Int { state.withLock { $0.readers.count } }

    /// Numbers an event and hands it to every reader. Returns at once, from any thread.
    public func publish(_ body: EventReply.Body) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.seq += 1
            let event = EventReply(seq: state.seq, at: now(), body: body)
            for reader in state.readers.values { reader.offer(event) }
        }
    }

    /// Ends every stream, now and later ones: the daemon stops.
    public func finish() {
        state.withLock { state in
            state.isFinished = true
            for reader in state.readers.values { reader.finish() }
        }
    }

    /// Events were lost before they came here: every reader is told `resync`, and takes a new snapshot.
    public func resync() {
        state.withLock { for reader in $0.readers.values { reader.resync() } }
    }

    /// Tells every reader to show that its line lives.
    func beat() {
        state.withLock { for reader in $0.readers.values { reader.beat() } }
    }

    /// An event outside the numbering: it carries the number of the last change.
    package func stamp(_ body: EventReply.Body) -> EventReply {
        EventReply(seq: lastSeq, at: now(), body: body)
    }

    /// Opens a reader that gets every event from now on; `nil` when there are too many.
    package func lease(limit: Int = EventHub.bufferedEventsMax) -> EventLease? {
        let reader = EventReader(limit: limit)
        let id = state.withLock { state -> Int? in
            guard state.readers.count < Self.readersMax else { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            if state.isFinished { reader.finish() }
            return state.nextReader
        }
        return id.map { EventLease(reader: reader, id: $0, hub: self) }
    }

    fileprivate func close(_ id: Int) {
        state.withLock { _ = $0.readers.removeValue(forKey: id) }
    }
}

/// A place at the hub, given back when the last owner lets go, whatever became of the connection.
package final class EventLease: Sendable {
    package let reader: EventReader
    private let id: Int
    private let hub: EventHub

    fileprivate init(reader: EventReader, id: Int, hub: EventHub) {
        self.reader = reader
        self.id = id
        self.hub = hub
    }

    deinit { hub.close(id) }
}
