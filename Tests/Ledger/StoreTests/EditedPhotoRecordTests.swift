import FrameFastModel
import GRDB
import Testing

@testable import Store

/// Tests of the record of a saved photo whose file was edited.
@Suite struct EditedPhotoRecordTests {
    private let queue: UploadQueueTests

    init() throws { queue = try UploadQueueTests() }

    private func edit(_ id: CaptureID, for destinations: [DestinationName]) async throws -> CaptureRecord? {
        try await queue.ledger.recordEdited(id: id, bytes: 40, sha256: "bb", for: destinations)
        return try await queue.ledger.captures(CaptureQuery(limit: 9)).map(\.record).first { $0.id == id }
    }

    @Test func `updates the queue's sums after an edit changes the size`() async throws {
        try await queue.save(["a.jpg", "b.jpg"])
        try await queue.plan(.held(.unsorted))
        let id = try #require(try await queue.ledger.captures(CaptureQuery(limit: 9)).first?.record.id)
        _ = try await edit(id, for: ["nas"])
        let counts = try #require(try await queue.ledger.uploadCounts()["nas"])
        #expect(counts[.held].jobs == 2 && counts[.held].bytes == 50)
    }

    @Test func `records an edit only if a given destination does not have the original`() async throws {
        try await queue.save(["a.jpg"])
        try await queue.plan(to: ["nas", "s3"])
        let job = try #require(try await queue.claim().first)
        try await queue.recordResult(
            job.job.id, .delivered(UploadQueueTests.delivery, at: UploadQueueTests.now))
        let id = job.job.captureID
        #expect(try await edit(id, for: ["nas"])?.sha256 == "aa")
        #expect(try await edit(id, for: ["nas", "s3"])?.sha256 == "bb")
    }

    @Test func `an edited photo no longer waits for a second read`() async throws {
        try await queue.save(["a.jpg"])
        let id = try #require(try await queue.ledger.captures(CaptureQuery(limit: 9)).first?.record.id)
        try await queue.ledger.database.write {
            try $0.execute(sql: "UPDATE capture SET verified = 'awaiting_reread'")
        }
        #expect(try await edit(id, for: ["nas"])?.verified == .structure)
    }
}
