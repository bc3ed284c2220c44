public import Glibc
import SystemPackage

/// The credentials of the peer of a Unix socket, as the kernel recorded them when the connection was made.
/// The credentials stay the same if the peer later changes its ids, or if the user database changes.
///
/// If this process's user namespace does not map an id, the kernel reports the overflow id instead (see
/// ``UserNamespace``).
public struct PeerCredentials: Hashable, Sendable {
    /// The process id, or 0 if the peer is outside this process's pid namespace.
    public var pid: pid_t
    /// The effective user id.
    public var uid: uid_t
    /// The effective group id, which `sg` and `newgrp` can change.
    public var gid: gid_t
    /// The supplementary groups, in no particular order.
    public var groups: [gid_t]

    /// The initial capacity for groups. If the list is longer, the kernel reports the necessary size.
    private static let groupsFirstGuess = 32

    /// Creates credentials.
    public init(pid: pid_t, uid: uid_t, gid: gid_t, groups: [gid_t] = []) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }

    /// Reads the credentials of the peer of a connected Unix socket (`SO_PEERCRED` and `SO_PEERGROUPS` of
    /// unix(7)).
    ///
    /// - Parameter descriptor: The socket. The caller closes the socket.
    public init(ofPeerAt descriptor: Int32) throws(SystemCallError) {
        // The kernel's `struct ucred` has three 32-bit numbers. Glibc's module does not export the struct to
        // Swift.
        let credentials = try Self.numbers(SO_PEERCRED, at: descriptor, firstGuess: 3)
        guard credentials.count == 3 else { throw Self.failure(SO_PEERCRED, EINVAL) }
        self.init(
            pid: pid_t(bitPattern: credentials[0]), uid: credentials[1], gid: credentials[2],
            groups: try Self.numbers(SO_PEERGROUPS, at: descriptor, firstGuess: Self.groupsFirstGuess))
    }

    /// Returns the value of a socket option that is a list of 32-bit numbers.
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
            // The list does not fit, and `length` is the required size. The list of a connection never
            // changes.
            guard errno == ERANGE, Int(length) > numbers.count * size else {
                throw failure(option, errno)
            }
            numbers = [UInt32](repeating: 0, count: Int(length) / size)
        }
    }

    private static func failure(_ option: Int32, _ code: Int32) -> SystemCallError {
        let name = option == SO_PEERCRED ? "SO_PEERCRED" : "SO_PEERGROUPS"
        return SystemCallError(call: "read", subject: name, errno: Errno(rawValue: code))
    }
}
