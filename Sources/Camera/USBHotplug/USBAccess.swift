import Glibc

/// Whether this process may open a device's node.
public enum USBAccess: Hashable, Sendable {
    /// It may read and write.
    case allowed
    /// It may not: the node belongs to this user and this group, with these permissions.
    case denied(owner: String, group: String, mode: UInt16)
    /// The node is not there: unplugged, or `/dev` is hidden from this process.
    case missing

    /// Asks the kernel about the process's real user and groups, with access(2).
    init(node: String) {
        if Glibc.access(node, R_OK | W_OK) == 0 {
            self = .allowed
            return
        }
        self.init(denialOf: node)
    }

    /// Whose the node is, whatever this process may do with it: never ``allowed``.
    init(denialOf node: String) {
        var facts = stat()
        guard stat(node, &facts) == 0 else {
            // A folder above it that may not be searched.
            self = errno == EACCES ? .denied(owner: "?", group: "?", mode: 0) : .missing
            return
        }
        self = .denied(
            owner: Self.userName(facts.st_uid), group: Self.groupName(facts.st_gid),
            mode: UInt16(facts.st_mode & 0o7777))
    }

    /// The user's name, or the number for one without a name.
    private static func userName(_ id: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 4096)
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return String(id) }
        return String(cString: name)
    }

    private static func groupName(_ id: gid_t) -> String {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 16384)
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.gr_name
        else { return String(id) }
        return String(cString: name)
    }
}
