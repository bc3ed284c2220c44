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

    /// Numbers an event and hands it to every reader. Returns at once, from any thread.
    public func publish(_ body: EventReply.Body) {
        let at = now()
        state.withLock { state in
            guard !state.isFinished else { return }
            state.seq += 1
            let event = EventReply(seq: state.seq, at: at, body: body)
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

    /// Number of the last event published; 0 before the first.
    public var lastSeq: UInt64 { state.withLock { $0.seq } }

    /// Tells every reader to show that its line lives.
    func beat() {
        state.withLock { for reader in $0.readers.values { reader.beat() } }
    }

    /// Runs `body` with a reader that gets every event from now on; `nil` when there are too many readers.
    func withReader<Value>(
        limit: Int = EventHub.bufferedEventsMax, _ body: (EventReader) async throws -> Value
    ) async rethrows -> Value? {
        let reader = EventReader(limit: limit)
        let id = state.withLock { state -> Int? in
            guard state.readers.count < Self.readersMax else { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            if state.isFinished { reader.finish() }
            return state.nextReader
        }
        guard let id else { return nil }
        defer { state.withLock { _ = $0.readers.removeValue(forKey: id) } }
        return try await body(reader)
    }

    /// The event that opens a stream, or reopens it after a loss. Ask for the status after this is called with
    /// the reader in place: what is published in between is told again, which does no harm.
    func stamp(_ body: EventReply.Body, seq: UInt64) -> EventReply {
        EventReply(seq: seq, at: now(), body: body)
    }
}
