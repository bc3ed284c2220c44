public import Glibc
import SystemPackage

/// Who is at the other end of a Unix socket, as the kernel recorded it when the connection was made: nothing of it is
/// the peer's own word, and nothing of it is looked up in a user database.
///
/// Ids that this process's user namespace does not know come as the kernel's overflow id; see ``UserNamespace``.
public struct PeerCredentials: Hashable, Sendable {
    /// Process id; 0 when the process is outside our pid namespace.
    public var pid: pid_t
    /// Effective user id.
    public var uid: uid_t
    /// Effective group id: that of `sg` and `newgrp`, too.
    public var gid: gid_t
    /// Supplementary groups, in no order.
    public var groups: [gid_t]

    /// Room for groups at first; the kernel says how much more is needed.
    private static let groupsFirstGuess = 32

    /// Creates credentials, for tests and for rules.
    public init(pid: pid_t, uid: uid_t, gid: gid_t, groups: [gid_t] = []) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }

    /// Asks the kernel who is at the other end of a connected Unix socket: `SO_PEERCRED` and `SO_PEERGROUPS`, unix(7).
    ///
    /// - Parameter descriptor: The socket; it stays the caller's.
    public init(ofPeerAt descriptor: Int32) throws(SystemCallError) {
        // The kernel's `struct ucred`, which the header hides from Swift: three numbers of 32 bits.
        let who = try Self.numbers(SO_PEERCRED, at: descriptor, firstGuess: 3)
        guard who.count == 3 else { throw Self.failure(SO_PEERCRED, EINVAL) }
        self.init(
            pid: pid_t(bitPattern: who[0]), uid: who[1], gid: who[2],
            groups: try Self.numbers(SO_PEERGROUPS, at: descriptor, firstGuess: Self.groupsFirstGuess))
    }

    /// A socket option that is a list of numbers.
    private static func numbers(
        _ option: Int32, at descriptor: Int32, firstGuess: Int
    ) throws(SystemCallError) -> [UInt32] {
        let size = MemoryLayout<UInt32>.stride
        var numbers = [UInt32](repeating: 0, count: firstGuess)
        while true {
            var length = socklen_t(numbers.count * size)
            if getsockopt(descriptor, SOL_SOCKET, option, &numbers, &length) == 0 {
                return Array(numbers.prefix(Int(length) / size))
            }
            // The list does not fit; `length` says how long it is. It never changes for a connection.
            guard errno == ERANGE, Int(length) > numbers.count * size else {
                throw failure(option, errno)
            }
            numbers = [UInt32](repeating: 0, count: Int(length) / size)
        }
    }

    private static func failure(_ option: Int32, _ code: Int32) -> SystemCallError {
        let name = option == SO_PEERCRED ? "SO_PEERCRED" : "SO_PEERGROUPS"
        return SystemCallError(call: "ask for", subject: name, errno: Errno(rawValue: code))
    }
}
