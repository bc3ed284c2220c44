import FrameFastSystem
import Glibc
import Synchronization

/// How many connections those may hold who may only look: whoever controls the service always finds room.
final class GuestShares: Sendable {
    /// Of one user: a status bar, a terminal and a script or two.
    static let eachMax = 8
    /// Of all guests together: less than the connections and streams that there are.
    static let allMax = EventHub.readersMax / 2

    private let held = Mutex<[uid_t: Int]>([:])
    private let namespace: UserNamespace

    init(namespace: UserNamespace) { self.namespace = namespace }

    /// Whether this user gets one more connection, which is to be given back with ``leave(_:)``.
    func enter(_ user: uid_t) -> Bool {
        held.withLock { held in
            guard held.values.reduce(0, +) < Self.allMax else { return false }
            // Inside a user namespace all others have one number: they share what there is.
            guard !namespace.knows(user: user) || held[user, default: 0] < Self.eachMax else { return false }
            held[user, default: 0] += 1
            return true
        }
    }

    /// A connection has ended.
    func leave(_ user: uid_t) {
        held.withLock { held in
            let left = held[user, default: 0] - 1
            held[user] = left > 0 ? left : nil
        }
    }
}
