import Glibc

/// A program that has a device's node open.
public struct NodeUser: Hashable, Sendable {
    /// Its process.
    public var pid: Int32
    /// The command's name, 15 bytes at most.
    public var name: String
    /// Whose it is.
    public var userID: UInt32

    /// Creates a value.
    public init(pid: Int32, name: String, userID: UInt32) {
        self.pid = pid
        self.name = name
        self.userID = userID
    }

    /// Most processes that are looked at, and most descriptors of each: a bound for a machine gone mad.
    public static let processesMax = 20_000
    private static let descriptorsMax = 5_000

    /// Programs that have a node open, as far as this process may see: its own user's, or with root everyone's. Each step
    /// blocks for some milliseconds.
    ///
    /// - Parameter node: For example `/dev/bus/usb/001/004`.
    public static func all(of node: String) -> some Sequence<NodeUser> {
        SystemFiles.names(in: "/proc", limit: processesMax).lazy.compactMap { name in
            guard let pid = Int32(name), hasOpen(node, pid) else { return nil }
            var facts = stat()
            guard stat("/proc/\(pid)", &facts) == 0 else { return nil }
            return NodeUser(
                pid: pid, name: SystemFiles.text("/proc/\(pid)/comm") ?? "?", userID: facts.st_uid)
        }
    }

    /// Whether a process has a node open, also under another path to it.
    private static func hasOpen(_ node: String, _ pid: Int32) -> Bool {
        var wanted = stat()
        guard stat(node, &wanted) == 0 else { return false }
        for name in SystemFiles.names(in: "/proc/\(pid)/fd", limit: descriptorsMax) {
            let path = "/proc/\(pid)/fd/\(name)"
            guard let target = SystemFiles.target(path) else { continue }
            if target == node { return true }
            // Only what is under /dev is asked: looking at a file on a network that is gone would wait for it.
            var facts = stat()
            if target.hasPrefix("/dev/"), stat(path, &facts) == 0,
                facts.st_ino == wanted.st_ino, facts.st_dev == wanted.st_dev
            {
                return true
            }
        }
        return false
    }
}
