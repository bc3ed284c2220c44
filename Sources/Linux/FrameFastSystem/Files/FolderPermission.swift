public import Glibc

/// The owner, group and mode of a file or folder, which determine each user's access. Unlike access(2), this
/// type can check users other than the calling process's user. Access control lists (ACLs) are ignored.
public struct FolderPermission: Hashable, Sendable {
    /// Kinds of access to a file or folder, as in one digit of a mode (chmod(1)).
    public struct Access: OptionSet, Hashable, Sendable {
        /// The digit of the mode.
        public let rawValue: mode_t
        /// Creates a set from one digit of a mode.
        public init(rawValue: mode_t) { self.rawValue = rawValue }

        /// Lists a folder, or reads a file.
        public static let read = Self(rawValue: 4)
        /// Creates files in a folder, or changes a file.
        public static let write = Self(rawValue: 2)
        /// Traverses a folder.
        public static let search = Self(rawValue: 1)
    }

    /// The owner.
    public var owner: uid_t
    /// The group.
    public var group: gid_t
    /// The mode. Only the lowest nine bits are used.
    public var mode: mode_t

    /// Creates permissions.
    public init(owner: uid_t, group: gid_t, mode: mode_t) {
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    /// Reads the permissions of a file, or returns `nil` and sets `errno` if this process cannot access it.
    public init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(owner: facts.st_uid, group: facts.st_gid, mode: facts.st_mode)
    }

    /// Returns whether a user has all of the given kinds of access. The owner's bits apply to the owner, the
    /// group's bits to other members of the group, and the last bits to all others (path_resolution(7)). Root
    /// has full access.
    public func allows(_ access: Access, user: uid_t, groups: Set<gid_t>) -> Bool {
        if user == 0 { return true }
        let shift: mode_t = user == owner ? 6 : groups.contains(group) ? 3 : 0
        return (mode >> shift) & access.rawValue == access.rawValue
    }

    /// Returns the path, or its nearest existing parent if the path is missing. Returns `nil` if this process
    /// cannot determine whether the path or a parent exists.
    public static func nearest(to path: String) -> String? {
        for candidate in above(path) {
            var facts = stat()
            if stat(candidate, &facts) == 0 { return candidate }
            guard errno == ENOENT else { return nil }
        }
        return nil
    }

    /// Returns whether a user may create files in a folder. The user needs the permissions to write to the
    /// folder, and to traverse the folder and every parent.
    ///
    /// - Returns: `nil` if this process cannot read the permissions of the folder or of a parent.
    public static func canWrite(to path: String, user: uid_t, groups: Set<gid_t>) -> Bool? {
        for (index, folder) in above(path).enumerated() {
            guard let permission = FolderPermission(of: folder) else { return nil }
            let access: Access = index == 0 ? [.write, .search] : .search
            guard permission.allows(access, user: user, groups: groups) else { return false }
        }
        return true
    }

    /// Returns a path and all its parents, from the path up to `/`.
    public static func above(_ path: String) -> [String] {
        let names = path.split(separator: "/")
        return (0...names.count).map { "/" + names.dropLast($0).joined(separator: "/") }
    }
}
