import Foundation
import FrameFastModel
import Testing
import WorkerProtocol

@testable import CaptureEngine

@Suite struct ActiveTransfersTests {
    private func record(_ id: CaptureID, size: UInt64 = 100) -> CaptureRecord {
        CaptureRecord(
            id: id, bodyID: "c",
            object: CameraObject(folder: "/DCIM", name: "IMG_\(id).JPG", size: size, cameraTime: nil),
            state: .seen, sessionID: nil, detectedAt: Date(timeIntervalSince1970: 0))
    }

    /// Returns the failure of a request because of a lost connection.
    private func loss(during: String) -> WorkerFailure {
        WorkerFailure(kind: .disconnected, during: during, text: "gone")
    }

    @Test func `limits running fetches and photos being published`() {
        var transfers = ActiveTransfers()
        for id in 1...ActiveTransfers.fetchesMax {
            #expect(transfers.hasCapacity(isShot: false))
            transfers.start(record(CaptureID(rawValue: Int64(id))))
        }
        #expect(!transfers.hasCapacity(isShot: false))
        transfers.finishFetch(1)
        #expect(transfers.hasCapacity(isShot: false))
        for id in 2...ActiveTransfers.publishingMax {
            let id = CaptureID(rawValue: Int64(id))
            transfers.start(record(id))
            transfers.finishFetch(id)
        }
        #expect(!transfers.hasCapacity(isShot: true) && !transfers.isFetching)
        transfers.finishPublishing()
        #expect(transfers.hasCapacity(isShot: false))
    }

    @Test func `starts shots at the card-fetch limit, and attributes failures in reading order`() {
        var transfers = ActiveTransfers()
        for id in 1...ActiveTransfers.fetchesMax { transfers.start(record(CaptureID(rawValue: Int64(id)))) }
        for id in 11...10 + ActiveTransfers.fetchesMax {
            #expect(transfers.hasCapacity(isShot: true))
            transfers.start(record(CaptureID(rawValue: Int64(id))), isShot: true)
        }
        #expect(!transfers.hasCapacity(isShot: true))
        // The worker reads shots between two chunks of the first photo, in the order of their announcements.
        for id in [1, 11, 12, 13, 2, 3] as [CaptureID] {
            let isNext = transfers.recordFailure(id, loss(during: "worker"))
            #expect(isNext, "\(id)")
        }
        #expect(transfers.isIdle)
    }

    @Test func `attributes the end of a worker to the oldest running request`() {
        var transfers = ActiveTransfers()
        transfers.startReread(9)
        transfers.start(record(1))
        transfers.start(record(2))
        let behindReread = transfers.recordFailure(1, loss(during: "worker"))
        #expect(!behindReread)
        transfers.endReread(9)
        let first = transfers.recordFailure(2, loss(during: "worker"))
        #expect(first)
    }

    @Test func `attributes a failed read to its photo while an earlier photo is hashed`() {
        var transfers = ActiveTransfers()
        for id in [1, 2, 3] as [CaptureID] { transfers.start(record(id)) }
        let failed = transfers.recordFailure(2, loss(during: WorkerFailure.fetching))
        // The worker refuses the requests that it has not performed.
        let waiting = transfers.recordFailure(3, loss(during: "start"))
        #expect(failed && !waiting)
    }

    @Test func `is busy until the photo is published; a second reading occupies the link`() {
        var transfers = ActiveTransfers()
        #expect(transfers.isLinkFree && transfers.isIdle)
        transfers.start(record(1))
        #expect(!transfers.isIdle)
        transfers.finishFetch(1)
        #expect(!transfers.isIdle)
        transfers.finishPublishing()
        transfers.startReread(1)
        #expect(transfers.isIdle && !transfers.isLinkFree)
        transfers.endReread(1)
        #expect(transfers.isLinkFree)
    }

    @Test func `shows the progress of the oldest fetch`() {
        var transfers = ActiveTransfers()
        let nothing = transfers.recordProgress(5)
        #expect(nothing == nil && transfers.shown == nil)
        transfers.start(record(2))
        transfers.start(record(1))
        let shown = transfers.recordProgress(40)
        #expect(shown?.name == "IMG_2.JPG" && shown?.bytes == 40 && shown?.total == 100)
        #expect(transfers.shown == shown)
        #expect(transfers.remainingBytes == 160)
        _ = transfers.recordProgress(140)
        #expect(
            transfers.remainingBytes == 100, "a photo larger than announced does not reduce the sum"
        )
    }
}
