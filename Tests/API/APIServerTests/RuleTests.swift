import FrameFastAPI
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
}
