import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@Suite struct LedgerStoreTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)
    static let naming = LedgerStore.NamingPolicy(
        counterScope: { "camera:\($0.bodyID)" },
        path: { "/c/\($0.bodyID)-\($1).\(SafeName.split($0.object.name).ext.lowercased())" },
        pairSettleSeconds: 10)

    let scratch: ScratchFolder
    let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    static func object(_ name: String, size: UInt64 = 10, time: Int64? = 100, folder: String = "/store_1/A")
        -> CameraObject
    {
        CameraObject(folder: folder, name: name, size: size, cameraTime: time)
    }

    func beginPublishing(_ record: CaptureRecord) async throws -> CaptureRecord {
        let arrival = Arrival(
            id: record.id, bytes: record.object.size, sha256: "aa", transferMs: 1)
        return try #require(try await ledger.beginPublishing([arrival], naming: Self.naming).first)
    }

    @Test func `records an object once, and objects with the same name separately`() async throws {
        let first = try await ledger.recordSeen(
            [Self.object("IMG_0001.JPG")], camera: "a", session: nil, at: Self.now)
        #expect(first.count == 1)
        let again = try await ledger.recordSeen(
            [Self.object("IMG_0001.JPG")], camera: "a", session: nil, at: Self.now)
        #expect(again.isEmpty)
        let others = [
            Self.object("IMG_0001.JPG", time: 101), Self.object("IMG_0001.JPG", size: 11),
            Self.object("IMG_0001.JPG", folder: "/store_1/B"), Self.object("IMG_0001.JPG", time: nil),
            Self.object("IMG_0001.JPG", time: nil),
        ]
        #expect(try await ledger.recordSeen(others, camera: "a", session: nil, at: Self.now).count == 4)
        #expect(try await ledger.recordSeen([others[0]], camera: "b", session: nil, at: Self.now).count == 1)
    }

    @Test func `fetches a skipped photo that is announced as new`() async throws {
        let objects = [Self.object("IMG_0001.JPG"), Self.object("IMG_0001.JPG", size: 11)]
        let skipped = try await ledger.recordSeen(
            objects, camera: "a", session: nil, at: Self.now, as: .skipped)
        #expect(try await ledger.pending(camera: "a").isEmpty)
        #expect(try await ledger.unskip(objects[1], camera: "b").isEmpty)
        let unskipped = try await ledger.unskip(objects[1], camera: "a")
        #expect(unskipped.map(\.id) == [skipped[1].id] && unskipped.map(\.state) == [.seen])
        #expect(try await ledger.pending(camera: "a").map(\.id) == [skipped[1].id])
        #expect(try await ledger.unskip(objects[1], camera: "a").isEmpty)
    }

    @Test func `a RAW file and its JPEG get the same number`() async throws {
        let seen = try await ledger.recordSeen(
            [
                Self.object("IMG_0001.CR3"), Self.object("IMG_0001.JPG", time: 101),
                Self.object("IMG_0002.JPG"),
                Self.object("img_0002.cr3", time: nil),
            ], camera: "a", session: nil, at: Self.now)
        var named: [CaptureRecord] = []
        for record in seen { named.append(try await beginPublishing(record)) }
        #expect(named.map(\.counter) == [1, 1, 2, 2])
        #expect(named[1].pairID == seen[0].id)
        #expect(try await ledger.capture(id: seen[0].id)?.pairID == seen[0].id)
        #expect(named.map(\.path) == ["/c/a-1.cr3", "/c/a-1.jpg", "/c/a-2.jpg", "/c/a-2.cr3"])
    }

    @Test func `pairs adjacent files with different names if their times match`() async throws {
        let seen = try await ledger.recordSeen(
            [
                Self.object("capt0001.cr2"), Self.object("capt0002.jpg"),
                Self.object("capt0003.cr2", time: 200),
            ],
            camera: "a", session: nil, at: Self.now)
        var named: [CaptureRecord] = []
        for record in seen { named.append(try await beginPublishing(record)) }
        #expect(named.map(\.counter) == [1, 1, 2])
    }

    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]])
    func `companions get the number of their pair in whatever order the files are published`(order: [Int])
        async throws
    {
        let time: Int64 = 1_795_271_130
        let names = ["_DSC0001.NEF", "_DSC0001.XMP", "DSC_0001.JPG", "_DSC0001.WAV"]
        let seen = try await ledger.recordSeen(
            names.map { Self.object($0, time: $0.hasSuffix("WAV") ? time + 60 : time) }, camera: "a",
            session: nil, at: Self.now)
        for index in order { _ = try await beginPublishing(seen[index]) }
        try await ledger.finishPublishing(seen.map(\.id), at: Self.now)
        let records = try await ledger.captures(ids: Set(seen.map(\.id)))
        #expect(seen.map { records[$0.id]?.counter } == [1, 1, 1, 1])
        let totals = try await ledger.totals(startOfDay: Self.now, now: Self.now)
        #expect(totals.saved == 4)
        let next = try await ledger.recordSeen(
            [Self.object("_DSC0002.NEF", time: time + 10)], camera: "a", session: nil, at: Self.now)
        #expect(try await beginPublishing(next[0]).counter == 2)
    }

    @Test(arguments: [312_768_000 as Int64, 4_102_444_800], [[0, 1], [1, 0]])
    func `a RAW file with an implausible date gets its JPEG's number`(bogus: Int64, order: [Int])
        async throws
    {
        let seen = try await ledger.recordSeen(
            [Self.object("DSC_1.NEF", time: bogus), Self.object("DSC_1.JPG", time: 1_795_271_130)],
            camera: "a", session: nil, at: Self.now)
        for index in order { _ = try await beginPublishing(seen[index]) }
        let records = try await ledger.captures(ids: Set(seen.map(\.id)))
        #expect(seen.map { records[$0.id]?.path } == ["/c/a-1.nef", "/c/a-1.jpg"])
        #expect(seen.map { records[$0.id]?.pairID } == [seen[0].id, seen[0].id])
    }

    @Test(arguments: ["AUTPRINT.MRK", "DSC_9.WAV", "DSC_9.XML", "DSC_9.THM", "DSC_9.XMP", "DSC_9.NEF.XMP"])
    func `saves companion and system files without counting them as shots`(
        name: String
    ) async throws {
        let seen = try await ledger.recordSeen(
            [Self.object(name), Self.object("IMG_0001.JPG")], camera: "a", session: nil,
            at: Self.now)
        for record in seen { _ = try await beginPublishing(record) }
        try await ledger.finishPublishing(seen.map(\.id), at: Self.now)
        let totals = try await ledger.totals(startOfDay: Self.now, now: Self.now)
        #expect(totals.saved == 2 && totals.shots == 1 && totals.shotsLastMinute == 1)
    }

    @Test func `prefers a partner with the same stem to an adjacent file`() async throws {
        let seen = try await ledger.recordSeen(
            [Self.object("IMG_0001.CR3"), Self.object("IMG_0001.JPG"), Self.object("IMG_0002.CR3")],
            camera: "a", session: nil, at: Self.now)
        let jpeg = try await beginPublishing(seen[1])
        let nextRaw = try await beginPublishing(seen[2])
        let raw = try await beginPublishing(seen[0])
        #expect(jpeg.counter == raw.counter)
        #expect(nextRaw.counter != jpeg.counter)
        #expect(nextRaw.pairID == nil)
    }

    @Test func `keeps counters across a restart and never reuses a number`() async throws {
        let seen = try await ledger.recordSeen(
            [Self.object("a.jpg"), Self.object("b.jpg", time: 300)], camera: "a", session: nil, at: Self.now)
        #expect(try await beginPublishing(seen[0]).counter == 1)
        let reopened = try LedgerStore(path: scratch.path("ledger.sqlite"))
        #expect(try await reopened.peekCounter(scope: "camera:a") == 2)
        #expect(try await reopened.interruptedPublishings().map(\.id) == [seen[0].id])
        #expect(try await beginPublishing(seen[1]).counter == 2)
    }

    @Test func `a photo that is fetched again keeps its number, not its path`() async throws {
        let seen = try await ledger.recordSeen(
            [Self.object("a.jpg")], camera: "a", session: nil, at: Self.now)
        _ = try await beginPublishing(seen[0])
        try await ledger.returnToSeen(id: seen[0].id)
        #expect(try await ledger.pending(camera: "a").map(\.path) == [nil])
        #expect(try await beginPublishing(seen[0]).counter == 1)
    }

    @Test func `adds suffixes to photos with the same name`() async throws {
        let fixed = LedgerStore.NamingPolicy(
            counterScope: { _ in "all" }, path: { _, _ in "/c/x.jpg" }, pairSettleSeconds: 1)
        let seen = try await ledger.recordSeen(
            [Self.object("a.jpg"), Self.object("b.jpg"), Self.object("c.jpg")], camera: "a", session: nil,
            at: Self.now)
        let arrivals = seen.map { Arrival(id: $0.id, bytes: 1, sha256: "", transferMs: 0) }
        let named = try await ledger.beginPublishing(arrivals, naming: fixed)
        #expect(named.map(\.path) == ["/c/x.jpg", "/c/x-2.jpg", "/c/x-3.jpg"])
    }

    @Test func `runs only one session at a time`() async throws {
        #expect(try await ledger.currentSession() == nil)
        let first = try await ledger.startSession(name: "A", at: Self.now)
        let second = try await ledger.startSession(name: "B", at: Self.now)
        #expect(try await ledger.currentSession() == second)
        #expect(try await ledger.sessions().map(\.session.id) == [second.id, first.id])
        #expect(try await ledger.session(first.id)?.session.name == "A")
        #expect(try await ledger.session(99) == nil)
        #expect(try await ledger.stopSession(at: Self.now)?.id == second.id)
        #expect(try await ledger.stopSession(at: Self.now) == nil)
    }

    @Test func `counts saved, waiting and set-aside photos in the totals`() async throws {
        let seen = try await ledger.recordSeen(
            [Self.object("a.jpg"), Self.object("b.jpg"), Self.object("c.jpg")], camera: "a", session: nil,
            at: Self.now)
        _ = try await beginPublishing(seen[0])
        try await ledger.finishPublishing([seen[0].id], at: Self.now)
        try await ledger.setAside(id: seen[1].id, failure: "damaged")
        let totals = try await ledger.totals(startOfDay: Self.now.addingTimeInterval(-3600), now: Self.now)
        var expected = CaptureTotals()
        expected.saved = 1
        expected.today = 1
        expected.shots = 1
        expected.shotsToday = 1
        expected.shotsLastMinute = 1
        expected.bytes = 10
        expected.waiting = 1
        expected.setAside = 1
        #expect(totals == expected)
    }
}
