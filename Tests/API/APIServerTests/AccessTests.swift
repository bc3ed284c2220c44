import Foundation
import FrameFastAPI
import FrameFastSystem
import Logging
import Testing

@testable import APIServer

/// Tests of access grants. The service runs as user 900 with group 900. Members of its group run as user
/// 1000, and strangers as user 1001.
@Suite struct AccessTests {
    /// The namespace that systemd's `PrivateUsers=yes` creates for a unit of user 900 and group 900.
    private static let privateUsers = UserNamespace(
        uidMap: "         0          0          1\n       900        900          1\n",
        gidMap: "         0          0          1\n       900        900          1\n")
    private static let nobody = UserNamespace.overflowID

    struct Row: Sendable {
        var who: String
        var peer: PeerCredentials
        var isControl: Bool

        init(_ who: String, uid: UInt32, gid: UInt32, _ groups: [UInt32], isControl: Bool) {
            self.who = who
            self.peer = PeerCredentials(pid: 1, uid: uid, gid: gid, groups: groups)
            self.isControl = isControl
        }
    }

    @Test(
        arguments: [
            Row("root", uid: 0, gid: 0, [0], isControl: true),
            Row("the service's own user", uid: 900, gid: 900, [900], isControl: true),
            Row("the service's own user in another group", uid: 900, gid: 5, [], isControl: true),
            Row("a member, by supplementary group", uid: 1000, gid: 1000, [1000, 900], isControl: true),
            Row("a member, by effective group (sg)", uid: 1000, gid: 900, [1000], isControl: true),
            Row("a stranger", uid: 1001, gid: 1001, [1001, 27], isControl: false),
            Row("a stranger without groups", uid: 1001, gid: 1001, [], isControl: false),
            Row("nobody", uid: nobody, gid: nobody, [], isControl: false),
        ], [false, true])
    func `grants control by the user and group ids of the peer`(row: Row, isPublic: Bool) {
        let policy = AccessPolicy(ownUser: 900, controlGroup: 900, isStatusPublic: isPublic)
        #expect(policy.grant(to: row.peer) == (row.isControl ? .control : isPublic ? .read : .none))
        #expect(policy.membershipProblem == nil)
    }

    @Test(
        arguments: [
            Row("root", uid: 0, gid: 0, [0], isControl: true),
            Row("the service's own user", uid: 900, gid: 900, [900, nobody], isControl: true),
            Row(
                "a member, by supplementary group", uid: nobody, gid: nobody, [nobody, 900], isControl: true),
            Row("a member, by effective group (sg)", uid: nobody, gid: 900, [nobody], isControl: true),
            Row("a stranger", uid: nobody, gid: nobody, [nobody, nobody], isControl: false),
        ], [false, true])
    func `grants control to group members inside a PrivateUsers namespace`(row: Row, isPublic: Bool) {
        let policy = AccessPolicy(
            ownUser: 900, controlGroup: 900, isStatusPublic: isPublic, namespace: Self.privateUsers)
        #expect(policy.grant(to: row.peer) == (row.isControl ? .control : isPublic ? .read : .none))
        #expect(policy.membershipProblem == nil)
    }

    /// All users outside the namespace have the overflow id. The policy must not accept this id as the
    /// service's own user or group.
    @Test(arguments: [
        (900 as UInt32, 901 as UInt32?, false), (Self.nobody, 900, false), (900, Self.nobody, true),
        (Self.nobody, nil, false),
    ])
    func `refuses peers with the overflow id inside a user namespace`(
        ownUser: UInt32, group: UInt32?, isUnknown: Bool
    ) {
        let policy = AccessPolicy(
            ownUser: ownUser, controlGroup: group, isStatusPublic: false, namespace: Self.privateUsers)
        let peer = PeerCredentials(pid: 1, uid: Self.nobody, gid: Self.nobody, groups: [Self.nobody])
        #expect(policy.grant(to: peer) == .none)
        #expect(policy.grant(to: PeerCredentials(pid: 1, uid: 0, gid: 0)) == .control)
        #expect((policy.membershipProblem != nil) == (isUnknown || group == 901))
    }

