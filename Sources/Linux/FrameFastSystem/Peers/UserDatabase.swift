public import Glibc

/// What the system's user database says. Every call may block (LDAP, NIS): not for an event loop.
public enum UserDatabase {
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

    /// Id of a user by its name; `nil` when there is no such user.
    public static func userID(named name: String) -> uid_t? {
        var entry = passwd()
        return withLookupBuffer { buffer, count in
            var found: UnsafeMutablePointer<passwd>?
            let error = getpwnam_r(name, &entry, buffer, count, &found)
            return (error, found?.pointee.pw_uid)
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
