public import FrameFastAPI
public import FrameFastSystem
import Synchronization

/// A hub that copies each event to every open stream. Publishing never waits for a reader.
///
/// Each reader has a bounded queue. A full queue drops its events, and its stream then sends `resync` and a
/// new snapshot. Other readers are not affected.
public final class EventHub: Sendable {
    /// The number of events that one reader may lag behind. A burst of 50 photos per second, with three
    /// changes for each photo, fills the queue in about 3 s.
    public static let bufferedEventsMax = 512
    /// The maximum number of open streams: status bars, scripts and terminal screens of one host. This limit
    /// bounds the memory use.
    public static let readersMax = 64
    /// The maximum number of open streams of the web page: three windows on each of 64 devices.
    package static let webReadersMax = 192

    /// The readers that share a limit. The web page can't use the streams of the Unix socket.
    package enum ReaderPool: Hashable, Sendable {
        /// Clients of the Unix socket.
        case socket
        /// Devices that use the web page.
        case web

        /// The maximum number of open streams.
        package var readersMax: Int {
            switch self {
            case .socket: EventHub.readersMax
            case .web: EventHub.webReadersMax
            }
        }
    }

    private struct State {
        var seq: UInt64 = 0
        var nextReader = 0
        var readers: [Int: EventReader] = [:]
        var pools: [ReaderPool: Int] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    private let clock: HostClock

    /// Creates a hub without readers.
    ///
    /// - Parameter clock: The clock that stamps events.
    public init(clock: HostClock = .system) { self.clock = clock }

    /// The number of the last published event, or 0 if no event was published.
    public var lastSeq: UInt64 { state.withLock { $0.seq } }

    /// The number of open streams.
    public var readerCount: Int { state.withLock { $0.readers.count } }

    /// Numbers an event and adds it to the queue of every reader. Never blocks. Any thread may call this
    /// function.
    public func publish(_ body: EventReply.Body) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.seq += 1
            let event = EventReply(seq: state.seq, at: clock.now(), body: body)
            for reader in state.readers.values { reader.enqueue(event) }
        }
    }

    /// Ends every stream, including streams that open later, because the daemon stops.
    public func finish() {
        state.withLock { state in
            state.isFinished = true
            for reader in state.readers.values { reader.finish() }
        }
    }

    /// Makes every stream send `resync` and a new snapshot, because events were lost before they reached the
    /// hub.
    public func resync() {
        state.withLock { for reader in $0.readers.values { reader.resync() } }
    }

    /// Makes every stream send a heartbeat.
    func sendHeartbeat() {
        state.withLock { for reader in $0.readers.values { reader.scheduleHeartbeat() } }
    }

    /// Returns an event that reuses the number of the last published event.
    package func eventWithLastSeq(_ body: EventReply.Body) -> EventReply {
        EventReply(seq: lastSeq, at: clock.now(), body: body)
    }

    /// Opens a reader that receives events from now on, or returns `nil` if the pool has too many open
    /// readers.
    ///
    /// - Parameter accepts: Returns whether the reader receives an event. Other events don't fill its queue.
    package func lease(
        limit: Int = EventHub.bufferedEventsMax, in pool: ReaderPool = .socket,
        accepts: @escaping @Sendable (EventReply.Body) -> Bool = { _ in true }
    ) -> EventLease? {
        let reader = EventReader(limit: limit, accepts: accepts)
        let id = state.withLock { state -> Int? in
            guard state.pools[pool, default: 0] < pool.readersMax else { return nil }
            state.pools[pool, default: 0] += 1
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            if state.isFinished { reader.finish() }
            return state.nextReader
        }
        return id.map { EventLease(reader: reader, id: $0, pool: pool, hub: self) }
    }

    fileprivate func close(_ id: Int, in pool: ReaderPool) {
        state.withLock { state in
            guard state.readers.removeValue(forKey: id) != nil else { return }
            state.pools[pool, default: 0] -= 1
        }
    }
}

/// A lease of a reader. The hub closes the reader when the last reference to the lease is released.
package final class EventLease: Sendable {
    /// The queue of the reader.
    package let reader: EventReader
    private let id: Int
    private let pool: EventHub.ReaderPool
    private let hub: EventHub

    fileprivate init(reader: EventReader, id: Int, pool: EventHub.ReaderPool, hub: EventHub) {
        self.reader = reader
        self.id = id
        self.pool = pool
        self.hub = hub
    }

    deinit { hub.close(id, in: pool) }
}
