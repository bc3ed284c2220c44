import Synchronization

/// The limit on open connections, in all and for each address.
final class WebConnectionLimiter: Sendable {
    private let held = Mutex<[IPAddress: Int]>([:])

    /// Reserves a connection for an address. The caller frees it with ``release(_:)``.
    ///
    /// - Returns: Whether the address may open one more connection.
    func reserve(_ address: IPAddress) -> Bool {
        held.withLock { held in
            guard held.values.reduce(0, +) < WebServerLimits.connectionsMax,
                held[address, default: 0] < WebServerLimits.connectionsPerAddressMax
            else { return false }
            held[address, default: 0] += 1
            return true
        }
    }

    /// Frees a connection that ``reserve(_:)`` reserved.
    func release(_ address: IPAddress) {
        held.withLock { held in
            let left = held[address, default: 0] - 1
            held[address] = left > 0 ? left : nil
        }
    }
}
