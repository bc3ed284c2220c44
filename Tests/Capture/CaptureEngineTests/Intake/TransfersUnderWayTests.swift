import Foundation
import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct TransfersUnderWayTests {
    private func record(_ id: CaptureID, size: UInt64 = 100) -> CaptureRecord {
        CaptureRecord(
            id: id, bodyID: "c",
            object: CameraObject(folder: "/DCIM", name: "IMG_\(id).JPG", size: size, cameraTime: nil),
            state: .seen, sessionID: nil, detectedAt: Date(timeIntervalSince1970: 0))
    }

    @Test func `fetches are few, and so are photos that are not on disk yet`() {
        var transfers = ActiveTransfers()
        for id in 1...ActiveTransfers.fetchesMax {
            #expect(transfers.hasRoom(isShot: false))
            transfers.begin(record(CaptureID(rawValue: Int64(id))))
        }
        #expect(!transfers.hasRoom(isShot: false))
        transfers.arrived(1)
        #expect(transfers.hasRoom(isShot: false))
        for id in 2...ActiveTransfers.publishingMax {
            let id = CaptureID(rawValue: Int64(id))
            transfers.begin(record(id))
            transfers.arrived(id)
        }
        #expect(!transfers.hasRoom(isShot: true) && !transfers.isFetching)
        transfers.published()
        #expect(transfers.hasRoom(isShot: false))
    }

    @Test func `shots do not wait for those that the card had, and those wait for shots`() {
        var transfers = ActiveTransfers()
        for id in 1...ActiveTransfers.fetchesMax { transfers.begin(record(CaptureID(rawValue: Int64(id)))) }
        for id in 11...10 + ActiveTransfers.fetchesMax {
            #expect(transfers.hasRoom(isShot: true))
            transfers.begin(record(CaptureID(rawValue: Int64(id))), isShot: true)
        }
        #expect(!transfers.hasRoom(isShot: true))
        // The worker reads them between two pieces of the first, in their order.
        for id in [1, 11, 12, 13, 2, 3] as [CaptureID] {
            let isNext = transfers.failed(id)
            #expect(isNext, "\(id)")
        }
        #expect(transfers.isQuiet)
    }

    @Test func `the one that was asked for first is on the link, also behind a second reading`() {
        var transfers = ActiveTransfers()
        transfers.beginReread(9)
        transfers.begin(record(1))
        transfers.begin(record(2))
        let behindReread = transfers.failed(1)
        #expect(!behindReread)
        transfers.endReread(9)
        let first = transfers.failed(2)
        #expect(first)
    }

    @Test func `the link is free when nothing is fetched, published or read again`() {
        var transfers = ActiveTransfers()
        #expect(transfers.isLinkFree && transfers.isQuiet)
        transfers.begin(record(1))
        #expect(!transfers.isQuiet)
        transfers.arrived(1)
        #expect(!transfers.isQuiet)
        transfers.published()
        transfers.beginReread(1)
        #expect(transfers.isQuiet && !transfers.isLinkFree)
        transfers.endReread(1)
        #expect(transfers.isLinkFree)
    }

    @Test func `people see the photo that was asked for first, and how far it is`() {
        var transfers = ActiveTransfers()
        let nothing = transfers.progressed(5)
        #expect(nothing == nil && transfers.shown == nil)
        transfers.begin(record(2))
        transfers.begin(record(1))
        let shown = transfers.progressed(40)
        #expect(shown?.name == "IMG_2.JPG" && shown?.bytes == 40 && shown?.total == 100)
        #expect(transfers.shown == shown)
        #expect(transfers.bytesToCome == 160)
        _ = transfers.progressed(140)
        #expect(
            transfers.bytesToCome == 100, "one that is larger than announced takes nothing from the others")
    }
}
