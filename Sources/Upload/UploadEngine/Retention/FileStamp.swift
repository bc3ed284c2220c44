import Glibc

/// A value that changes if a file is replaced or modified.
struct FileStamp: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    /// Reads the stamp of a regular file.
    ///
    /// - Returns: `nil` if the path does not exist or is not a regular file.
    init?(_ path: String) {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt(information.st_dev)
        inode = UInt(information.st_ino)
        size = Int(information.st_size)
        changedSeconds = information.st_ctim.tv_sec
        changedNanoseconds = information.st_ctim.tv_nsec
    }

    /// Returns the modification time of a folder, in seconds since 1970, or `nil` if the path is not a
    /// folder.
    static func modificationTimeOfFolder(_ path: String) -> Double? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else { return nil }
        return Double(information.st_mtim.tv_sec) + Double(information.st_mtim.tv_nsec) / 1e9
    }
}
