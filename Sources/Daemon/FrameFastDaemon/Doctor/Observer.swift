import FrameFastSystem
import Glibc
import SystemPackage

/// The user whose permissions are checked. This process may have other permissions than the service.
enum Observer: Hashable {
    /// This process is the service, or has the user and groups of the service.
    case service
    /// The service runs as another user, with these groups.
    case otherUser(uid_t, groups: Set<gid_t>)

    /// The user name in the unit of the system service.
    static let serviceUser = "framefast"
    /// The groups in the unit: the service's own, and the group of libgphoto2's udev rules.
    private static let serviceGroups = ["framefast", "plugdev"]

    /// Returns the user whose permissions are checked while no service runs.
    ///
    /// - Parameter isRunByUser: Whether this user runs the service: as a user service, or with options that
    ///   choose the configuration.
    static func detected(isRunByUser: Bool) -> Self {
        guard !isRunByUser, let user = UserDatabase.userID(named: serviceUser), user != geteuid() else {
            return .service
        }
        return .otherUser(user, groups: Set(serviceGroups.compactMap(UserDatabase.groupID(named:))))
    }

    /// Returns whether the service may create files in a folder, or `nil` if this process can't determine it.
    func mayWrite(to folder: String) -> Bool? {
        switch self {
        case .service: access(folder, W_OK | X_OK) == 0
        case .otherUser(let user, let groups):
            FolderPermission.canWrite(to: folder, user: user, groups: groups)
        }
    }

    /// Returns the first folder above a path, from `/` down, that the service can't pass through.
    ///
    /// - Returns: `nil` if the service can pass through all folders, or if this process can't determine it.
    func closedFolder(above path: String) -> String? {
        FolderPermission.above(path).dropFirst().reversed().first { place in
            switch self {
            case .service: access(place, X_OK) != 0 && Errno(rawValue: errno).isNotAllowed
            case .otherUser(let user, let groups):
                FolderPermission(of: place)?.allows(.search, user: user, groups: groups) == false
            }
        }
    }

    /// Returns whether the service may open a device node, or `nil` if this process can't determine it.
    func mayOpen(_ node: String) -> Bool? {
        switch self {
        case .service: access(node, R_OK | W_OK) == 0
        case .otherUser(let user, let groups):
            FolderPermission(of: node)?.allows([.read, .write], user: user, groups: groups)
        }
    }

    /// A phrase for the user, for use in a sentence.
    var name: String {
        switch self {
        case .service: "this user"
        case .otherUser: "the service's user"
        }
    }

    /// The user name, for chown(1).
    var account: String {
        switch self {
        case .service where geteuid() != 0:
            getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
        default: Self.serviceUser
        }
    }
}
