import Foundation
import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct FetchQueueTests {
    private func record(_ id: CaptureID) -> CaptureRecord {
        CaptureRecord(
            id: id, bodyID: "c",
            object: CameraObject(folder: "/", name: "IMG_\(id).JPG", size: 1, cameraTime: nil), state: .seen,
            sessionID: nil, detectedAt: Date(timeIntervalSince1970: 0))
    }

    @Test func `a photo that is told of again while it waits or is fetched is fetched once`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2), record(1)])
        #expect(queue.count == 2)
        let first = queue.next()
        queue.append([record(1), record(2)])
        queue.putBack(record(1))
        #expect(first?.id == 1 && queue.count == 1 && queue.first?.id == 2)
    }

    @Test func `a photo that came to an end can be fetched again`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2)])
        _ = queue.next()
        queue.ended(1)
        queue.append([record(1)])
        let order = [queue.next()?.id, queue.next()?.id, queue.next()?.id]
        #expect(order == [2, 1, nil])
        queue.ended(2)
        queue.putBack(record(2))
        #expect(queue.next()?.id == 2 && queue.isEmpty)
    }

    @Test func `what does not fit lets what fits pass, and keeps its place`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2), record(3)])
        #expect(queue.next { $0.id != 1 }?.id == 2)
        #expect(queue.next { $0.id == 9 } == nil)
        let order = [queue.next()?.id, queue.next()?.id, queue.next()?.id]
        #expect(order == [1, 3, nil])
    }
}
