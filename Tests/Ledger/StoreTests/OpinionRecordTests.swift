import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing
import WebPairing

@testable import Store

/// Tests of opinions about shots in the ledger, and of the index of shots.
@Suite struct OpinionRecordTests {
    private static let now = LedgerStoreTests.now

    private let scratch: ScratchFolder
    private let ledger: LedgerStore
    private var path: String { scratch.path("ledger.sqlite") }

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    private func opinion(
        _ stars: Int? = nil, pick: Bool? = nil, _ author: String = "Anna", _ role: WebRole = .client,
        after seconds: Double = 0
    ) -> Opinion {
        Opinion(
            stars: stars, pick: pick, author: author, authorKey: "user:\(author)", role: role,
            at: Self.now.addingTimeInterval(seconds))
    }

    /// Records files of one shot as seen.
    private func record(_ names: [String], session: SessionID? = nil) async throws -> [CaptureID] {
        let objects = names.map {
            CameraObject(folder: "/store_1/A", name: $0, size: 10, cameraTime: 1_795_271_130)
        }
        return try await ledger.recordSeen(objects, camera: "a", session: session, at: Self.now).map(\.id)
    }

    private func save(_ id: CaptureID, _ sha256: String) async throws {
        _ = try await ledger.beginPublishing(
            [Arrival(id: id, bytes: 10, sha256: sha256, transferMs: 1)], naming: LedgerStoreTests.naming)
        try await ledger.finishPublishing([id], at: Self.now)
    }

    @Test func `finds opinions after their shot gets a smaller number`() async throws {
        let ids = try await record(["DSC_1.NEF", "DSC_1.JPG"])
        try await save(ids[1], "jpeg")
        let rated = try await ledger.saveOpinion(opinion(4), shot: ShotID(first: ids[1]))
        #expect(rated?.shot == ShotID(first: ids[1]) && rated?.isChanged == true)
        try await save(ids[0], "raw")
        let shot = ShotID(first: ids[0])
        #expect(try await ledger.opinions(of: shot) == [opinion(4)])
        // A page that still shows the old number rates the same shot.
        let again = try await ledger.saveOpinion(opinion(5, after: 1), shot: ShotID(first: ids[1]))
        #expect(again?.shot == shot)
        #expect(try await ledger.opinions(of: shot) == [opinion(5, after: 1)])
        #expect(try await ledger.verdicts(of: [shot])[shot]?.stars == 5)
    }

    @Test func `a JPEG that arrives later belongs to the rated shot`() async throws {
        let ids = try await record(["DSC_1.NEF", "DSC_1.JPG"])
        try await save(ids[0], "raw")
        _ = try await ledger.saveOpinion(opinion(3), shot: ShotID(first: ids[0]))
        try await save(ids[1], "jpeg")
        let overview = try #require(try await ledger.shotOverview(of: ShotID(first: ids[1])))
        #expect(overview.id == ShotID(first: ids[0]) && overview.files.map(\.id) == ids)
        #expect(overview.opinions == [opinion(3)] && overview.verdict.stars == 3)
    }

