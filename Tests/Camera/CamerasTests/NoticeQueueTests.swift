import Testing

@testable import Cameras

@Suite struct NoticeQueueTests {
    /// Returns a queue in which the number 0 is an announcement.
    private func queue(noticesMax: Int = 10, bytesMax: Int = 10) -> NoticeQueue<Int> {
        NoticeQueue(noticesMax: noticesMax, bytesMax: bytesMax) { $0 == 0 }
    }

    private func rest(of queue: NoticeQueue<Int>) async -> [Int] {
        queue.finish()
        var notices: [Int] = []
        while let notice = await queue.next() { notices.append(notice.notice) }
        return notices
    }

    @Test func `delivers notices in order, including notices queued between reads`() async {
        let queue = queue(noticesMax: 2_000, bytesMax: 100_000)
        for number in 0..<1_000 { queue.yield(number, bytes: 1) }
        for number in 0..<500 { #expect(await queue.next()?.notice == number) }
        for number in 1_000..<1_100 { queue.yield(number, bytes: 1) }
        #expect(await rest(of: queue) == Array(500..<1_100))
        #expect(queue.bytes == 0)
    }

    @Test(arguments: [(3, 1_000, 1, 3), (1_000, 10, 4, 2), (1_000, 10, 10, 1), (1_000, 10, 11, 1)])
    func `drops the oldest notices when the count or byte limit is exceeded`(
        noticesMax: Int, bytesMax: Int, bytes: Int, kept: Int
    ) async {
        let queue = queue(noticesMax: noticesMax, bytesMax: bytesMax)
        for number in 0..<100 { queue.yield(number, bytes: bytes) }
        #expect(queue.bytes == kept * bytes)
        #expect(await rest(of: queue) == Array((100 - kept)..<100))
    }

    @Test func `reports a dropped announcement once`() {
        let queue = queue(noticesMax: 2)
        for number in 0..<2 { queue.yield(number, bytes: 1) }
        #expect(!queue.takeDrop())
        queue.yield(2, bytes: 1)
        #expect(queue.takeDrop())
        // The next dropped notice is not an announcement.
        queue.yield(3, bytes: 1)
        #expect(!queue.takeDrop())
    }

    @Test func `wakes a waiting reader on a notice and on finish`() async {
        let queue = queue()
        let reader = Task { [await queue.next()?.notice, await queue.next()?.notice] }
        queue.yield(7, bytes: 1)
        queue.finish()
        #expect(await reader.value == [7, nil])
    }

    @Test func `returns nil to a cancelled reader`() async {
        let queue = queue()
        let reader = Task { await queue.next()?.notice }
        reader.cancel()
        #expect(await reader.value == nil)
    }
}
