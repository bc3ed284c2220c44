import Glibc
import SystemIO

/// The socket file on which the API server listens.
struct SocketFile {
    let path: String

    /// Prepares the path for a new socket: creates the directory and deletes a socket file on which no
    /// process listens.
    ///
    /// - Throws: An error if a process listens on the socket, if a file that is not a socket exists at the
    ///   path, or if a system call fails. An existing file then stays unchanged.
    func prepare() throws(SocketFileError) {
        guard path.utf8.count <= UnixAddress.pathBytesMax else { throw .pathTooLong(path) }
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        try makeDirectory(directory)
        var info = stat()
        guard lstat(path, &info) == 0 else {
            if errno == ENOENT { return }
            throw .cannotPrepare(path, errno: errno)
        }
        guard info.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        switch probe() {
        case 0: throw .inUse(path)
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else { throw .cannotPrepare(path, errno: errno) }
        case ENOENT: return
        case let code: throw .cannotPrepare(path, errno: code)
        }
    }

    /// Sets the file's group and mode. The server also checks the rights of each connection.
    func setAccess(isOpenToAll: Bool, group: gid_t?) throws(SocketFileError) {
        // Only root and members of the group can give the file to the group. If another user runs the daemon,
        // the file's group stays unchanged.
        if let group { _ = chown(path, uid_t.max, group) }
        guard chmod(path, isOpenToAll ? 0o666 : 0o660) == 0 else { throw .cannotPrepare(path, errno: errno) }
    }

    /// The device and inode of the file, or `nil` if the file cannot be read.
    var identity: Identity? {
        var info = stat()
        return lstat(path, &info) == 0 ? Identity(device: info.st_dev, inode: info.st_ino) : nil
    }

    /// Deletes the file if the file still has this identity.
    func remove(if identity: Identity?) {
        if let identity, self.identity == identity { unlink(path) }
    }

    struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    private func makeDirectory(_ directory: String) throws(SocketFileError) {
        guard !directory.isEmpty, access(directory, F_OK) != 0 else { return }
        if let parent = directory.lastIndex(of: "/") { try makeDirectory(String(directory[..<parent])) }
        guard mkdir(directory, 0o755) == 0 || errno == EEXIST else {
            throw .cannotPrepare(directory, errno: errno)
        }
    }

    /// Connects once and returns 0 if a process accepts, or the error number.
    private func probe() -> Int32 {
        do throws(SystemCallFailure) {
            close(try IO.connect(toUnixSocket: path))
            return 0
        } catch { return error.number }
    }
}

/// A reason why the socket cannot be opened.
public enum SocketFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another daemon listens on the socket.
    case inUse(String)
    /// The path holds a file that is not a socket.
    case notASocket(String)
    /// The path does not fit into a socket address.
    case pathTooLong(String)
    /// A system call failed.
    case cannotPrepare(String, errno: Int32)

    /// A description of the error for people.
    public var description: String {
        switch self {
        case .inUse(let path): "cannot listen on \(path): another framefastd already listens on this socket"
        case .notASocket(let path):
            "cannot listen on \(path): a file with this name exists and is not a socket"
        case .pathTooLong(let path):
            "cannot listen on \(path): a socket path has at most \(UnixAddress.pathBytesMax) bytes"
        case .cannotPrepare(let path, let code): "cannot prepare \(path): \(String(cString: strerror(code)))"
        }
    }
}