    @Test func `merges the opinions of two files that become one shot`() async throws {
        let ids = try await record(["DSC_1.NEF", "DSC_1.JPG"])
        // Simulates files that were rated before the ledger paired them.
        for (id, stars) in [(ids[0], 1), (ids[1], 4)] {
            try await ledger.database.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO opinion (capture_id, role, author_key, author, stars, given_at)
                        VALUES (?, 'client', 'user:Anna', 'Anna', ?, ?)
                        """, arguments: [id, stars, Self.now.timeIntervalSince1970 + Double(stars)])
            }
        }
        try await save(ids[0], "raw")
        try await save(ids[1], "jpeg")
        let shot = ShotID(first: ids[0])
        #expect(try await ledger.opinions(of: shot).map(\.stars) == [4])
        _ = try await ledger.saveOpinion(opinion(after: 9), shot: shot)
        #expect(try await ledger.opinions(of: shot).isEmpty)
    }

    @Test func `saving the same opinion again changes nothing`() async throws {
        let id = try #require(try await record(["DSC_1.JPG"]).first)
        try await save(id, "jpeg")
        let shot = ShotID(first: id)
        #expect(try await ledger.saveOpinion(opinion(), shot: shot)?.isChanged == false)
        #expect(try await ledger.saveOpinion(opinion(5), shot: shot)?.isChanged == true)
        let open = try await ledger.unappliedOpinions(limit: 9)
        #expect(open.map(\.shot) == [shot])
        try await ledger.markApplied(open)
        #expect(try await ledger.saveOpinion(opinion(5, after: 7), shot: shot)?.isChanged == false)
        #expect(try await ledger.unappliedOpinions(limit: 9).isEmpty)
        #expect(try await ledger.opinions(of: shot) == [opinion(5)])
        #expect(try await ledger.saveOpinion(opinion(after: 8), shot: shot)?.isChanged == true)
        #expect(try await ledger.unappliedOpinions(limit: 9).map(\.opinion.isEmpty) == [true])
        #expect(try await ledger.opinions(of: shot).isEmpty)
        #expect(try await ledger.saveOpinion(opinion(5), shot: 99) == nil)
    }

    @Test func `an opinion that changes while it is applied stays unapplied`() async throws {
        let id = try #require(try await record(["DSC_1.JPG"]).first)
        try await save(id, "jpeg")
        _ = try await ledger.saveOpinion(opinion(1), shot: ShotID(first: id))
        let old = try await ledger.unappliedOpinions(limit: 9)
        _ = try await ledger.saveOpinion(opinion(2, after: 1), shot: ShotID(first: id))
        try await ledger.markApplied(old)
        #expect(try await ledger.unappliedOpinions(limit: 9).map(\.opinion.stars) == [2])
    }

    /// An unapplied opinion would cause the planner to review the shot repeatedly.
    @Test func `marks an opinion with the role of a newer version as applied`() async throws {
        try await ledger.database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO opinion (capture_id, role, author_key, author, stars, given_at)
                    VALUES (1, 'retoucher', 'user:Anna', 'Anna', 3, 1)
                    """)
        }
        let open = try await ledger.unappliedOpinions(limit: 9)
        #expect(open.map(\.opinion.role) == [.screen])
        try await ledger.markApplied(open)
        #expect(try await ledger.unappliedOpinions(limit: 9).isEmpty)
    }

    @Test func `a duplicate replaces only older opinions about its original`() async throws {
        let ids = try await record(["DSC_1.JPG", "DSC_2.JPG"])
        for id in ids { try await save(id, "bytes \(id)") }
        let (original, duplicate) = (ShotID(first: ids[0]), ShotID(first: ids[1]))
        _ = try await ledger.saveOpinion(opinion(5, "Anna", after: 1), shot: original)
        _ = try await ledger.saveOpinion(opinion(pick: false, "Anna", after: 2), shot: duplicate)
        _ = try await ledger.saveOpinion(opinion(1, "Ben", after: 3), shot: duplicate)
        _ = try await ledger.saveOpinion(opinion(4, "Ben", after: 4), shot: original)
        try await ledger.markApplied(try await ledger.unappliedOpinions(limit: 9))
        try await ledger.database.write { db in
            try db.execute(
                sql: "UPDATE capture SET state = 'duplicate', twin_id = ? WHERE id = ?",
                arguments: [ids[0], ids[1]])
        }
        let kept = [opinion(pick: false, "Anna", after: 2), opinion(4, "Ben", after: 4)]
        #expect(try await ledger.opinions(of: original) == kept)
        #expect(try await ledger.unappliedOpinions(limit: 9).map(\.opinion) == [kept[0]])
    }

    @Test func `authors with equal names and different roles have separate opinions`() async throws {
        let id = try #require(try await record(["DSC_1.JPG"]).first)
        try await save(id, "jpeg")
        let shot = ShotID(first: id)
        _ = try await ledger.saveOpinion(opinion(pick: false, "root", .owner), shot: shot)
        _ = try await ledger.saveOpinion(opinion(pick: true, "root", .client, after: 1), shot: shot)
        #expect(try await ledger.verdicts(of: [shot])[shot]?.isRejectedByOwner == true)
        #expect(try await ledger.opinions(of: shot).count == 2)
    }

    @Test func `opinions belong to devices, regardless of names`() async throws {
        let id = try #require(try await record(["DSC_1.JPG"]).first)
        try await save(id, "jpeg")
        let shot = ShotID(first: id)
        for (number, stars) in [(1, 2), (2, 4)] {
            var given = opinion(stars, "iPad", after: Double(number))
            given.authorKey = "device:\(number)"
            _ = try await ledger.saveOpinion(given, shot: shot)
        }
        #expect(try await ledger.opinions(of: shot).map(\.stars) == [2, 4])
        var renamed = opinion(3, "Tablet", after: 3)
        renamed.authorKey = "device:2"
        _ = try await ledger.saveOpinion(renamed, shot: shot)
        #expect(try await ledger.opinions(of: shot).map(\.author) == ["iPad", "Tablet"])
    }

    @Test func `opinions survive clearing, a duplicate and a reopened ledger`() async throws {
        let ids = try await record(["DSC_1.JPG", "DSC_2.JPG"])
        for id in ids { try await save(id, "bytes \(id)") }
        for id in ids { _ = try await ledger.saveOpinion(opinion(4), shot: ShotID(first: id)) }
        let third = try #require(try await record(["DSC_3.JPG"]).first)
        try await save(third, "bytes \(third)")
        try await ledger.database.write { db in
            try db.execute(
                sql: "UPDATE capture SET state = 'duplicate', twin_id = ? WHERE id = ?",
                arguments: [third, ids[1]])
            try db.execute(sql: "UPDATE capture SET cleared_at = 1 WHERE id = ?", arguments: [ids[0]])
        }
        try ledger.database.close()
        let reopened = try LedgerStore(path: path)
        #expect(try await reopened.opinions(of: ShotID(first: ids[0])) == [opinion(4)])
        #expect(try await reopened.opinions(of: ShotID(first: third)) == [opinion(4)])
    }

    @Test func `an older ledger gets empty tables for opinions and previews`() async throws {
        let old = scratch.path("old.sqlite")
        let database = try DatabaseQueue(path: old)
        try Schema.migrator(at: .distantPast).migrate(database, upTo: "v19 originals of edited photos")
        try database.close()
        let migrated = try LedgerStore(path: old)
        #expect(try await migrated.unappliedOpinions(limit: 9).isEmpty)
        let preview = PreviewRecord(
            sha256: "ab", state: .ready, width: 6_000, height: 4_000, meanColor: "#806040", workerFailures: 1)
        #expect(try await migrated.preview(sha256: "ab") == nil)
        try await migrated.savePreview(preview)
        #expect(try await migrated.preview(sha256: "ab") == preview)
        try await migrated.savePreview(PreviewRecord(sha256: "ab", state: .missing))
        #expect(try await migrated.preview(sha256: "ab")?.state == .missing)
    }

    @Test func `a replaced ledger keeps opinions and previews`() async throws {
        let id = try #require(try await record(["DSC_1.JPG"]).first)
        try await save(id, "jpeg")
        _ = try await ledger.saveOpinion(opinion(5), shot: ShotID(first: id))
        var revoked = opinion(1, "iPad", after: 1)
        revoked.authorKey = "device:7"
        _ = try await ledger.saveOpinion(revoked, shot: ShotID(first: id))
        try await ledger.savePreview(PreviewRecord(sha256: "jpeg", state: .ready, width: 3))
        let replaced = try await replacedLedger()
        #expect(try await replaced.opinions(of: ShotID(first: id)) == [opinion(5), revoked])
        #expect(try await replaced.preview(sha256: "jpeg")?.width == 3)
        // A new device does not get the opinions of a revoked device.
        let device = WebDevice(
            id: 0, name: "iPad", role: .owner, createdAt: Self.now, digest: SecretDigest(of: "secret"))
        #expect(try await replaced.addWebDevice(device).id == 8)
    }

    @Test func `a replaced ledger does not reuse the number of a lost photo`() async throws {
        let ids = try await record(["DSC_1.JPG", "DSC_2.JPG"])
        try await save(ids[1], "jpeg")
        _ = try await ledger.saveOpinion(opinion(5), shot: ShotID(first: ids[1]))
        // Simulates an unreadable row of the second photo.
        try await ledger.database.write { db in
            try db.execute(sql: "DELETE FROM capture WHERE id = ?", arguments: [ids[1]])
        }
        let replaced = try await replacedLedger()
        let next = CameraObject(folder: "/store_1/A", name: "DSC_3.JPG", size: 10, cameraTime: 1_795_271_190)
        let new = try await replaced.recordSeen([next], camera: "a", session: nil, at: Self.now)
        #expect(new.map(\.id) == [3])
        #expect(try await replaced.opinions(of: 3).isEmpty)
    }

    /// Closes and damages the ledger.
    ///
    /// - Returns: The ledger that replaces the damaged one.
    private func replacedLedger() async throws -> LedgerStore {
        try await ledger.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try ledger.database.close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(0..<100, with: Data(count: 100))
        try bytes.write(to: URL(filePath: path))
        return try LedgerFile(path: path).open(at: Self.now).ledger
    }

    @Test func `the index lists shots of a session in pages, newest first`() async throws {
        let session = try await ledger.startSession(name: "Wedding", at: Self.now).id
        for number in 1...5 {
            let ids = try await record(["DSC_\(number).NEF"], session: number == 3 ? nil : session)
            if number < 5 { try await save(ids[0], "raw \(number)") }
        }
        try await ledger.savePreview(PreviewRecord(sha256: "raw 4", state: .ready, width: 3, height: 2))
        _ = try await ledger.saveOpinion(opinion(2), shot: 1)
        func page(_ query: ShotIndexQuery) async throws -> [ShotOverview] {
            try await ledger.shotIndex(query)
        }
        #expect(try await page(.init(limit: 9)).map(\.id) == [4, 3, 2, 1], "photo 5 is not saved")
        let first = try await page(.init(limit: 2, session: session))
        #expect(first.map(\.id) == [4, 2] && first[0].pictureSource?.preview?.width == 3)
        let second = try await page(.init(before: 2, limit: 2, session: session))
        #expect(second.map(\.id) == [1] && second[0].opinions.map(\.stars) == [2])
        #expect(try await page(.init(before: 1, limit: 2)).isEmpty)
    }

    @Test(arguments: [LedgerStore.shotPageSQL, LedgerStore.shotFilesSQL])
    func `the index of shots does not scan the ledger`(sql: String) async throws {
        let isPage = sql == LedgerStore.shotPageSQL
        let plan = try await ledger.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + sql,
                arguments: isPage
                    ? ["before": nil, "session": nil, "limit": 9]
                    : ["oldest": 1, "newest": 9, "session": nil]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH capture USING INDEX capture_shot") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN upload_job") || $0.hasPrefix("SCAN preview") }, "\(plan)")
    }

    @Test func `a review of a shot reads only the uploads of its files`() async throws {
        let plan = try await ledger.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + LedgerStore.openUploadsOfShotSQL, arguments: ["shot": 1]
            ).map { $0["detail"] as String }
        }
        #expect(
            plan.contains { $0.hasPrefix("SEARCH upload_job") && $0.hasSuffix("(capture_id=?)") }, "\(plan)")
    }
}
