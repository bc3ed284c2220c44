public import Glibc

/// Who is at the other end of a Unix socket, as the kernel recorded it when the connection was made.
///
/// Laid out as the kernel's `struct ucred`, which is what `SO_PEERCRED` fills in (unix(7)); the header hides that
/// type from Swift.
public struct PeerCredentials: Hashable, Sendable {
    /// Option level of ``socketOption``.
    public static let socketLevel = SOL_SOCKET
    /// The socket option that yields a value of this type.
    public static let socketOption = SO_PEERCRED

    /// Process id; 0 when the process is outside our pid namespace.
    public var pid: pid_t
    /// Effective user id.
    public var uid: uid_t
    /// Effective group id.
    public var gid: gid_t

    /// Creates credentials, for tests and for rules.
    public init(pid: pid_t, uid: uid_t, gid: gid_t) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// What the system's user database says. Every call may block (LDAP, NIS): not for an event loop.
public enum UserDatabase {
    /// Most groups of one user that are looked at: the kernel's own bound for a process (NGROUPS_MAX).
    public static let groupsMax = 65536
    /// First guess at the number of groups; grows as needed.
    static let groupsFirstGuess: Int32 = 64
    /// Bytes for a name lookup: sysconf suggests 1,024; LDAP entries with many members need far more.
    static let lookupBytesMax = 1 << 20

    /// Id of a group by its name; `nil` when there is no such group.
    public static func groupID(named name: String) -> gid_t? {
        var entry = group()
        return withLookupBuffer { buffer, count in
            var found: UnsafeMutablePointer<group>?
            let error = getgrnam_r(name, &entry, buffer, count, &found)
            return (error, found?.pointee.gr_gid)
        }
    }

    /// Every group that a user is a member of, by the database: logging in again is not needed.
    ///
    /// - Returns: `[primaryGroup]` for a user that the database does not know.
    public static func groups(ofUser uid: uid_t, primaryGroup: gid_t) -> [gid_t] {
        guard let user = name(ofUser: uid) else { return [primaryGroup] }
        var count = groupsFirstGuess
        while true {
            var groups = [gid_t](repeating: 0, count: Int(count))
            let room = count
            if getgrouplist(user, primaryGroup, &groups, &count) >= 0 {
                return Array(groups.prefix(Int(count)))
            }
            guard count > room, count <= groupsMax else { return [primaryGroup] }
        }
    }

    /// Name of a user; `nil` when the database does not know it.
    public static func name(ofUser uid: uid_t) -> String? {
        var entry = passwd()
        return withLookupBuffer { buffer, count in
            var found: UnsafeMutablePointer<passwd>?
            let error = getpwuid_r(uid, &entry, buffer, count, &found)
            return (error, found.map { String(cString: $0.pointee.pw_name) })
        }
    }

    /// Calls `look` with a buffer that grows while the answer is ERANGE.
    private static func withLookupBuffer<Value>(
        _ look: (UnsafeMutablePointer<CChar>, Int) -> (error: Int32, value: Value?)
    ) -> Value? {
        var count = 1024
        while count <= lookupBytesMax {
            let answer = withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { buffer in
                buffer.baseAddress.map { look($0, count) } ?? (error: EINVAL, value: nil)
            }
            guard answer.error == ERANGE else { return answer.value }
            count *= 4
        }
        return nil
    }
}
