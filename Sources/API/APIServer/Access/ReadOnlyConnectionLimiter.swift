import FrameFastSystem
import Glibc
import Synchronization

/// A limit on the connections of users without control. The limit keeps connections free for users with
/// control.
final class ReadOnlyConnectionLimiter: Sendable {
    /// The maximum number of connections of one user: a status bar, a terminal and some scripts.
    static let perUserMax = 8
    /// The maximum number of connections of all users without control together. This number is less than the
    /// server's limits for connections and streams.
    static let totalMax = EventHub.readersMax / 2

    private let held = Mutex<[uid_t: Int]>([:])
    private let namespace: UserNamespace

    init(namespace: UserNamespace) { self.namespace = namespace }

    /// Reserves a connection for a user. The caller frees it with ``release(for:)``.
    ///
    /// - Returns: Whether the user may open one more connection.
    func reserve(for user: uid_t) -> Bool {
        held.withLock { held in
            guard held.values.reduce(0, +) < Self.totalMax else { return false }
            // Inside a user namespace, all unmapped users have the same user ID. Only the total limit applies
            // to these users.
            guard !namespace.maps(user: user) || held[user, default: 0] < Self.perUserMax else {
                return false
            }
            held[user, default: 0] += 1
            return true
        }
    }

    /// Frees a connection that ``reserve(for:)`` reserved.
    func release(for user: uid_t) {
        held.withLock { held in
            let left = held[user, default: 0] - 1
            held[user] = left > 0 ? left : nil
        }
    }
}
