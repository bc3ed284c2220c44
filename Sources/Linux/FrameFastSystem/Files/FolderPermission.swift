public import Glibc

/// Whether a user may do something with a file or folder, judged from outside by owners and modes: access(2) speaks for the
/// process that asks only. Lists of access (ACLs) are not read; whoever sets them knows why.
public struct FolderPermission: Hashable, Sendable {
    /// What somebody wants to do: the bits of a mode, as in chmod(1).
    public struct Wish: OptionSet, Hashable, Sendable {
        /// The bits, as the last digit of a mode.
        public let rawValue: mode_t
        /// Takes the last digit of a mode.
        public init(rawValue: mode_t) { self.rawValue = rawValue }

        /// List a folder, or read a file.
        public static let read = Self(rawValue: 4)
        /// Put files into a folder, or change a file.
        public static let write = Self(rawValue: 2)
        /// Pass through a folder.
        public static let search = Self(rawValue: 1)
    }

    /// Whose it is.
    public var owner: uid_t
    /// The group that it belongs to.
    public var group: gid_t
    /// Its mode; only the last nine bits count.
    public var mode: mode_t

    /// Names an owner, a group and a mode.
    public init(owner: uid_t, group: gid_t, mode: mode_t) {
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    /// Reads them from a file; `nil` with `errno` when this process may not look.
    public init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(owner: facts.st_uid, group: facts.st_gid, mode: facts.st_mode)
    }

    /// Whether a user may do all of that: the first of owner, group and others that fits decides (path_resolution(7)).
    public func allows(_ wish: Wish, user: uid_t, groups: Set<gid_t>) -> Bool {
        if user == 0 { return true }
        let shift: mode_t = user == owner ? 6 : groups.contains(group) ? 3 : 0
        return (mode >> shift) & wish.rawValue == wish.rawValue
    }

    /// The folder, or where it is not there yet the nearest one above it; `nil` when this process may not look.
    public static func nearest(to path: String) -> String? {
        for place in above(path) {
            var facts = stat()
            if stat(place, &facts) == 0 { return place }
            guard errno == ENOENT else { return nil }
        }
        return nil
    }

    /// Whether a user may put files into a folder: every folder above it has to let the user pass.
    ///
    /// - Returns: `nil` when this process may not look at all of them.
    public static func canWrite(to path: String, user: uid_t, groups: Set<gid_t>) -> Bool? {
        for (index, place) in above(path).enumerated() {
            guard let permission = FolderPermission(of: place) else { return nil }
            let wish: Wish = index == 0 ? [.write, .search] : .search
            guard permission.allows(wish, user: user, groups: groups) else { return false }
        }
        return true
    }

    /// A path, its parent, and so on up to `/`.
    public static func above(_ path: String) -> [String] {
        let names = path.split(separator: "/")
        return (0...names.count).map { "/" + names.dropLast($0).joined(separator: "/") }
    }
}
