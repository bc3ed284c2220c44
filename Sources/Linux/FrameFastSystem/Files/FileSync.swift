import CLinux
import Glibc
import Synchronization
public import SystemPackage

/// Syncing of written data to a disk.
///
/// Some file systems (FUSE, network shares) do not support fsync for files or for folders. On such a file
/// system, ``force(_:)`` syncs the whole file system and records its identity.
public enum FileSync {
    /// The file systems that do not support fsync. Device numbers do not identify a file system,
    /// because another USB stick in the same port receives the number of the previous stick.
    private static let unsupported = Mutex<Set<DiskIdentity>>([])

    /// Syncs the written data of an open file or folder to its disk.
    ///
    /// - Returns: The error, or `nil` if the file system reports success or does not support syncing.
    public static func force(_ descriptor: Int32) -> Errno? {
        guard fsync(descriptor) != 0 else { return nil }
        let reason = Errno(rawValue: errno)
        guard reason.isUnsupported else { return reason }
        recordUnsupported(descriptor)
        let fallback = framefast_sync_file_system(descriptor)
        guard fallback != 0, !Errno(rawValue: fallback).isUnsupported else { return nil }
        return Errno(rawValue: fallback)
    }

    /// Returns whether the file system of a path has supported every sync so far. If the path is missing, its
    /// nearest existing parent is used.
    public static func isSupported(at path: String) -> Bool {
        // The capture directory is checked every second. Usually, no file system is recorded.
        guard !unsupported.withLock(\.isEmpty), let disk = try? DiskIdentity.of(path) else { return true }
        return unsupported.withLock { !$0.contains(disk) }
    }

    private static func recordUnsupported(_ descriptor: Int32) {
        guard let disk = try? DiskIdentity.of(descriptor: descriptor) else { return }
        _ = unsupported.withLock { $0.insert(disk) }
    }
}
