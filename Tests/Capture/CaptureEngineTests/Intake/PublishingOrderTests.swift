import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct PublishingOrderTests {
    private static func order(_ photos: [(CaptureID, FetchQueue.Priority)]) -> PublishingOrder {
        var order = PublishingOrder()
        for (id, priority) in photos { order.append(id, priority: priority) }
        return order
    }

    private static func slot(of id: CaptureID, _ order: inout PublishingOrder) throws -> PublishingOrder.Slot
    {
        let slot = order.removeSlot(of: id)
        return try #require(slot)
    }

    /// Completes fetches in the given order, and returns the order in which the photos were passed to the
    /// publisher.
    ///
    /// - Parameter failing: The photos whose fetches fail.
    private static func passed(
        _ order: PublishingOrder, arriving ids: [CaptureID], failing: Set<CaptureID> = []
    ) async throws -> [CaptureID] {
        var order = order
        let slots = try ids.map { (id: $0, slot: try slot(of: $0, &order)) }
        return await withTaskGroup { group in
            let (passed, sink) = AsyncStream<CaptureID>.makeStream()
            for (id, slot) in slots {
                group.addTask {
                    if failing.contains(id) {
                        await slot.skip()
                    } else {
                        await slot.wait()
                        sink.yield(id)
                        slot.finish()
                    }
                }
            }
            await group.waitForAll()
            sink.finish()
            return await passed.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `passes photos to the publisher in fetch order, not in completion order`() async throws {
        for arriving in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] as [[CaptureID]] {
            let order = Self.order([(1, .catchUp), (2, .catchUp), (3, .catchUp)])
            #expect(try await Self.passed(order, arriving: arriving) == [1, 2, 3])
        }
    }

    @Test func `a shot does not wait for a photo from the card`() async throws {
        var order = Self.order([(1, .catchUp), (2, .shot)])
        let shot = try Self.slot(of: 2, &order)
        await shot.wait()
        shot.finish()
        let photo = try Self.slot(of: 1, &order)
        await photo.wait()
    }

    @Test func `a failed fetch blocks no photo and keeps the order of others`() async throws {
        for arriving in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] as [[CaptureID]] {
            let order = Self.order([(1, .shot), (2, .shot), (3, .shot)])
            #expect(try await Self.passed(order, arriving: arriving, failing: [2]) == [1, 3])
        }
    }
}
