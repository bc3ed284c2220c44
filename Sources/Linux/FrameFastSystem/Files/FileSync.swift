import CLinux
import Glibc
import Synchronization
public import SystemPackage

/// Forcing of written data to a disk. Some file systems (FUSE, network shares) do not support that for files
/// or for folders, which is not a failure. In that case the whole file system is synced, and the disk is
/// recorded.
public enum FileSync {
    /// The disks without support for fsync, by file system. A device number does not identify them: a
    /// reformatted USB stick, or another one in the same port, gets the number of the previous one.
    private static let unsupported = Mutex<Set<DiskIdentity>>([])

    /// Forces the written data of an open file or folder to its disk.
    ///
    /// - Returns: The reason of a failure, or `nil` if the data is on the disk as far as the file system
    ///   reports.
    public static func force(_ descriptor: Int32) -> Errno? {
        guard fsync(descriptor) != 0 else { return nil }
        let reason = Errno(rawValue: errno)
        guard reason.isUnsupported else { return reason }
        recordUnsupported(descriptor)
        let fallback = framefast_sync_file_system(descriptor)
        guard fallback != 0, !Errno(rawValue: fallback).isUnsupported else { return nil }
        return Errno(rawValue: fallback)
    }

    /// Returns whether the disk of a path has supported every sync so far. A missing path counts as its
    /// nearest existing parent.
    public static func isSupported(at path: String) -> Bool {
        guard let disk = try? DiskIdentity.of(path) else { return true }
        return unsupported.withLock { !$0.contains(disk) }
    }

    private static func recordUnsupported(_ descriptor: Int32) {
        guard let disk = try? DiskIdentity.of(descriptor: descriptor) else { return }
        _ = unsupported.withLock { $0.insert(disk) }
    }
}
