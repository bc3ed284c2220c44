public import FrameFastAPI
public import FrameFastSystem
public import Glibc

/// A policy that grants permissions to socket peers, by the credentials that the kernel reports.
public struct AccessPolicy: Sendable {
    /// The name of the group whose members may control the daemon. The group may not exist.
    public static let groupName = "framefast"

    /// The daemon's own user, who may control the daemon.
    public var ownUser: uid_t
    /// The group whose members may control the daemon, or `nil` if this host has no such group.
    public var controlGroup: gid_t?
    /// Whether every user may read.
    public var isStatusPublic: Bool
    /// The users and groups that the daemon can distinguish.
    public var namespace = UserNamespace.whole

    /// Returns the policy of this process on this host. May block, because it looks up the group.
    public static func ofThisProcess(isStatusPublic: Bool) -> Self {
        Self(
            ownUser: geteuid(), controlGroup: UserDatabase.groupID(named: groupName),
            isStatusPublic: isStatusPublic, namespace: .current)
    }

    /// The permissions of a peer.
    public enum Grant: Hashable, Sendable {
        /// Read and change everything.
        case control
        /// Read only.
        case read
        /// No access.
        case none

        /// Returns whether this grant is sufficient for an endpoint.
        public func allows(_ access: EndpointRow.Access) -> Bool {
            switch self {
            case .control: true
            case .read: access == .read
            case .none: false
            }
        }
    }

    /// Returns the grant of a peer. The grant depends on the user and group IDs of the peer's process. Later
    /// changes to the user database do not affect the grant.
    public func grant(to peer: PeerCredentials) -> Grant {
        let isOwn = peer.uid == ownUser && namespace.maps(user: ownUser)
        if peer.uid == 0 || isOwn || isMember(peer) { return .control }
        return isStatusPublic ? .read : .none
    }

    private func isMember(_ peer: PeerCredentials) -> Bool {
        guard let controlGroup, namespace.maps(group: controlGroup) else { return false }
        return peer.gid == controlGroup || peer.groups.contains(controlGroup)
    }

    /// The reason why the daemon cannot recognize members of the group, with a next step, or `nil` if the
    /// daemon can recognize them or this host has no such group.
    public var membershipProblem: String? {
        guard let controlGroup, !namespace.maps(group: controlGroup) else { return nil }
        return """
            cannot determine the members of group \(Self.groupName): the service runs in a user namespace that does not have this \
            group, so its members are refused. Run the service in group \(Self.groupName) (Group=), or without a \
            namespace (PrivateUsers=no)
            """
    }
}
