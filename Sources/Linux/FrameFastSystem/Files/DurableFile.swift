import Glibc
import SystemIO
import SystemPackage

/// Operations that sync files and folders to the disk and publish files under their final names.
public enum DurableFile {
    /// Syncs a file's bytes and size to the disk.
    ///
    /// After a failure, treat the file's content as lost. Linux drops the dirty pages, and a second `fsync`
    /// would report success (see "fsyncgate", LWN 752063).
    public static func sync(_ path: String) throws(SystemCallError) {
        try sync(path, flags: O_RDONLY | O_NOFOLLOW)
    }

    /// Syncs a folder's entries to the disk. After this call, a new name survives a power failure. Follows a
    /// symbolic link to the folder, because a person may keep the folder on another disk.
    public static func syncFolder(_ path: String) throws(SystemCallError) {
        try sync(path, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Syncs the entries of `folder` and of its parents, up to and including `root`, to the disk.
    public static func syncFolders(from folder: String, upTo root: String) throws(SystemCallError) {
        var current = folder
        while current.count >= root.count {
            try syncFolder(current)
            guard current.count > root.count else { return }
            current = parent(of: current)
        }
    }

    private static func sync(_ path: String, flags: Int32) throws(SystemCallError) {
        try SimulatedHost.willPerform(.sync, path)
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        if let reason = FileSync.force(descriptor) {
            throw SystemCallError(call: "fsync", subject: path, errno: reason)
        }
    }

    /// The device and inode of a file or folder, which identify it independently of its name.
    public struct Identity: Hashable, Sendable {
        private let device: dev_t
        private let inode: ino_t

        init(_ information: stat) {
            device = information.st_dev
            inode = information.st_ino
        }
    }

    /// Returns the identity of a file or folder, or `nil` if the path does not exist. Does not follow
    /// symbolic links.
    public static func identity(of path: String) -> Identity? {
        var information = stat()
        return lstat(path, &information) == 0 ? Identity(information) : nil
    }

    /// Returns whether two paths refer to the same file.
    public static func areSame(_ first: String, _ second: String) -> Bool {
        identity(of: first).map { $0 == identity(of: second) } ?? false
    }

    /// Removes a file. A missing file is not an error.
    public static func remove(_ path: String) throws(SystemCallError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink", path) }
    }

    /// Returns whether the path exists, as any kind of file.
    public static func exists(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0
    }

    /// Returns whether the path is a folder, or a symbolic link to a folder.
    public static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether the path is a regular file. A symbolic link is not a regular file.
    public static func isRegular(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    /// Creates a folder and its missing parents, and syncs the parent of each new folder.
    ///
    /// - Throws: `notDirectory` if a file that is not a folder exists at the path.
    public static func createFolder(_ path: String, mode: UInt32 = 0o750) throws(SystemCallError) {
        try SimulatedHost.willPerform(.createFolder, path)
        if mkdir(path, mode) == 0 {
            return try syncFolder(parent(of: path))
        }
        switch errno {
        case EEXIST where isFolder(path): return
        case EEXIST: throw SystemCallError(call: "create the folder", subject: path, errno: .notDirectory)
        case ENOENT:
            try createFolder(parent(of: path), mode: mode)
            guard mkdir(path, mode) == 0 || errno == EEXIST else { throw failure("mkdir", path) }
            try syncFolder(parent(of: path))
        default: throw failure("mkdir", path)
        }
    }

    /// Returns the parent folder of a path. The parent of `/` is `/`, and the parent of a name is empty.
    ///
    /// `FilePath.removingLastComponent` parses the whole path. In debug builds, that took a third of the time
    /// of the simulation.
    public static func parent(of path: String) -> String {
        let (bytes, slash) = (path.utf8, UInt8(ascii: "/"))
        let root = bytes.first == slash ? "/" : ""
        guard let name = bytes.lastIndex(where: { $0 != slash }),
            let separator = bytes[..<name].lastIndex(of: slash),
            let end = bytes[..<separator].lastIndex(where: { $0 != slash })
        else { return root }
        return String(Substring(bytes[...end]))
    }

    /// Returns the error of the system call that just failed, from `errno`.
    static func failure(_ call: String, _ subject: String) -> SystemCallError {
        SystemCallError(call: call, subject: subject, errno: Errno(rawValue: errno))
    }

    static func failure(
        _ call: String, _ subject: String, _ failure: SystemCallFailure
    ) -> SystemCallError {
        SystemCallError(call: call, subject: subject, errno: Errno(rawValue: failure.number))
    }
}
