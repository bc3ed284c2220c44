import Glibc

/// Whether this process may open a device's node.
public enum USBAccess: Hashable, Sendable {
    /// It may read and write.
    case allowed
    /// It may not: the node belongs to this user and this group, with these permissions.
    case denied(owner: String, group: String, mode: UInt16)
    /// Owner, group and permissions allow it, and the kernel refuses all the same: the sandbox of this process does not have
    /// USB devices. systemd resolves `DeviceAllow=char-usb_device` once, when the service starts, and to nothing before
    /// usbcore is loaded.
    case blocked
    /// The node is not there: unplugged, or `/dev` is hidden from this process.
    case missing

    /// Asks the kernel about the process's real user and groups, with access(2).
    ///
    /// - Parameter isAccessible: What asks it.
    init(
        node: String, isAccessible: (_ node: String) -> Bool = { Glibc.access($0, R_OK | W_OK) == 0 }
    ) {
        if isAccessible(node) {
            self = .allowed
            return
        }
        var facts = stat()
        if stat(node, &facts) == 0,
            Self.permits(
                facts.st_mode, owner: facts.st_uid, group: facts.st_gid, user: getuid(), groups: Self.groups)
        {
            // Between the two questions udev may have given the node its permissions.
            self = isAccessible(node) ? .allowed : .blocked
            return
        }
        self.init(denialOf: node)
    }

    /// Whether permissions let a user read and write.
    ///
    /// - Parameter groups: The user's groups.
    static func permits(_ mode: mode_t, owner: uid_t, group: gid_t, user: uid_t, groups: Set<gid_t>) -> Bool {
        if user == 0 { return true }
        let shift: mode_t = user == owner ? 6 : groups.contains(group) ? 3 : 0
        return mode >> shift & 0o6 == 0o6
    }

    /// The groups of this process. One that its user namespace does not have is unknown, as are those of files.
    private static var groups: Set<gid_t> {
        var list = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(list.count), &list)
        return Set(list.prefix(max(0, Int(count))) + [getgid()]).subtracting([unknownID])
    }

    /// What the kernel gives for a user or group that the namespace does not have (`/proc/sys/kernel/overflowgid`).
    private static let unknownID: gid_t = 65_534

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
