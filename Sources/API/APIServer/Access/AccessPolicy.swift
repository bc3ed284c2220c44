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
    /// Whom the daemon can tell apart.
    public var namespace: UserNamespace

    /// Creates a policy.
    public init(
        ownUser: uid_t, controlGroup: gid_t?, isStatusPublic: Bool, namespace: UserNamespace = .whole
    ) {
        self.ownUser = ownUser
        self.controlGroup = controlGroup
        self.isStatusPublic = isStatusPublic
        self.namespace = namespace
    }

    /// The policy of this process on this host. Looks the group up, so it may block.
    public static func ofThisProcess(isStatusPublic: Bool) -> Self {
        Self(
            ownUser: geteuid(), controlGroup: UserDatabase.groupID(named: groupName),
            isStatusPublic: isStatusPublic, namespace: .current)
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
        public func allows(_ access: EndpointRow.Access) -> Bool {
            switch self {
            case .control: true
            case .read: access == .read
            case .none: false
            }
        }
    }

    /// Decides what a peer may do: by the ids that its process has, whatever the user database says by now.
    public func grant(to peer: PeerCredentials) -> Grant {
        let isOwn = peer.uid == ownUser && namespace.knows(user: ownUser)
        if peer.uid == 0 || isOwn || isMember(peer) { return .control }
        return isStatusPublic ? .read : .none
    }

    private func isMember(_ peer: PeerCredentials) -> Bool {
        guard let controlGroup, namespace.knows(group: controlGroup) else { return false }
        return peer.gid == controlGroup || peer.groups.contains(controlGroup)
    }

    /// Why members of the group cannot be told from strangers, as a sentence with what to do; `nil` when they can.
    public var membershipProblem: String? {
        guard let controlGroup, !namespace.knows(group: controlGroup) else { return nil }
        return """
            cannot tell who is in group \(Self.groupName): the service runs in a user namespace that does not have this \
            group, so its members are refused. Run the service in group \(Self.groupName) (Group=), or without a \
            namespace (PrivateUsers=no)
            """
    }
}
