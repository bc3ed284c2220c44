import FrameFastModel
import PictureProtocol
import Testing

@testable import Previews

@Suite struct PreviewQueueTests {
    /// Returns an order for the photo with this number.
    private static func order(_ number: Int, _ task: PictureTask = .thumbnail) throws -> PreviewOrder {
        let digits = String(number, radix: 16)
        let sha256 = String(repeating: "0", count: 64 - digits.count) + digits
        return PreviewOrder(
            task: task,
            photo: try #require(PreviewPhoto(capture: 1, sha256: sha256, path: "/photo", bytes: 1)))
    }

    @Test func `runs the newest order first`() throws {
        var queue = PreviewQueue()
        for number in 1...3 { _ = queue.add(try Self.order(number)) }
        var numbers: [PreviewOrder] = []
        while let entry = queue.startNext() {
            numbers.append(entry.order)
            queue.finish()
        }
        #expect(try numbers == [Self.order(3), Self.order(2), Self.order(1)])
        #expect(queue.isEmpty)
    }

    @Test func `starts no second order while an order runs`() throws {
        var queue = PreviewQueue()
        for number in 1...2 { _ = queue.add(try Self.order(number)) }
        let first = queue.startNext()
        let second = queue.startNext()
        #expect(first != nil && second == nil)
    }

    @Test func `clients of one picture share its order and its outcome`() throws {
        var queue = PreviewQueue()
        let (first, _) = queue.add(try Self.order(1))
        _ = queue.add(try Self.order(2))
        let (second, _) = queue.add(try Self.order(1))
        #expect(first === second)
        // The repeated order is the newest order.
        #expect(try queue.waitingOrders == [Self.order(1), Self.order(2)])
        let running = queue.startNext()
        let (third, _) = queue.add(try Self.order(1))
        #expect(third === running?.outcome && third === first)
        #expect(try queue.waitingOrders == [Self.order(2)])
    }

    @Test func `another size of the same photo is another order`() throws {
        var queue = PreviewQueue()
        let (small, _) = queue.add(try Self.order(1))
        let (large, _) = queue.add(try Self.order(1, .screen))
        #expect(small !== large && queue.waitingOrders.count == 2)
    }

    @Test func `a full queue drops its oldest order`() throws {
        var queue = PreviewQueue()
        for number in 0..<PreviewQueue.waitingMax {
            let (_, dropped) = queue.add(try Self.order(number))
            #expect(dropped == nil)
        }
        let (_, dropped) = queue.add(try Self.order(PreviewQueue.waitingMax))
        #expect(try dropped?.order == Self.order(0))
        #expect(queue.waitingOrders.count == PreviewQueue.waitingMax)
    }

    @Test func `removes a waiting order after its last client has left`() throws {
        var queue = PreviewQueue()
        let (outcome, _) = queue.add(try Self.order(1))
        _ = queue.add(try Self.order(1))
        queue.removeClient(of: outcome)
        #expect(!queue.isEmpty)
        queue.removeClient(of: outcome)
        #expect(queue.isEmpty)
        queue.removeClient(of: outcome)
        #expect(queue.isEmpty)
    }

    @Test func `removing a client of a finished order keeps the next order`() throws {
        var queue = PreviewQueue()
        let (first, _) = queue.add(try Self.order(1))
        _ = queue.startNext()
        queue.finish()
        let (second, _) = queue.add(try Self.order(1))
        queue.removeClient(of: first)
        #expect(first !== second && !queue.isEmpty)
        queue.removeClient(of: second)
        #expect(queue.isEmpty)
    }

    @Test func `a running order continues without clients`() throws {
        var queue = PreviewQueue()
        let (outcome, _) = queue.add(try Self.order(1))
        let running = queue.startNext()
        queue.removeClient(of: outcome)
        #expect(running?.outcome === outcome)
        let (again, _) = queue.add(try Self.order(1))
        #expect(again === outcome && queue.isEmpty)
    }

    @Test func `removing all orders returns the waiting orders`() throws {
        var queue = PreviewQueue()
        for number in 1...3 { _ = queue.add(try Self.order(number)) }
        _ = queue.startNext()
        let removed = queue.removeAll()
        #expect(try Set(removed.map(\.order)) == [Self.order(1), Self.order(2)])
        #expect(queue.isEmpty)
    }

    @Test func `the backlog returns the newest file first and drops the oldest when full`() {
        var backlog = PreviewBacklog()
        for number in 1...Int64(PreviewBacklog.waitingMax + 2) { backlog.add(CaptureID(rawValue: number)) }
        backlog.add(5)
        #expect(backlog.waiting.count == PreviewBacklog.waitingMax && backlog.waiting.first == 3)
        let last = CaptureID(rawValue: Int64(PreviewBacklog.waitingMax + 2))
        let newest = [backlog.next(), backlog.next()]
        #expect(newest == [5, last])
        #expect(backlog.waiting.count == PreviewBacklog.waitingMax - 2)
    }

    @Test func `the backlog returns failed files last, in the order of failure`() {
        var backlog = PreviewBacklog()
        for id in [1, 2, 1] as [CaptureID] { backlog.addFailed(id) }
        #expect(backlog.failed == [2, 1] && backlog.isEmpty)
        backlog.add(3)
        let files = [backlog.next(), backlog.next(), backlog.next(), backlog.next()]
        #expect(files == [3, 2, 1, nil])
        backlog.addFailed(4)
        backlog.add(4)
        backlog.addFailed(4)
        #expect(backlog.failed.isEmpty && backlog.waiting == [4])
        for number in 1...Int64(PreviewBacklog.waitingMax + 5) {
            backlog.addFailed(CaptureID(rawValue: number))
        }
        #expect(backlog.failed.count == PreviewBacklog.waitingMax)
    }

    @Test(arguments: [
        String(repeating: "a", count: 63), String(repeating: "A", count: 64),
        String(repeating: "g", count: 64),
        "../" + String(repeating: "0", count: 61), "",
    ])
    func `a photo needs a SHA-256 in lower-case hex`(text: String) {
        #expect(PreviewPhoto(capture: 1, sha256: text, path: "/photo", bytes: 1) == nil)
    }
}
