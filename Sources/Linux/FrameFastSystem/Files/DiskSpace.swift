import Glibc

/// Free space of the file system that holds a folder.
public struct DiskSpace: Hashable, Sendable {
    /// Bytes that this process may still write.
    public var freeBytes: UInt64
    /// Size of the file system in bytes.
    public var totalBytes: UInt64

    /// Whether the file system that holds `path` is mounted for reading only.
    public static func isReadOnly(_ path: String) -> Bool {
        var information = statvfs()
        return statvfs(path, &information) == 0 && information.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Asks the file system that holds `path`.
    public static func of(_ path: String) throws(SystemCallError) -> DiskSpace {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { throw DurableFile.failure("statvfs", path) }
        let unit = UInt64(information.f_frsize)
        return DiskSpace(
            freeBytes: UInt64(information.f_bavail) * unit, totalBytes: UInt64(information.f_blocks) * unit)
    }
}
