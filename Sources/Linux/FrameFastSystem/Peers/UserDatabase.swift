public import Glibc

/// The system's user database. Every call may block (LDAP, NIS), so do not call it on an event loop.
public enum UserDatabase {
    /// The largest buffer of a lookup, in bytes. sysconf suggests 1,024; LDAP entries with many members need
    /// far more.
    static let lookupBytesMax = 1 << 20

    /// Returns the id of a group, or `nil` if no group has the name.
    public static func groupID(named name: String) -> gid_t? {
        var entry = group()
        return withLookupBuffer { buffer, count in
            var found: UnsafeMutablePointer<group>?
            let error = getgrnam_r(name, &entry, buffer, count, &found)
            return (error, found?.pointee.gr_gid)
        }
    }

    /// Returns the id of a user, or `nil` if no user has the name.
    public static func userID(named name: String) -> uid_t? {
        var entry = passwd()
        return withLookupBuffer { buffer, count in
            var found: UnsafeMutablePointer<passwd>?
            let error = getpwnam_r(name, &entry, buffer, count, &found)
            return (error, found?.pointee.pw_uid)
        }
    }

    /// Calls `lookUp` with a buffer that grows while the result is ERANGE.
    private static func withLookupBuffer<Value>(
        _ lookUp: (UnsafeMutablePointer<CChar>, Int) -> (error: Int32, value: Value?)
    ) -> Value? {
        var count = 1024
        while count <= lookupBytesMax {
            let answer = withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { buffer in
                buffer.baseAddress.map { lookUp($0, count) } ?? (error: EINVAL, value: nil)
            }
            guard answer.error == ERANGE else { return answer.value }
            count *= 4
        }
        return nil
    }
}
