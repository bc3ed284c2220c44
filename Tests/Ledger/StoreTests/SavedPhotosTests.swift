import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// Tests of the pages of photos that were saved in a period.
@Suite struct SavedPhotosTests {
    private static let start = Date(timeIntervalSince1970: 1_795_271_130.25)

    @Test func `lists in pages the photos that were saved in a period and are not cleared`() async throws {
        let bench = try UploadQueueTests()
        try await bench.save((1...7).map { "\($0).jpg" })
        let seen = CameraObject(folder: "/store_1/A", name: "8.jpg", size: 10, cameraTime: nil)
        _ = try await bench.ledger.recordSeen([seen], camera: "a", session: nil, at: Self.start)
        // The photos 2 to 4 were saved at the same time, and in another order than announced.
        let times = [(1, -1.0), (2, 5), (3, 5), (4, 5), (5, 0), (6, 9), (7, 10)]
        try await bench.ledger.database.writeWithoutTransaction { db in
            for (id, seconds) in times {
                try db.execute(
                    sql: "UPDATE capture SET saved_at = ? WHERE id = ?",
                    arguments: [Self.start.addingTimeInterval(seconds).timeIntervalSince1970, id])
            }
            try db.execute(sql: "UPDATE capture SET cleared_at = 1 WHERE id = 3")
        }
        let period = Self.start..<Self.start.addingTimeInterval(10)
        var pages: [[CaptureID]] = []
        var last: CaptureRecord?
        while true {
            let page = try await bench.ledger.savedPhotos(in: period, after: last, limit: 2)
            guard let end = page.last else { break }
            pages.append(page.map(\.id))
            last = end
        }
        #expect(pages == [[5, 2], [4, 6]])
    }
}
