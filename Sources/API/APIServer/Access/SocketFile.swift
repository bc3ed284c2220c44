import Glibc

/// The socket's place in the file system.
struct SocketFile {
    /// Longest path: `sun_path` holds 108 bytes with its end mark (unix(7)).
    static let pathBytesMax = 107

    let path: String

    /// Makes room for a new socket: the directory exists, and a socket file that nobody answers on is gone.
    ///
    /// Anything else in the way is left alone and is an error.
    func prepare() throws(SocketFileError) {
        guard path.utf8.count <= Self.pathBytesMax else { throw .pathTooLong(path) }
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

    /// Sets who may connect. Until then the grant of each connection is the only guard, and it is always asked.
    func open(toEverybody: Bool, group: gid_t?) throws(SocketFileError) {
        // Handing the file to the group works for root and for members; others serve their own user only.
        if let group { _ = chown(path, uid_t.max, group) }
        guard chmod(path, toEverybody ? 0o666 : 0o660) == 0 else { throw .cannotPrepare(path, errno: errno) }
    }

    /// Which file this is, to recognise it again.
    var identity: Identity? {
        var info = stat()
        return lstat(path, &info) == 0 ? Identity(device: info.st_dev, inode: info.st_ino) : nil
    }

    /// Removes the file if it is still the one that we made.
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

    /// Connects once: 0 when somebody answers, else the error number.
    private func probe() -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }
}

/// Why the socket cannot be opened.
public enum SocketFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another daemon answers there.
    case inUse(String)
    /// A file that is not a socket is in the way.
    case notASocket(String)
    /// The path does not fit into a socket address.
    case pathTooLong(String)
    /// The system refused.
    case cannotPrepare(String, errno: Int32)

    /// What went wrong, for people.
    public var description: String {
        switch self {
        case .inUse(let path): "cannot listen on \(path): another framefastd answers there"
        case .notASocket(let path): "cannot listen on \(path): a file that is not a socket has that name"
        case .pathTooLong(let path):
            "cannot listen on \(path): a socket path has at most \(SocketFile.pathBytesMax) bytes"
        case .cannotPrepare(let path, let code): "cannot prepare \(path): \(String(cString: strerror(code)))"
        }
    }
}
