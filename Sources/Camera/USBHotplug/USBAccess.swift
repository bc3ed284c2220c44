import Glibc

/// The access of this process to a device's node.
public enum USBAccess: Hashable, Sendable {
    /// The process may read and write.
    case allowed
    /// The process lacks permission to open the node, which has this owner, group and mode.
    case denied(owner: String, group: String, mode: UInt16)
    /// Owner, group and permissions permit the access, but the kernel denies the access, because the
    /// service's device policy does not include USB devices. systemd resolves `DeviceAllow=char-usb_device`
    /// only when the service starts. If usbcore is not loaded at that time, the rule matches no device.
    case blocked
    /// The node is missing. The device is unplugged, or `/dev` is hidden from this process.
    case missing

    /// Checks the access of the process's real user and groups with access(2).
    ///
    /// - Parameter isAccessible: A function that returns whether the node can be read and written.
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
            // Checks again, because udev may have set the permissions in the meantime.
            self = isAccessible(node) ? .allowed : .blocked
            return
        }
        self.init(denialOf: node)
    }

    /// Returns whether the permissions let a user read and write.
    ///
    /// - Parameter groups: The user's groups.
    static func permits(_ mode: mode_t, owner: uid_t, group: gid_t, user: uid_t, groups: Set<gid_t>) -> Bool {
        if user == 0 { return true }
        let shift: mode_t = user == owner ? 6 : groups.contains(group) ? 3 : 0
        return mode >> shift & 0o6 == 0o6
    }

    /// The groups of this process. The kernel reports groups outside the user namespace as unknown, both for
    /// processes and for files.
    private static var groups: Set<gid_t> {
        var list = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(list.count), &list)
        return Set(list.prefix(max(0, Int(count))) + [getgid()]).subtracting([unknownID])
    }

    /// The id that the kernel reports for users and groups outside the namespace
    /// (`/proc/sys/kernel/overflowgid`).
    private static let unknownID: gid_t = 65_534

    /// Creates the value ``denied(owner:group:mode:)`` with the owner and permissions of a node, or
    /// ``missing``. Does not check the access of this process.
    init(denialOf node: String) {
        var facts = stat()
        guard stat(node, &facts) == 0 else {
            // EACCES means that a parent folder is not searchable.
            self = errno == EACCES ? .denied(owner: "?", group: "?", mode: 0) : .missing
            return
        }
        self = .denied(
            owner: Self.userName(facts.st_uid), group: Self.groupName(facts.st_gid),
            mode: UInt16(facts.st_mode & 0o7777))
    }

    /// Returns the user's name, or the user id if the user has no name.
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
