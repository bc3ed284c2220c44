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

    @Test func `fetches a photo once if announced again while queued or running`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2), record(1)])
        #expect(queue.count == 2)
        let first = queue.next()
        queue.append([record(1), record(2)])
        queue.prepend(record(1))
        #expect(first?.id == 1 && queue.count == 1 && queue.first?.id == 2)
    }

    @Test func `accepts a photo again after its fetch finished`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2)])
        _ = queue.next()
        queue.finish(1)
        queue.append([record(1)])
        let order = [queue.next()?.id, queue.next()?.id, queue.next()?.id]
        #expect(order == [2, 1, nil])
        queue.finish(2)
        queue.prepend(record(2))
        #expect(queue.next()?.id == 2 && queue.isEmpty)
    }

    @Test func `returns the first photo that meets a condition and keeps the order of the others`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2), record(3)])
        #expect(queue.next { $0.id != 1 }?.id == 2)
        #expect(queue.next { $0.id == 9 } == nil)
        let order = [queue.next()?.id, queue.next()?.id, queue.next()?.id]
        #expect(order == [1, 3, nil])
    }

    /// Returns all waiting captures in fetch order.
    private func order(_ queue: FetchQueue) -> [CaptureID] {
        var queue = queue
        var ids: [CaptureID] = []
        while let record = queue.next() { ids.append(record.id) }
        return ids
    }

    @Test func `orders shots before card photos and after earlier shots`() {
        var queue = FetchQueue()
        queue.append((1...300).map { record(CaptureID(rawValue: $0)) })
        queue.append([record(902), record(901)], priority: .shot)
        queue.append([record(900)], priority: .shot)
        #expect(queue.first?.id == 902)
        #expect(order(queue).prefix(5) == [902, 901, 900, 1, 2])
        #expect(queue.count == 303)
    }

    @Test func `moves a listed photo to the shots when it is announced as a shot`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2), record(3)])
        queue.append([record(8)], priority: .shot)
        queue.append([record(3)], priority: .shot)
        queue.append([record(3)], priority: .catchUp)
        #expect(order(queue) == [8, 3, 1, 2])
        let first = queue.next()
        queue.append([record(8)], priority: .shot)
        #expect(first?.id == 8 && order(queue) == [3, 1, 2], "the shot is being fetched")
    }

    @Test func `retries a failed shot among the shots`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2)])
        queue.append([record(8), record(9)], priority: .shot)
        let shot = queue.next()
        let priority = queue.finish(8)
        queue.append([record(8)], priority: priority)
        #expect(shot?.id == 8 && order(queue) == [9, 8, 1, 2])
        _ = queue.next()
        queue.prepend(record(9), priority: queue.finish(9))
        #expect(order(queue) == [9, 8, 1, 2])
        queue.append([record(2)], priority: .shot)
        _ = queue.next()
        _ = queue.next()
        let promoted = queue.next()
        #expect(promoted?.id == 2 && queue.finish(2) == .shot)
    }

    @Test func `returns a shot that meets the condition before card photos that meet it`() {
        var queue = FetchQueue()
        queue.append([record(1), record(2)])
        queue.append([record(8), record(9)], priority: .shot)
        #expect(queue.next { $0.id != 8 }?.id == 9)
        #expect(queue.next { $0.id != 8 }?.id == 1)
        #expect(order(queue) == [8, 2])
    }

    @Test func `returns only shots while card photos are blocked`() {
        var queue = FetchQueue()
        queue.append([record(1)])
        queue.append([record(8)], priority: .shot)
        queue.givesOnlyShots = true
        #expect(order(queue) == [8])
        let priorities = [queue.priority(of: 1), queue.priority(of: 8), queue.priority(of: 9)]
        #expect(priorities == [.catchUp, .shot, nil])
        queue.givesOnlyShots = false
        #expect(order(queue) == [8, 1])
    }
}
