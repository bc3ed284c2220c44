import Foundation
import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct FailedPhotosTests {
    private func record(_ id: CaptureID, attempts: Int = 0) -> CaptureRecord {
        var record = CaptureRecord(
            id: id, bodyID: "c",
            object: CameraObject(folder: "/", name: "IMG_\(id).JPG", size: 1, cameraTime: nil), state: .seen,
            sessionID: nil, detectedAt: Date(timeIntervalSince1970: 0))
        record.attempts = attempts
        return record
    }

    @Test func `parks photos that failed too often and sorts the others by failures`() {
        var failed = FailedPhotos()
        let queue = failed.partition([
            record(1, attempts: 3), record(2, attempts: 1), record(3), record(4, attempts: 9),
        ])
        #expect(queue.map(\.id) == [3, 2])
        #expect(failed.parked.map(\.id) == [1, 4] && failed.failingCount == 2)
        #expect(failed.isParked(4) && !failed.isParked(2))
        let waiting = failed.unpark()
        #expect(waiting.map(\.id) == [1, 4] && failed.parked.isEmpty && failed.failingCount == 2)
    }

    @Test(arguments: [([0, 0, 0], [false, false, true]), ([0, 3], [false, true]), ([7], [true])])
    func `parks a photo after three failures in this connection or the ledger`(ever: [Int], tooMany: [Bool]) {
        var failed = FailedPhotos()
        for (count, expected) in zip(ever, tooMany) {
            let isTooMany = failed.recordFailure(1, ever: count)
            #expect(isTooMany == expected)
        }
    }

    @Test func `reports when the last failed photo has recovered, and resets its failures`() {
        var failed = FailedPhotos()
        for id: CaptureID in [1, 2] { _ = failed.recordFailure(id, ever: 3) }
        let ends: [CaptureID] = [3, 1, 2]
        let wasLast = ends.map { id in failed.remove(id) }
        #expect(wasLast == [false, false, true])
        let isTooMany = failed.recordFailure(2, ever: 1)
        #expect(!isTooMany)
    }

    @Test func `recognizes damage on the card after the same bytes arrive twice`() {
        var failed = FailedPhotos()
        #expect(!failed.matchesEarlierHash(1, sha256: "a"))
        failed.recordDamaged(1, sha256: "a")
        #expect(failed.matchesEarlierHash(1, sha256: "a") && !failed.matchesEarlierHash(1, sha256: "b"))
        _ = failed.remove(1)
        #expect(!failed.matchesEarlierHash(1, sha256: "a"))
    }
}
