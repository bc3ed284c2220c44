import Glibc

/// The free space of the file system that contains a folder.
public struct DiskSpace: Hashable, Sendable {
    /// The free space that this process may use, in bytes.
    public var freeBytes: UInt64
    /// The size of the file system, in bytes.
    public var totalBytes: UInt64

    /// Returns whether the file system of `path` is mounted read-only.
    public static func isReadOnly(_ path: String) -> Bool {
        var information = statvfs()
        return statvfs(path, &information) == 0 && information.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Returns the space of the file system that contains `path`.
    public static func of(_ path: String) throws(SystemCallError) -> DiskSpace {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { throw DurableFile.failure("statvfs", path) }
        let unit = UInt64(information.f_frsize)
        return DiskSpace(
            freeBytes: UInt64(information.f_bavail) * unit, totalBytes: UInt64(information.f_blocks) * unit)
    }
}
