public import Glibc

/// The permissions of a file or folder, evaluated for any user by owner and mode. access(2) answers only for
/// the calling process. The evaluation ignores access control lists (ACLs).
public struct FolderPermission: Hashable, Sendable {
    /// An access to a file or folder: the bits of a mode, as in chmod(1).
    public struct Access: OptionSet, Hashable, Sendable {
        /// The bits, as in one digit of a mode.
        public let rawValue: mode_t
        /// Creates an access from one digit of a mode.
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
    /// The mode. Only the last nine bits are used.
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

    /// Returns whether a user has this access. The first match of owner, group and others decides
    /// (path_resolution(7)).
    public func allows(_ access: Access, user: uid_t, groups: Set<gid_t>) -> Bool {
        if user == 0 { return true }
        let shift: mode_t = user == owner ? 6 : groups.contains(group) ? 3 : 0
        return (mode >> shift) & access.rawValue == access.rawValue
    }

    /// Returns the folder, or its nearest existing parent, or `nil` if this process cannot access it.
    public static func nearest(to path: String) -> String? {
        for place in above(path) {
            var facts = stat()
            if stat(place, &facts) == 0 { return place }
            guard errno == ENOENT else { return nil }
        }
        return nil
    }

    /// Returns whether a user may create files in a folder. The user must be able to traverse every parent.
    ///
    /// - Returns: The answer, or `nil` if this process cannot access all of them.
    public static func canWrite(to path: String, user: uid_t, groups: Set<gid_t>) -> Bool? {
        for (index, place) in above(path).enumerated() {
            guard let permission = FolderPermission(of: place) else { return nil }
            let access: Access = index == 0 ? [.write, .search] : .search
            guard permission.allows(access, user: user, groups: groups) else { return false }
        }
        return true
    }

    /// Returns a path, its parent, and so on up to `/`.
    public static func above(_ path: String) -> [String] {
        let names = path.split(separator: "/")
        return (0...names.count).map { "/" + names.dropLast($0).joined(separator: "/") }
    }
}
