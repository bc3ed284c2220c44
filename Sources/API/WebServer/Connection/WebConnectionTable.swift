/// The open connections of all addresses, and the decision about a new connection.
///
/// The limit of an address is ``WebServerLimits/connectionsPerAddressMax``, or the number of free connections
/// if that is smaller. At the limit, the next connection of the address replaces an older connection. Many
/// addresses with many connections therefore leave some connections free for a new address. An address with
/// the maximum number of connections replaces only its own connections.
///
/// A request of a paired device is never interrupted. The table drops other connections in this order:
///
/// 1. connections without a paired device, except those of step 3,
/// 2. connections of paired devices without a request in progress,
/// 3. the newest connections without a paired device that have sent no request yet or are waiting for a
///    reply. A browser can therefore load the page, even if all other connections belong to paired devices.
///
/// In each step, the address with the most connections of this kind loses the connection that was unused for
/// the longest time. A flood from one address therefore replaces its own connections. Addresses with no more
/// connections than one browser opens count as equal. A flood from many addresses therefore replaces its
/// oldest connections, and not the connections of a browser.
struct WebConnectionTable<ID: Hashable & Sendable>: Sendable {
    /// The decision about a new connection.
    enum Admission: Hashable {
        case admitted
        /// The connection is admitted after the caller has closed another connection, which the table has
        /// already dropped.
        case admittedInsteadOf(ID)
        case refused
    }

    private enum Activity {
        /// No request has arrived.
        case waiting
        /// A request is in progress.
        case busy
        /// The replies to all requests are complete.
        case idle
    }

    /// The connections of one address, either with or without a paired device.
    private struct Group: Hashable {
        let address: IPAddress
        var isPaired = false
    }

    private struct Entry {
        var group: Group
        var activity = Activity.waiting
        /// The position in the order of uses: the opening, or the start or end of the last request.
        var lastUse: UInt64
    }

    private var entries: [ID: Entry] = [:]
    private var uses: UInt64 = 0

    /// Adds a connection, unless each connection that it could replace is serving a paired device.
    mutating func add(_ id: ID, of address: IPAddress) -> Admission {
        let entry = Entry(group: Group(address: address), lastUse: nextUse())
        let count = entries.values.count { $0.group.address == address }
        let isAtMaximum = count >= WebServerLimits.connectionsPerAddressMax
        guard isAtMaximum || count >= WebServerLimits.connectionsMax - entries.count else {
            entries[id] = entry
            return .admitted
        }
        guard let dropped = mostDispensable(for: entry.group, onlyOwn: isAtMaximum) else { return .refused }
        entries[dropped] = nil
        entries[id] = entry
        return .admittedInsteadOf(dropped)
    }

    /// Removes a connection that was closed.
    mutating func remove(_ id: ID) { entries[id] = nil }

    /// Records that a paired device has sent a request.
    mutating func markPaired(_ id: ID) { entries[id]?.group.isPaired = true }

    /// Records the start of a request.
    mutating func startRequest(_ id: ID) { setActivity(.busy, of: id) }

    /// Records that the reply to a request is complete.
    mutating func finishRequest(_ id: ID) { setActivity(.idle, of: id) }

    private mutating func setActivity(_ activity: Activity, of id: ID) {
        let use = nextUse()
        entries[id]?.activity = activity
        entries[id]?.lastUse = use
    }

    /// Returns the connection to drop first for a new connection, or `nil` if all candidates are serving
    /// paired devices.
    ///
    /// - Parameters:
    ///   - newcomer: The group of the new connection. Its size includes the new connection.
    ///   - onlyOwn: Whether only connections of the new connection's address are candidates.
    private func mostDispensable(for newcomer: Group, onlyOwn: Bool) -> ID? {
        let protected = protectedConnections
        var sizes = [newcomer: 1]
        for entry in entries.values { sizes[entry.group, default: 0] += 1 }
        var best: (id: ID, order: (Int, Int, UInt64))?
        for (id, entry) in entries where !onlyOwn || entry.group.address == newcomer.address {
            let step: Int
            switch (entry.group.isPaired, entry.activity) {
            case (true, .busy): continue
            case (true, .waiting), (true, .idle): step = 2
            case (false, _): step = protected.contains(id) ? 3 : 1
            }
            let size = max(sizes[entry.group, default: 0], WebServerLimits.connectionsPerBrowser)
            let order = (step, -size, entry.lastUse)
            if let best, best.order < order { continue }
            best = (id, order)
        }
        return best?.id
    }

    /// The newest connections without a paired device that have sent no request yet or are waiting for a
    /// reply.
    private var protectedConnections: Set<ID> {
        let candidates = entries.filter { !$0.value.group.isPaired && $0.value.activity != .idle }
        let newest = candidates.sorted { $0.value.lastUse > $1.value.lastUse }
        return Set(newest.prefix(WebServerLimits.protectedConnectionsMax).map(\.key))
    }

    private mutating func nextUse() -> UInt64 {
        uses += 1
        return uses
    }
}
