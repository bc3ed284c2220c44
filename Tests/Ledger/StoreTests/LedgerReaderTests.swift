import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// Tests of the read-only connection to the ledger, while another connection has the ledger open.
@Suite struct LedgerReaderTests {
    private let scratch: ScratchFolder
    private let fixture: UploadQueueTests

    init() throws {
        scratch = try ScratchFolder()
        fixture = try UploadQueueTests()
    }

    /// Changes the ledger without the enforcement of foreign keys.
    private func damage(_ sql: String) async throws {
        try await fixture.ledger.database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; \(sql); PRAGMA foreign_keys = ON")
        }
    }

    @Test func `lists in pages the photos that must have a file`() async throws {
        try await fixture.save(["a.jpg", "b.jpg", "c.jpg"])
        try await damage("UPDATE capture SET cleared_at = 1 WHERE id = 2")
        let reader = try LedgerReader(path: fixture.path)
        let sum = try reader.savedPhotos()
        #expect(sum.photos == 2 && sum.bytes == 20)
        let first = try reader.photosWithFile(after: 0, limit: 1).map(\.id)
        let rest = try reader.photosWithFile(after: 1, limit: 5).map(\.id)
        #expect(first == [1] && rest == [3])
        #expect(try reader.photoWithFile(2) == nil)
        #expect(try reader.capture(2)?.id == 2)
    }

    @Test func `finds uploads with an incomplete receipt or without a photo`() async throws {
        try await fixture.save(["a.jpg", "b.jpg", "c.jpg"])
        try await fixture.plan()
        for claim in try await fixture.claim(2) {
            try await fixture.recordResult(
                claim.job.id, .delivered(UploadQueueTests.delivery, at: UploadQueueTests.now))
        }
        let reader = try LedgerReader(path: fixture.path)
        var faults: [LedgerReader.UploadFault] = []
        try reader.forEachUploadFault { faults.append($0) }
        #expect(faults == [])
        try await damage(
            """
            UPDATE upload_job SET proof = NULL WHERE capture_id = 1;
            DELETE FROM capture WHERE id IN (2, 3)
            """)
        try reader.forEachUploadFault { faults.append($0) }
        #expect(faults.map(\.capture) == [1, 2, 3])
        #expect(faults.map(\.isDelivered) == [true, true, false])
        #expect(faults.map(\.hasPhoto) == [true, false, false])
    }

    @Test func `finds two records that share a path`() async throws {
        try await fixture.save(["a.jpg", "b.jpg", "c.jpg"])
        // The new table lacks the constraint that each path is unique.
        try await damage(
            """
            CREATE TABLE other AS SELECT * FROM capture;
            DROP TABLE capture;
            ALTER TABLE other RENAME TO capture;
            UPDATE capture SET path = '/c/same.jpg' WHERE id IN (1, 3)
            """)
        var found: [String] = []
        try LedgerReader(path: fixture.path).forEachSharedPath { found.append("\($0) \($1) \($2)") }
        #expect(found == ["/c/same.jpg 1 3"])
    }

    @Test func `opens a newer version's ledger and refuses an older version's ledger`() async throws {
        try await fixture.save(["a.jpg"])
        try await damage("INSERT INTO grdb_migrations (identifier) VALUES ('later')")
        #expect(try LedgerReader(path: fixture.path).savedPhotos().photos == 1)
        let last = try #require(Schema.migrator(at: .distantPast).migrations.last)
        try await damage("DELETE FROM grdb_migrations WHERE identifier = '\(last)'")
        #expect(throws: StoreError.self) { _ = try LedgerReader(path: fixture.path) }
    }

    @Test func `refuses a missing file and a database that is not a ledger`() throws {
        let missing = scratch.path("missing.sqlite")
        #expect(throws: StoreError.self) { _ = try LedgerReader(path: missing) }
        #expect(!FileManager.default.fileExists(atPath: missing))
        let other = scratch.path("other.sqlite")
        try DatabaseQueue(path: other).close()
        #expect(throws: StoreError.self) { _ = try LedgerReader(path: other) }
        try Data("not a database".utf8).write(to: URL(filePath: other))
        #expect(throws: StoreError.self) { _ = try LedgerReader(path: other) }
    }
}
