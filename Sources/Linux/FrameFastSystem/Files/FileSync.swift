import CLinux
import Glibc
import Synchronization
public import SystemPackage

/// Forces written data to a disk. Some file systems (FUSE, network shares) do not offer that for files or for folders: "not
/// offered" is no failure. The whole file system is asked instead, and the disk is remembered.
public enum FileSync {
    /// By file system and not by device number: a stick that is formatted again, or another one in its place, has the number of
    /// the one before.
    private static let unoffered = Mutex<Set<DiskIdentity>>([])

    /// Forces what was written to an open file or folder to its disk.
    ///
    /// - Returns: The reason of a failure, or `nil` if the data is on the disk as far as the file system can tell.
    public static func force(_ descriptor: Int32) -> Errno? {
        guard fsync(descriptor) != 0 else { return nil }
        let reason = Errno(rawValue: errno)
        guard reason.isNotOffered else { return reason }
        remember(descriptor)
        let fallback = framefast_sync_file_system(descriptor)
        guard fallback != 0, !Errno(rawValue: fallback).isNotOffered else { return nil }
        return Errno(rawValue: fallback)
    }

    /// Whether the disk of a path has confirmed every sync so far. A path that is missing counts as the nearest folder above.
    public static func isOffered(at path: String) -> Bool {
        guard let disk = try? DiskIdentity.of(path) else { return true }
        return unoffered.withLock { !$0.contains(disk) }
    }

    private static func remember(_ descriptor: Int32) {
        guard let disk = try? DiskIdentity.of(descriptor: descriptor) else { return }
        _ = unoffered.withLock { $0.insert(disk) }
    }
}
