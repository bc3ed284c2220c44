public import FrameFastAPI
public import FrameFastSystem
public import Glibc

/// Who may do what on the socket, decided from what the kernel says about the other end.
public struct AccessPolicy: Sendable {
    /// Members of this group may control, when it exists.
    public static let groupName = "framefast"

    /// The daemon's own user: may control.
    public var ownUser: uid_t
    /// The controlling group; `nil` when there is none on this host.
    public var controlGroup: gid_t?
    /// Whether everybody may read.
    public var isStatusPublic: Bool

    /// Creates a policy.
    public init(ownUser: uid_t, controlGroup: gid_t?, isStatusPublic: Bool) {
        self.ownUser = ownUser
        self.controlGroup = controlGroup
        self.isStatusPublic = isStatusPublic
    }

    /// The policy of this process on this host. Looks the group up, so it may block.
    public static func ofThisProcess(isStatusPublic: Bool) -> Self {
        Self(
            ownUser: geteuid(), controlGroup: UserDatabase.groupID(named: groupName),
            isStatusPublic: isStatusPublic)
    }

    /// What a peer may do.
    public enum Grant: Hashable, Sendable {
        /// Everything.
        case control
        /// Look only.
        case read
        /// Nothing.
        case none

        /// Whether this is enough for a route.
        public func allows(_ access: Route.Access) -> Bool {
            switch self {
            case .control: true
            case .read: access == .read
            case .none: false
            }
        }
    }

    /// Decides what a peer may do.
    ///
    /// - Parameter groups: The peer's groups; asked only when nothing else decides, since asking may block.
    public func grant(to peer: PeerCredentials, groups: () -> [gid_t]) -> Grant {
        if peer.uid == 0 || peer.uid == ownUser { return .control }
        if let controlGroup, peer.gid == controlGroup || groups().contains(controlGroup) { return .control }
        return isStatusPublic ? .read : .none
    }
}
