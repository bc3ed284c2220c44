import CLinux
import Glibc
import Synchronization
public import SystemPackage

/// Forces written data to a disk. Some file systems (FUSE, network shares) do not offer that for files or for folders: "not
/// offered" is no failure. The whole file system is asked instead, and the disk is remembered.
public enum FileSync {
    private static let unoffered = Mutex<Set<dev_t>>([])

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

    /// Whether the disk of a path has confirmed every sync so far. A path that is not there counts as one that has.
    public static func isOffered(at path: String) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else { return true }
        return unoffered.withLock { !$0.contains(information.st_dev) }
    }

    private static func remember(_ descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return }
        _ = unoffered.withLock { $0.insert(information.st_dev) }
    }
}
