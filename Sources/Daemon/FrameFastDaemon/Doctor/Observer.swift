import FrameFastSystem
import Glibc
import SystemPackage

/// For whom the doctor looks: what this process may do says nothing of another user's service.
enum Observer: Hashable {
    /// This process is the service, or has the user and the groups that it has.
    case service
    /// The service runs as another user, with these groups.
    case bystander(of: uid_t, groups: Set<gid_t>)

    /// Name of the user that the unit of the computer's service names.
    static let serviceUser = "framefast"
    /// The unit's groups: its own, and that of libgphoto2's rules.
    private static let serviceGroups = ["framefast", "plugdev"]

    /// Without a service: whether this process stands for the computer's, or for one of its own.
    ///
    /// - Parameter isOfPerson: Whether what is looked at is this user's own: another configuration, or a login's service.
    static func standIn(isOfPerson: Bool) -> Self {
        guard !isOfPerson, let user = UserDatabase.userID(named: serviceUser), user != geteuid() else {
            return .service
        }
        return .bystander(of: user, groups: Set(serviceGroups.compactMap(UserDatabase.groupID(named:))))
    }

    /// Whether the service may put files into a folder; `nil` when that cannot be seen from here.
    func mayWrite(to folder: String) -> Bool? {
        switch self {
        case .service: access(folder, W_OK | X_OK) == 0
        case .bystander(let user, let groups):
            FolderPermission.canWrite(to: folder, user: user, groups: groups)
        }
    }

    /// The first folder above a path, from `/` down, that the service may not pass through; `nil` if there is none, or this
    /// process may not look.
    func closedFolder(above path: String) -> String? {
        FolderPermission.above(path).dropFirst().reversed().first { place in
            switch self {
            case .service: access(place, X_OK) != 0 && Errno(rawValue: errno).isNotAllowed
            case .bystander(let user, let groups):
                FolderPermission(of: place)?.allows(.search, user: user, groups: groups) == false
            }
        }
    }

    /// Whether the service may open a device's node; `nil` when that cannot be seen from here.
    func mayOpen(_ node: String) -> Bool? {
        switch self {
        case .service: access(node, R_OK | W_OK) == 0
        case .bystander(let user, let groups):
            FolderPermission(of: node)?.allows([.read, .write], user: user, groups: groups)
        }
    }

    /// The user in question, for a sentence.
    var name: String {
        switch self {
        case .service: "this user"
        case .bystander: "the service's user"
        }
    }

    /// The user in question, for chown(1).
    var account: String {
        switch self {
        case .service where geteuid() != 0:
            getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
        default: Self.serviceUser
        }
    }
}
