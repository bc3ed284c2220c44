import FrameFastSystem
import Glibc

/// What tells that a file was neither exchanged nor written to between two looks.
struct FileStamp: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    /// A regular file as it is now.
    ///
    /// - Returns: `nil` when nothing, or something else, has this name.
    init?(_ path: String) {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt(information.st_dev)
        inode = UInt(information.st_ino)
        size = Int(information.st_size)
        changedSeconds = information.st_ctim.tv_sec
        changedNanoseconds = information.st_ctim.tv_nsec
    }

    /// When something was last added to a folder or removed from it, in seconds since 1970; `nil` when it is none.
    static func changeOfFolder(_ path: String) -> Double? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else { return nil }
        return Double(information.st_mtim.tv_sec) + Double(information.st_mtim.tv_nsec) / 1e9
    }
}
