public import Glibc

/// The system's user database. A lookup may block, for example on LDAP or NIS. Do not look up names on an
/// event loop. A failed lookup has the same result as an unknown name.
public enum UserDatabase {
    /// The largest buffer of a lookup, in bytes. sysconf(3) suggests 1,024 bytes, but an LDAP group with many
    /// members needs far more.
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

    /// Returns the name of a user, or `nil` if no user has the id.
    public static func userName(id: uid_t) -> String? {
        var entry = passwd()
        return withLookupBuffer { buffer, count in
            var found: UnsafeMutablePointer<passwd>?
            let error = getpwuid_r(id, &entry, buffer, count, &found)
            return (error, found?.pointee.pw_name.map { String(cString: $0) })
        }
    }

    /// Calls `lookUp` with increasingly large buffers, until the result fits or the buffer reaches
    /// ``lookupBytesMax``.
    private static func withLookupBuffer<Value>(
        _ lookUp: (UnsafeMutablePointer<CChar>, Int) -> (error: Int32, value: Value?)
    ) -> Value? {
        var count = 1024
        while count <= lookupBytesMax {
            let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { buffer in
                buffer.baseAddress.map { lookUp($0, count) } ?? (error: EINVAL, value: nil)
            }
            guard result.error == ERANGE else { return result.value }
            count *= 4
        }
        return nil
    }
}
