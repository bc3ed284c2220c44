import Glibc
import SystemPackage

/// Making files durable, and publishing them under a final name that nothing else has.
public enum DurableFile {
    /// Forces a file's bytes and size to the disk.
    ///
    /// After a failure the file's content must be taken as lost: Linux drops the dirty pages and a second `fsync`
    /// would report success (see "fsyncgate", LWN 752063).
    public static func sync(_ path: String) throws(SystemCallError) {
        try sync(path, flags: O_RDONLY)
    }

    /// Forces a folder's entries to the disk, so that a new name survives a power cut.
    public static func syncFolder(_ path: String) throws(SystemCallError) {
        try sync(path, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Forces the entries of `folder` and of the folders above it to the disk, up to and with `root`.
    public static func syncFolders(from folder: String, upTo root: String) throws(SystemCallError) {
        var current = folder
        while current.count >= root.count {
            try syncFolder(current)
            guard current.count > root.count else { return }
            current = parent(of: current)
        }
    }

    private static func sync(_ path: String, flags: Int32) throws(SystemCallError) {
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        if let reason = FileSync.force(descriptor) {
            throw SystemCallError(call: "fsync", subject: path, errno: reason)
        }
    }

    /// Which file or folder a name stands for, whatever it is called.
    public struct Identity: Hashable, Sendable {
        private let device: dev_t
        private let inode: ino_t

        init(_ information: stat) {
            device = information.st_dev
            inode = information.st_ino
        }
    }

    /// What stands under a name now; `nil` when nothing does.
    public static func identity(of path: String) -> Identity? {
        var information = stat()
        return lstat(path, &information) == 0 ? Identity(information) : nil
    }

    /// Whether two names stand for one file.
    public static func areSame(_ first: String, _ second: String) -> Bool {
        identity(of: first).map { $0 == identity(of: second) } ?? false
    }

    /// Removes a file. A file that is not there is no error.
    public static func remove(_ path: String) throws(SystemCallError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink", path) }
    }

    /// Whether something (of any kind) has this name.
    public static func exists(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0
    }

    /// Whether there is a folder of this name, or a link to one.
    public static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether there is a file of this name; a link is none.
    public static func isRegular(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    /// Creates a folder and its missing parents, each one durable in its parent.
    ///
    /// - Throws: `notDirectory` when something that is no folder has the name.
    public static func createFolder(_ path: String, mode: UInt32 = 0o750) throws(SystemCallError) {
        if mkdir(path, mode) == 0 {
            return try syncFolder(parent(of: path))
        }
        switch errno {
        case EEXIST where isFolder(path): return
        case EEXIST: throw SystemCallError(call: "make the folder", subject: path, errno: .notDirectory)
        case ENOENT:
            try createFolder(parent(of: path), mode: mode)
            guard mkdir(path, mode) == 0 || errno == EEXIST else { throw failure("mkdir", path) }
            try syncFolder(parent(of: path))
        default: throw failure("mkdir", path)
        }
    }

    /// The folder that holds a path; `/` for a path without one.
    public static func parent(of path: String) -> String {
        FilePath(path).removingLastComponent().string
    }

    static func failure(_ call: String, _ subject: String) -> SystemCallError {
        SystemCallError(call: call, subject: subject, errno: Errno(rawValue: errno))
    }
}
