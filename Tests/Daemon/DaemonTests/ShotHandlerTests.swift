import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import APIServer
@testable import FrameFastDaemon

/// Tests of requests about shots: the index, ratings, and the limits of each role.
@Suite(.blocking) struct ShotHandlerTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)
    private static let owner = RequestCaller(device: 1, name: "Eva", role: .owner)

    private static func client(
        _ name: String = "Anna", device: WebDeviceID = 2, session: SessionID
    ) -> RequestCaller {
        RequestCaller(device: device, name: name, role: .client, session: session)
    }

    /// A service with a destination in mode `rated`.
    private static func service() async throws -> ScriptedService {
        try await ScriptedService(
            """
            [upload]
            mode = "rated"
            minimum_rating = 3
            [[destination]]
            name = "nas"
            kind = "directory"
            path = "/dev/null/nas"
            """)
    }

    /// Starts a session in mode `rated`, and saves files of one shot in it.
    private static func save(
        _ names: [String], in service: ScriptedService, session name: String = "Wedding"
    ) async throws -> SessionID {
        let session = try await service.ledger.startSession(name: name, uploadMode: .rated, at: now).id
        let objects = names.map {
            CameraObject(folder: "/store_1/A", name: $0, size: 10, cameraTime: 1_795_271_130)
        }
        let seen = try await service.ledger.recordSeen(objects, camera: "body", session: session, at: now)
        let naming = LedgerStore.NamingPolicy(
            counterScope: { _ in "all" }, path: { record, _ in "/c/\(name)/\(record.object.name)" },
            pairSettleSeconds: 1)
        for record in seen {
            _ = try await service.ledger.beginPublishing(
                [
                    Arrival(
                        id: record.id, bytes: 10, sha256: String(repeating: "\(record.id)", count: 64),
                        transferMs: 1)
                ], naming: naming)
            try await service.ledger.finishPublishing([record.id], at: now)
        }
        return session
    }

    private static func jobs(_ service: ScriptedService) async throws -> [UploadJob] {
        try await service.ledger.uploads(UploadFilter(), limit: 9)
    }

    /// Runs a request as a caller.
    private static func runAs<Value>(
        _ caller: RequestCaller, _ request: () async throws -> Value
    ) async throws -> Value {
        try await RequestCaller.$current.withValue(caller) { try await request() }
    }

    @Test func `a client's stars queue both files, an owner's reject holds both`() async throws {
        let service = try await Self.service()
        let shots = service.control.shots
        let session = try await Self.save(["DSC_1.NEF", "DSC_1.JPG"], in: service)
        let reply = try await Self.runAs(Self.client(session: session)) {
            try await shots.rate(1, RatingRequest(stars: 5, comment: "The\u{202E} one\n"))
        }
        #expect(reply.stars == 5 && reply.opinions.map(\.comment) == ["The one"])
        #expect(ShotFlags(rawValue: reply.flags).isSuperset(of: [.raw, .jpeg, .comment]))
        #expect(try await Self.jobs(service).map(\.state) == [.queued, .queued])
        let rejected = try await Self.runAs(Self.owner) {
            try await shots.rate(2, RatingRequest(pick: false))
        }
        #expect(rejected.id == 1 && rejected.stars == 5 && rejected.pick == false)
        #expect(rejected.opinions.map(\.author) == ["Anna", "Eva"])
        #expect(try await Self.jobs(service).map(\.hold) == [.rejected, .rejected])
        _ = try await Self.runAs(Self.owner) { try await shots.rate(1, RatingRequest()) }
        #expect(try await Self.jobs(service).map(\.state) == [.queued, .queued])
    }

    @Test func `the event of a rating names no author and contains no comment`() async throws {
        let service = try await Self.service()
        _ = try await Self.save(["DSC_1.JPG"], in: service)
        let lease = try #require(service.parts.hub.lease())
        let request = RatingRequest(stars: 4, pick: true, comment: "secret words")
        for _ in 0..<2 {
            _ = try await Self.runAs(Self.owner) { try await service.control.shots.rate(1, request) }
        }
        // The last event of the test. Saving the same opinion twice publishes one event.
        let end = EventReply.Body.cameraRemoved("end")
        service.parts.hub.publish(end)
        var bodies: [EventReply.Body] = []
        while bodies.last != end, let item = await lease.reader.next() {
            if case .events(let events) = item { bodies += events.map(\.body) }
        }
        let changes = bodies.compactMap { if case .shot(let change) = $0 { change } else { nil } }
        let change = try #require(changes.first)
        #expect(changes.count == 1 && change.stars == 4 && change.pick == true && change.files == [1])
        #expect(change.revision == String(repeating: "1", count: 16))
        let json = String(decoding: try WireCoder.encode(change), as: UTF8.self)
        #expect(!json.contains("secret") && !json.contains("Eva"))
    }

    @Test func `each role sees only its session and permitted opinions`() async throws {
        let service = try await Self.service()
        let shots = service.control.shots
        let wedding = try await Self.save(["DSC_1.JPG"], in: service)
        let fashion = try await Self.save(["DSC_2.JPG"], in: service, session: "Fashion")
        for caller in [
            Self.owner, Self.client(session: wedding), Self.client("Bo", device: 3, session: wedding),
        ] {
            _ = try await Self.runAs(caller) { try await shots.rate(1, RatingRequest(stars: 2)) }
        }
        let anna = Self.client(session: wedding)
        #expect(try await Self.runAs(anna) { try await shots.list(ShotsQuery()).ids } == [1])
        #expect(try await Self.runAs(anna) { try await shots.get(1).opinions.map(\.author) } == ["Anna"])
        let display = RequestCaller(device: 4, name: "Wall", role: .screen)
        #expect(try await Self.runAs(display) { try await shots.list(ShotsQuery()).ids } == [2, 1])
        #expect(try await Self.runAs(display) { try await shots.get(1).opinions } == [])
        // A screen sees all shots of its session, and no other shots.
        let screen = RequestCaller(device: 5, name: "Wall", role: .screen, session: wedding)
        #expect(try await Self.runAs(screen) { try await shots.list(ShotsQuery()).ids } == [1])
        #expect(try await shots.get(1).opinions == [])
        let refused: [(ErrorReply.Code, () async throws -> Void)] = [
            (.notFound, { _ = try await Self.runAs(anna) { try await shots.get(2) } }),
            (
                .notFound,
                { _ = try await Self.runAs(anna) { try await shots.rate(2, RatingRequest(stars: 1)) } }
            ),
            (
                .forbidden,
                { _ = try await Self.runAs(anna) { try await shots.list(ShotsQuery(session: fashion)) } }
            ),
            (
                .notFound,
                { _ = try await Self.runAs(Self.owner) { try await shots.rate(9, RatingRequest()) } }
            ),
            (.forbidden, { _ = try await Self.runAs(display) { try await shots.rate(1, RatingRequest()) } }),
            (.forbidden, { _ = try await shots.rate(1, RatingRequest()) }),
        ]
        for (code, request) in refused {
            let error = await #expect(throws: ControlError.self) { try await request() }
            #expect(error?.code == code)
        }
        #expect(try await service.ledger.opinions(of: 2).isEmpty)
    }

    @Test func `a client sees no file of another session in its shot`() async throws {
        let service = try await Self.service()
        let shots = service.control.shots
        let wedding = try await Self.save(["DSC_1.NEF"], in: service)
        let fashion = try await Self.save(["DSC_1.JPG"], in: service, session: "Fashion")
        for (session, name) in [(wedding, "DSC_1.NEF"), (fashion, "DSC_1.JPG")] {
            let client = Self.client(session: session)
            let listed = try await Self.runAs(client) { try await shots.list(ShotsQuery()) }
            let shot = try await Self.runAs(client) { try await shots.get(1) }
            #expect(shot.files.map(\.name) == [name] && shot.session == session)
            #expect(listed.ids == [1] && listed.revisions == [shot.revision])
        }
        let all = try await Self.runAs(Self.owner) { try await shots.get(1) }
        #expect(all.files.map(\.name) == ["DSC_1.NEF", "DSC_1.JPG"])
    }

    @Test func `devices with equal names have separate opinions`() async throws {
        let service = try await Self.service()
        let shots = service.control.shots
        let session = try await Self.save(["DSC_1.JPG"], in: service)
        let given = [
            (4, Self.client(device: 2, session: session)), (1, Self.client(device: 3, session: session)),
        ]
        for (stars, device) in given {
            _ = try await Self.runAs(device) { try await shots.rate(1, RatingRequest(stars: stars)) }
        }
        for (stars, device) in given {
            let opinions = try await Self.runAs(device) { try await shots.get(1).opinions }
            #expect(opinions.map(\.stars) == [stars] && opinions.map(\.isOwn) == [true])
        }
        let all = try await Self.runAs(Self.owner) { try await shots.get(1).opinions }
        #expect(all.map(\.author) == ["Anna", "Anna"] && all.map(\.isOwn) == [false, false])
    }

    @Test func `the index has one element for each shot in every column`() async throws {
        let service = try await Self.service()
        _ = try await Self.save(["DSC_1.NEF", "DSC_1.JPG"], in: service)
        _ = try await Self.save(["MOV_2.MP4"], in: service)
        try await service.ledger.savePreview(
            PreviewRecord(
                sha256: String(repeating: "1", count: 64), state: .ready, width: 6_000, height: 4_000,
                meanColor: "#806040"))
        let shots = service.control.shots
        let page = try await shots.list(ShotsQuery())
        #expect(page.ids == [3, 1] && page.nextCursor == nil)
        #expect(page.revisions == [nil, String(repeating: "1", count: 16)])
        #expect(page.widths == [nil, 6_000] && page.heights == [nil, 4_000])
        #expect(page.colors == [nil, "#806040"] && page.stars == [0, 0] && page.picks == [nil, nil])
        let flags = page.flags.map(ShotFlags.init(rawValue:))
        #expect(flags == [[.movie, .noPreview], [.raw, .jpeg]])
        #expect(page.cameras == [0, 0] && page.cameraNames == ["body"] && page.times.count == 2)
        let first = try await shots.list(ShotsQuery(limit: 1))
        #expect(first.ids == [3] && first.nextCursor == 3)
        #expect(try await shots.list(ShotsQuery(limit: 1, after: first.nextCursor)).ids == [1])
        let json = try WireCoder.encode(page)
        #expect(try WireCoder.decode(ShotsReply.self, from: json) == page)
        let one = try await shots.get(2)
        #expect(one.id == 1 && one.files.map(\.name) == ["DSC_1.NEF", "DSC_1.JPG"])
        #expect(!String(decoding: try WireCoder.encode(one), as: UTF8.self).contains("/c/"))
    }
}
