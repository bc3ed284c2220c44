import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// What people say of shots, and what of it counts.
@Suite struct RatingTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)
    private static let owner = ShotRating.Rater(id: "", name: "owner", isOwner: true)
    private static let mia = ShotRating.Rater(id: "d1", name: "Mia", isOwner: false)
    private static let tom = ShotRating.Rater(id: "d2", name: "Tom", isOwner: false)

    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    /// Two shots: one of a RAW and a JPEG, one of a JPEG.
    init() async throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        try await ledger.write { db in
            for (id, name, pair) in [(1, "A.CR3", 1), (2, "A.JPG", 1), (3, "B.JPG", nil)]
                as [(Int64, String, Int64?)]
            {
                try db.execute(
                    sql: """
                        INSERT INTO capture (id, camera_id, folder, name, stem, size, camera_time, state, detected_at,
                            saved_at, path, sha256, pair_id)
                        VALUES (?, 'body', '/A', ?, 'x', 10, ?, 'saved', 0, 0, ?, ?, ?)
                        """, arguments: [id, name, id, "/p/\(name)", "sum\(id)", pair])
            }
        }
    }

    private func say(
        _ rater: ShotRating.Rater, _ stars: Int? = nil, pick: Bool? = nil, comment: String? = nil,
        of shot: ShotID = 1
    ) async throws -> ShotOnSheet? {
        try await ledger.rate(shot, by: rater, at: Self.now) { rating in
            (rating.stars, rating.pick, rating.comment) = (stars, pick, comment)
        }
    }

    @Test func `what somebody says besides leaves what they said before`() async throws {
        _ = try await say(Self.mia, 4)
        _ = try await say(Self.tom, 2)
        let picked = try await ledger.rate(1, by: Self.mia, at: Self.now) { $0.pick = true }
        #expect(picked?.ratings.first { $0.rater == Self.mia }?.stars == 4)
        let told = try await ledger.rate(1, by: Self.mia, at: Self.now) { rating in
            #expect(rating.stars == 4 && rating.pick == true)
            rating.comment = "the veil"
        }
        let mia = try #require(told?.ratings.first { $0.rater == Self.mia })
        #expect(mia.stars == 4 && mia.pick == true && mia.comment == "the veil")
        #expect(told?.ratings.count == 2)
    }

    @Test func `the greatest number of a device that said something is known, also when it was shut out`()
        async throws
    {
        #expect(try await ledger.lastWebDevice() == 0)
        _ = try await say(Self.owner, 5)
        #expect(try await ledger.lastWebDevice() == 0)
        _ = try await say(Self.mia, 3)
        _ = try await say(ShotRating.Rater(id: "d10", name: "Ann", isOwner: false), 3)
        _ = try await say(Self.tom, 3)
        #expect(try await ledger.lastWebDevice() == 10)
    }

    private func given() async throws -> [Int?] {
        try await ledger.read { db in
            try Int?.fetchAll(db, sql: "SELECT given_rating FROM capture ORDER BY id")
        }
    }

    @Test func `the most stars count, for every file of the shot, and a last word replaces the one before`()
        async throws
    {
        _ = try await say(Self.mia, 3)
        let both = try #require(try await say(Self.tom, 2, comment: "soft"))
        #expect(both.stars == 3 && both.ratings.count == 2)
        #expect(try await given() == [3, 3, nil])
        #expect(try #require(try await say(Self.mia, 1)).stars == 2)
        #expect(try await given() == [2, 2, nil])
        // Who says nothing any more has said nothing.
        let left = try #require(try await say(Self.tom))
        #expect(left.stars == 1 && left.ratings.map(\.rater.name) == ["Mia"])
    }

    @Test func `the owner's rejection goes before all stars, a client's does not`() async throws {
        _ = try await say(Self.mia, 5, pick: true)
        #expect(try #require(try await say(Self.tom, pick: false)).stars == 5)
        let rejected = try #require(try await say(Self.owner, pick: false))
        #expect(rejected.stars == -1 && ShotRating.pick(of: rejected.ratings) == false)
        #expect(try await given() == [-1, -1, nil])
        var record = CaptureRecord(
            id: 1, bodyID: "b", object: CameraObject(folder: "/", name: "A.JPG", size: 1, cameraTime: nil),
            state: .saved,
            sessionID: nil, detectedAt: Self.now)
        record.givenRating = -1
        record.rating = 5
        #expect(!record.isChosen(minimumRating: 1))
        (record.givenRating, record.rating) = (2, 4)
        #expect(record.isChosen(minimumRating: 4) && !record.isChosen(minimumRating: 5))
    }

    @Test func `what was said of a file is said of its shot when its partner is found`() async throws {
        _ = try await say(Self.mia, 4, of: 3)
        try await ledger.write { db in
            try db.execute(
                sql: """
                    INSERT INTO capture (id, camera_id, folder, name, stem, size, camera_time, state, detected_at, saved_at)
                    VALUES (4, 'body', '/A', 'B.CR3', 'x', 10, 4, 'saved', 0, 0)
                    """)
            try db.execute(sql: "UPDATE capture SET pair_id = 3 WHERE id IN (3, 4)")
        }
        #expect(try await given() == [nil, nil, 4, 4])
        #expect(try await ledger.shotOnSheet(3)?.files.count == 2)
        #expect(try await ledger.shotOnSheet(3)?.stars == 4)
    }

    @Test func `a sheet is paged from the newest, and knows pictures by content`() async throws {
        try await ledger.keep(
            PictureFacts(outcome: 0, width: 60, height: 40, colour: 0x102030), ofPhoto: "sum2")
        let all = try await ledger.shotsOnSheet(limit: 10)
        #expect(all.map(\.id) == [3, 1])
        #expect(all[1].files.map(\.picture?.width) == [nil, 60])
        #expect(try await ledger.shotsOnSheet(before: 3, limit: 10).map(\.id) == [1])
        #expect(try await ledger.shotsOnSheet(session: 9, limit: 10) == [])
        #expect(try await say(Self.mia, 3, of: 99) == nil)
    }

    @Test func `browsers that were let in are kept, and forgotten`() async throws {
        let device = WebDeviceRecord(
            id: "d1", name: "Mia", role: "client", session: 4, isDone: false, pairedAt: Self.now,
            lastUsedAt: Self.now,
            token: [1, 2, 3])
        try await ledger.keep(device)
        var done = device
        done.isDone = true
        try await ledger.keep(done)
        #expect(try await ledger.webDevices() == [done])
        try await ledger.forget(webDevice: "d1")
        #expect(try await ledger.webDevices() == [])
    }
}
