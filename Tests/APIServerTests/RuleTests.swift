import FrameFastAPI
import FrameFastSystem
import Testing

@testable import APIServer

@Suite struct RuleTests {
    @Test(arguments: [
        ("GET", "/v1/status", RouteMatch.found(.status, parameter: nil)),
        ("GET", "/v1/cameras/studio%2Da", .found(.camera, parameter: "studio-a")),
        ("POST", "/v1/cameras/a/trigger", .found(.trigger, parameter: "a")),
        ("GET", "/v1/sessions", .found(.sessions, parameter: nil)),
        ("POST", "/v1/sessions", .found(.sessionStart, parameter: nil)),
        ("DELETE", "/v1/sessions", .wrongMethod(allowed: ["GET", "POST"])),
        ("POST", "/v1/status", .wrongMethod(allowed: ["GET"])),
        ("GET", "/v1/cameras/", .unknown), ("GET", "/v1/cameras/%zz", .unknown),
        ("GET", "/v1/status/", .unknown),
        ("GET", "/", .unknown), ("GET", "", .unknown), ("GET", "/v2/status", .unknown),
        ("GET", "//v1/status", .unknown),
    ])
    func `a path leads to its route or to the right refusal`(method: String, path: String, match: RouteMatch)
    {
        #expect(RouteMatch(method: method, path: path) == match)
    }

    @Test(arguments: [
        ("", CapturesQuery()), ("limit=7", CapturesQuery(limit: 7)),
        (
            "session=3&camera=a%20b&state=saved&cursor=xyz",
            CapturesQuery(cursor: "xyz", session: 3, camera: "a b", state: .saved)
        ),
    ])
    func `a query of photos is read`(text: String, query: CapturesQuery) throws {
        #expect(try CapturesQuery(queryString: text) == query)
    }

    @Test(arguments: [
        "limit=0", "limit=1001", "limit=x", "limt=5", "limit=1&limit=2", "camera=%zz", "session=-1",
    ])
    func `a query that cannot be meant is refused`(text: String) {
        let error = #expect(throws: ControlError.self) { _ = try CapturesQuery(queryString: text) }
        #expect(error?.code == .badRequest)
    }

    @Test(arguments: [
        ("", UploadsQuery()),
        (
            "limit=7&state=held,queued&destination=my%20nas&session=3&camera=a&cursor=9",
            UploadsQuery(
                limit: 7, cursor: "9", states: [.held, .queued], destination: "my nas", session: 3,
                camera: "a")
        ),
    ])
    func `a query of uploads is read`(text: String, query: UploadsQuery) throws {
        #expect(try UploadsQuery(queryString: text) == query)
    }

    @Test(arguments: ["state=", "state=held,", "state=abandoned", "limit=0", "to=nas"])
    func `a query of uploads that cannot be meant is refused`(text: String) {
        let error = #expect(throws: ControlError.self) { _ = try UploadsQuery(queryString: text) }
        #expect(error?.code == .badRequest)
    }

    @Test(arguments: [
        (ModeRequest(mode: .rated, threshold: 3), true), (.init(mode: .rated), true),
        (.init(mode: .scheduled, window: "22:00-06:00", afterPhotos: 50), true),
        (.init(mode: .init(rawValue: "turbo")), false), (.init(mode: .rated, threshold: 6), false),
        (.init(mode: .offline, threshold: 3), false), (.init(mode: .realtime, window: "22:00-06:00"), false),
        (.init(mode: .scheduled, window: "late"), false), (.init(mode: .scheduled, afterPhotos: 0), true),
        (.init(mode: .scheduled, afterPhotos: -1), false),
    ])
    func `mode and settings have to fit`(request: ModeRequest, isGood: Bool) {
        #expect((try? request.checked()) == (isGood ? request : nil))
    }

    struct Peer: Sendable {
        var uid: UInt32
        var gid: UInt32
        var groups: [UInt32]
    }

    @Test(arguments: [
        (Peer(uid: 0, gid: 0, groups: []), false, AccessPolicy.Grant.control),
        (Peer(uid: 900, gid: 900, groups: []), false, .control),
        (Peer(uid: 1000, gid: 50, groups: []), false, .control),
        (Peer(uid: 1000, gid: 1000, groups: [1000, 50]), false, .control),
        (Peer(uid: 1000, gid: 1000, groups: [1000]), false, .none),
        (Peer(uid: 1000, gid: 1000, groups: [1000]), true, .read),
        (Peer(uid: 1000, gid: 1000, groups: [50]), true, .control),
    ])
    func `root, the daemon's user and the group control, others read if they may`(
        peer: Peer, isPublic: Bool, grant: AccessPolicy.Grant
    ) {
        let policy = AccessPolicy(ownUser: 900, controlGroup: 50, isStatusPublic: isPublic)
        let credentials = PeerCredentials(pid: 1, uid: peer.uid, gid: peer.gid)
        #expect(policy.grant(to: credentials) { peer.groups } == grant)
    }

    @Test func `without the group on the host nobody is asked for groups`() {
        let policy = AccessPolicy(ownUser: 900, controlGroup: nil, isStatusPublic: false)
        let grant = policy.grant(to: PeerCredentials(pid: 1, uid: 1, gid: 1)) {
            Issue.record("asked")
            return []
        }
        #expect(grant == .none)
        #expect(!grant.allows(.read))
        #expect(AccessPolicy.Grant.read.allows(.read))
        #expect(!AccessPolicy.Grant.read.allows(.control))
    }

    @Test func `the user database knows root and its groups`() {
        #expect(UserDatabase.name(ofUser: 0) == "root")
        #expect(UserDatabase.groupID(named: "root") == 0)
        #expect(UserDatabase.groups(ofUser: 0, primaryGroup: 0).contains(0))
        #expect(UserDatabase.groups(ofUser: 4_000_000_000, primaryGroup: 7) == [7])
        #expect(UserDatabase.groupID(named: "no such group") == nil)
    }
}
