import FrameFastAPI
import Testing

@testable import APIServer

@Suite struct RuleTests {
    @Test(arguments: [
        ("GET", "/v1/status", "serviceStatus "), ("GET", "/v1/cameras/studio%2Da", "camerasGet studio-a"),
        ("POST", "/v1/cameras/a/trigger", "camerasTrigger a"), ("GET", "/v1/sessions", "sessionsList "),
        ("POST", "/v1/sessions", "sessionsStart "), ("DELETE", "/v1/sessions", "use GET, POST"),
        ("POST", "/v1/status", "use GET"), ("GET", "/v1/cameras/", "unknown"),
        ("GET", "/v1/cameras/%zz", "unknown"), ("GET", "/v1/status/", "unknown"), ("GET", "/", "unknown"),
        ("GET", "", "unknown"), ("GET", "/v2/status", "unknown"), ("GET", "//v1/status", "unknown"),
    ])
    func `matches a method and path to an endpoint, or reports allowed methods or an unknown path`(
        method: String, path: String, to: String
    ) {
        let match =
            switch EndpointMatch(method: method, path: path) {
            case .found(let row, let parameter): "\(row.name) \(parameter ?? "")"
            case .wrongMethod(let allowed): "use " + allowed.joined(separator: ", ")
            case .unknown: "unknown"
            }
        #expect(match == to)
    }

    @Test(arguments: [
        ("", CapturesQuery()), ("limit=7", CapturesQuery(limit: 7)),
        (
            "session=3&camera=a%20b&state=saved&cursor=xyz",
            CapturesQuery(cursor: "xyz", session: 3, camera: "a b", state: .saved)
        ),
    ])
    func `decodes a query for photos`(text: String, query: CapturesQuery) throws {
        #expect(try QueryReader.decode(CapturesQuery.self, from: text).checked() == query)
    }

    @Test(arguments: [
        "limit=0", "limit=1001", "limit=x", "limt=5", "state=set_aside", "limit=1&limit=2", "camera=%zz",
        "session=-1",
    ])
    func `refuses an invalid query for photos`(text: String) {
        let error = #expect(throws: ControlError.self) {
            _ = try QueryReader.decode(CapturesQuery.self, from: text).checked()
        }
        #expect(error?.code == .badRequest)
    }

    @Test(
        arguments: [
            ("", ShotsQuery(limit: 2_000)),
            ("limit=1&after=9&session=3", ShotsQuery(limit: 1, after: 9, session: 3)),
            ("limit=2001", nil), ("limit=0", nil), ("after=x", nil), ("after=0", nil), ("camera=a", nil),
        ] as [(String, ShotsQuery?)])
    func `decodes a query for shots and refuses invalid parameters`(text: String, query: ShotsQuery?) {
        #expect((try? QueryReader.decode(ShotsQuery.self, from: text).checked()) == query)
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
    func `decodes a query for uploads`(text: String, query: UploadsQuery) throws {
        #expect(try QueryReader.decode(UploadsQuery.self, from: text).checked() == query)
    }

    @Test(arguments: ["state=", "state=held,", "state=abandoned", "limit=0", "to=nas"])
    func `refuses an invalid query for uploads`(text: String) {
        let error = #expect(throws: ControlError.self) {
            _ = try QueryReader.decode(UploadsQuery.self, from: text).checked()
        }
        #expect(error?.code == .badRequest)
    }

    @Test(
        arguments: [
            ("", LiveViewRequest(rate: LiveViewRequest.usualRate)), ("rate=1", LiveViewRequest(rate: 1)),
            ("rate=60&size=small", LiveViewRequest(rate: 60, size: "small")), ("rate=0", nil),
            ("rate=61", nil), ("rate=fast", nil), ("size=huge", nil),
        ] as [(String, LiveViewRequest?)])
    func `accepts live view with rates from 1 to 60 and known sizes`(
        text: String, request: LiveViewRequest?
    ) {
        let decoded = try? QueryReader.decode(LiveViewRequest.self, from: text).checked()
        #expect(decoded == request)
    }

    @Test(arguments: [(0, false), (1, true), (64, true), (65, false)])
    func `accepts camera names of 1 to 64 characters`(length: Int, isGood: Bool) {
        let request = CameraRenameRequest(name: String(repeating: "a", count: length))
        #expect((try? request.checked()) == (isGood ? request : nil))
    }

    private static let unknownMode: ModeRequest = {
        var request = ModeRequest(mode: .realtime)
        request.$mode = Word(text: "turbo")
        return request
    }()

    @Test(arguments: [
        (ModeRequest(mode: .rated, threshold: 3), true), (.init(mode: .rated), true),
        (.init(mode: .scheduled, window: "22:00-06:00", afterPhotos: 50), true),
        (.init(mode: .scheduled, window: "22:00-22:00"), true),
        (unknownMode, false), (.init(mode: .rated, threshold: 6), false),
        (.init(mode: .offline, threshold: 3), false), (.init(mode: .realtime, window: "22:00-06:00"), false),
        (.init(mode: .scheduled, window: "late"), false), (.init(mode: .scheduled, afterPhotos: 0), true),
        (.init(mode: .scheduled, afterPhotos: -1), false),
    ])
    func `accepts only valid settings that belong to the mode`(request: ModeRequest, isGood: Bool) {
        #expect((try? request.checked()) == (isGood ? request : nil))
    }
}