    @Test(arguments: [(privateUsers, 1), (.whole, 0)])
    func `logs an unmapped control group once and names the unit options`(
        namespace: UserNamespace, times: Int
    ) {
        let lines = RecordedLines()
        let policy = AccessPolicy(
            ownUser: 900, controlGroup: 901, isStatusPublic: false, namespace: namespace)
        let log = RefusalLog(policy: policy, logger: Logger(label: "test") { _ in lines })
        for _ in 0..<3 {
            log.logMembershipProblem(of: PeerCredentials(pid: 1, uid: Self.nobody, gid: Self.nobody))
        }
        #expect(lines.all.count == times)
        #expect(lines.all.allSatisfy { $0.contains("PrivateUsers=no") && $0.contains("Group=") })
    }

    @Test func `refuses other users if the host has no control group`() {
        let policy = AccessPolicy(ownUser: 900, controlGroup: nil, isStatusPublic: false)
        let grant = policy.grant(to: PeerCredentials(pid: 1, uid: 1, gid: 1, groups: [1]))
        #expect(grant == .none)
        #expect(!grant.allows(.read))
        #expect(AccessPolicy.Grant.read.allows(.read))
        #expect(!AccessPolicy.Grant.read.allows(.control))
    }

    @Test(arguments: [
        ("0 0 4294967295", 65534 as UInt32, true), ("0 0 4294967295", 1000, true), ("0 0 1", 0, true),
        ("0 0 1", 1, false), ("0 1000 1\n1 100000 65536", 900, true), ("0 0 65536", 65534, false),
        ("", 0, false), ("nonsense 1", 1, false), ("5 5 4294967295", 4_294_967_290, true),
    ])
    func `recognizes mapped ids, and the overflow id only in a complete map`(
        map: String, id: UInt32, isMapped: Bool
    ) {
        #expect(UserNamespace(uidMap: map, gidMap: "").maps(user: id) == isMapped)
        #expect(UserNamespace(uidMap: "", gidMap: map).maps(group: id) == isMapped)
    }

    @Test func `reads pid, uid, gid and groups of a socket peer`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        let peer = try PeerCredentials(ofPeerAt: ends[0])
        var groups = [gid_t](repeating: 0, count: 65536)
        let count = getgroups(Int32(groups.count), &groups)
        #expect(peer.pid == getpid() && peer.uid == geteuid() && peer.gid == getegid())
        #expect(Set(peer.groups) == Set(groups.prefix(Int(max(count, 0)))))
        #expect(UserNamespace.current.maps(user: geteuid()))
        #expect(throws: SystemCallError.self) { try PeerCredentials(ofPeerAt: -1) }
    }

    @Test func `looks up user and group ids by name, and user names by id`() {
        #expect(UserDatabase.groupID(named: "root") == 0)
        #expect(UserDatabase.userID(named: "root") == 0)
        #expect(UserDatabase.groupID(named: "no such group") == nil)
        #expect(UserDatabase.userID(named: "no such user") == nil)
        #expect(UserDatabase.userName(id: 0) == "root")
        #expect(UserDatabase.userName(id: 4_000_000_001) == nil)
    }

    @Test(arguments: [
        (AccessPolicy.Grant.control, WebRole.owner), (.read, .screen), (.none, .screen),
    ])
    func `a peer with control is an owner, and other peers are screens`(
        grant: AccessPolicy.Grant, role: WebRole
    ) async {
        let peer = PeerCredentials(pid: 1, uid: 0, gid: 0, groups: [])
        let caller = RequestCaller(peer, grant: grant)
        #expect(caller.role == role && caller.session == nil)
        #expect(await caller.name() == "root")
        #expect(await caller.key() == "user:root")
        #expect(await RequestCaller(device: 7, name: "root", role: .owner).key() == "device:7")
        #expect(await RequestCaller(user: 4_000_000_001, role: .owner).name() == "user 4000000001")
    }
}
