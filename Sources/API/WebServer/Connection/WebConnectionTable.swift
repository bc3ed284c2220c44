/// The open connections of all addresses, and the decision about a new connection.
///
/// A new connection replaces an older one if its address already has as many connections as are still free.
/// Many addresses with many connections therefore leave some connections free for a new address.
struct WebConnectionTable<ID: Hashable & Sendable>: Sendable {
    /// The decision about a new connection.
    enum Admission: Hashable {
        case admitted
        /// The connection is admitted after the caller has closed another connection, which the table has
        /// already dropped.
        case admittedInsteadOf(ID)
        case refused
    }

    private struct Entry {
        let address: IPAddress
        /// Whether a paired device has sent a request.
        var isPaired = false
        /// Whether a request is in progress.
        var isBusy = false
        /// The position in the order of uses: the start, or the end of the last request.
        var lastUse: UInt64

        /// The order in which connections are dropped, or `nil` for a request of a paired device, which is
        /// never dropped.
        var dropRank: Int? {
            switch (isPaired, isBusy) {
            case (false, false): 0
            case (false, true): 1
            case (true, false): 2
            case (true, true): nil
            }
        }
    }

    private var entries: [ID: Entry] = [:]
    private var uses: UInt64 = 0

    /// Adds a connection, unless its address has too many connections.
    mutating func add(_ id: ID, of address: IPAddress) -> Admission {
        let count = entries.values.filter { $0.address == address }.count
        guard count < WebServerLimits.connectionsPerAddressMax else { return .refused }
        let entry = Entry(address: address, lastUse: nextUse())
        guard count >= WebServerLimits.connectionsMax - entries.count else {
            entries[id] = entry
            return .admitted
        }
        guard let dropped = mostDispensable else { return .refused }
        entries[dropped] = nil
        entries[id] = entry
        return .admittedInsteadOf(dropped)
    }

    /// Removes a connection that was closed.
    mutating func remove(_ id: ID) { entries[id] = nil }

    /// Records that a paired device has sent a request.
    mutating func markPaired(_ id: ID) { entries[id]?.isPaired = true }

    /// Records the start of a request.
    mutating func startRequest(_ id: ID) { entries[id]?.isBusy = true }

    /// Records that the reply to a request is complete.
    mutating func finishRequest(_ id: ID) {
        let use = nextUse()
        entries[id]?.isBusy = false
        entries[id]?.lastUse = use
    }

    /// The connection to drop first: without a paired device, without a request, and unused for the longest
    /// time.
    private var mostDispensable: ID? {
        var best: (id: ID, rank: Int, lastUse: UInt64)?
        for (id, entry) in entries {
            guard let rank = entry.dropRank else { continue }
            if let best, (best.rank, best.lastUse) < (rank, entry.lastUse) { continue }
            best = (id, rank, entry.lastUse)
        }
        return best?.id
    }

    private mutating func nextUse() -> UInt64 {
        uses += 1
        return uses
    }
}
