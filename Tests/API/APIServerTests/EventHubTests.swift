import Foundation
import FrameFastAPI
import Testing

@testable import APIServer

@Suite struct EventHubTests {
    private func event(_ seq: UInt64) -> EventReply { EventReply(seq: seq, at: Date(), body: .resync) }

    @Test func `backlog returns each event once, in order`() {
        var backlog = EventBacklog(limit: 3)
        let events = (1...3).map { event($0) }
        events.forEach { backlog.enqueue($0) }
        #expect(backlog.takeNext() == .events(events))
        #expect(backlog.takeNext() == nil)
    }

    @Test func `full backlog drops all events and reports the overflow once`() {
        var backlog = EventBacklog(limit: 2)
        (1...5).forEach { backlog.enqueue(event($0)) }
        #expect(backlog.takeNext() == .overflowed)
        #expect(backlog.takeNext() == nil)
        let next = event(6)
        backlog.enqueue(next)
        #expect(backlog.takeNext() == .events([next]))
    }

    @Test func `backlog returns a heartbeat only if no event waits`() {
        var backlog = EventBacklog(limit: 2)
        backlog.scheduleHeartbeat()
        #expect(backlog.takeNext() == .heartbeat)
        backlog.scheduleHeartbeat()
        let one = event(1)
        backlog.enqueue(one)
        #expect(backlog.takeNext() == .events([one]))
        #expect(backlog.takeNext() == nil)
    }

    private func event(
        _ seq: UInt64, camera: CameraID, _ state: CameraReply.State = .downloading, bytes: Int64?,
        pending: Int = 1
    ) -> EventReply {
        let progress = bytes.map { ProgressReply(originalName: "A.JPG", bytes: $0, totalBytes: 9) }
        let reply = CameraReply(
            id: camera, name: "a", state: state, progress: progress, pending: pending)
        return EventReply(seq: seq, at: Date(timeIntervalSince1970: 0), body: .camera(reply))
    }

    @Test func `backlog keeps the last progress and every state change of a camera`() {
        var backlog = EventBacklog(limit: 9)
        let began = event(1, camera: "a", .ready, bytes: nil)
        let other = event(3, camera: "b", bytes: 1)
        let later = event(4, camera: "a", bytes: 3, pending: 2)
        let ended = event(6, camera: "a", .ready, bytes: nil)
        let one = event(5)
        for event in [began, event(2, camera: "a", bytes: 1), other, later, one, ended] {
            backlog.enqueue(event)
        }
        #expect(backlog.takeNext() == .events([began, other, later, one, ended]))
    }

    @Test func `progress events do not overflow a backlog`() {
        var backlog = EventBacklog(limit: 3)
        let (first, second) = (event(1), event(2))
        backlog.enqueue(first)
        backlog.enqueue(second)
        for seq: UInt64 in 3...99 { backlog.enqueue(event(seq, camera: "a", bytes: Int64(seq))) }
        #expect(backlog.takeNext() == .events([first, second, event(99, camera: "a", bytes: 99)]))
    }

    @Test func `numbers events in the order of publishing`() async throws {
        let hub = EventHub()
        let lease = try #require(hub.lease())
        hub.publish(.state(Word(.running)))
        hub.publish(.state(Word(.running)))
        guard case .events(let events) = await lease.reader.next() else { throw Wrong() }
        #expect(events.map(\.seq) == [1, 2])
        #expect(hub.lastSeq == 2)
    }

    @Test func `publishing an event wakes a waiting reader`() async throws {
        let hub = EventHub()
        let lease = try #require(hub.lease())
        async let taken = lease.reader.next()
        hub.publish(.state(Word(.running)))
        guard case .events(let events) = await taken else { throw Wrong() }
        #expect(events.map(\.body) == [.state(Word(.running))])
    }

    @Test func `finishing the hub ends waiting readers and readers that open later`() async throws {
        let hub = EventHub()
        let lease = try #require(hub.lease())
        async let taken = lease.reader.next()
        hub.finish()
        #expect(await taken == nil)
        let late = try #require(hub.lease())
        #expect(await late.reader.next() == nil)
        hub.publish(.state(Word(.running)))
        #expect(hub.lastSeq == 0)
    }

    @Test func `cancellation ends the wait of a reader`() async throws {
        let hub = EventHub()
        let lease = try #require(hub.lease())
        let task = Task { await lease.reader.next() }
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test func `limits open readers and reuses released leases`() {
        let hub = EventHub()
        var leases = (0..<EventHub.readersMax).compactMap { _ in hub.lease() }
        #expect(leases.count == EventHub.readersMax)
        #expect(hub.lease() == nil)
        leases.removeLast()
        #expect(hub.lease() != nil)
    }

    struct Wrong: Error {}
}
