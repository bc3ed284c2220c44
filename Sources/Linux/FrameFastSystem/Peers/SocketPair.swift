import Glibc
public import SystemPackage

/// A connected pair of Unix stream sockets. Both ends are close-on-exec.
public enum SocketPair {
    /// Creates a pair. The caller owns and closes both ends.
    public static func make() throws(SystemCallError) -> (ours: FileDescriptor, theirs: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw DurableFile.failure("create", "a socket pair")
        }
        return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }
}
