import Testing

@testable import CameraWorker

/// Poll intervals. A camera that is polled a dozen times a second no longer reacts to its own dials
/// (stempelc's canon-tether on a 1D X Mark II). The worker therefore polls rarely while the camera is idle.
@Suite struct EventPaceTests {
    @Test(
        arguments: [
            (0, 50), (4_900, 50), (5_000, 250), (59_700, 250), (60_000, 1_000), (3_600_000, 1_000),
        ] as [(UInt64, UInt64)])
    func `polls less often the longer the camera is idle`(quietMs: UInt64, distanceMs: UInt64) {
        var pace = EventPace(nowMs: 1_000)
        let now = 1_000 + quietMs
        pace.recordPoll(nowMs: now)
        #expect(pace.delay(nowMs: now) == distanceMs)
        #expect(pace.delay(nowMs: now + distanceMs - 1) == 1)
        #expect(pace.delay(nowMs: now + distanceMs) == 0)
    }

    /// Returns the number of polls between two times if each poll happens when it is due.
    private func polls(_ pace: inout EventPace, from: UInt64, to: UInt64) -> Int {
        var now = from
        var count = 0
        while now < to {
            let delay = pace.delay(nowMs: now)
            now += delay
            guard now < to else { break }
            if delay == 0 { now += 1 }
            pace.recordPoll(nowMs: now)
            count += 1
        }
        return count
    }

    @Test func `polls less and less often until a new shot`() {
        var pace = EventPace(nowMs: 0)
        #expect((95...101).contains(polls(&pace, from: 0, to: 5_000)))
        #expect((215...221).contains(polls(&pace, from: 5_000, to: 60_000)))
        #expect((58...61).contains(polls(&pace, from: 60_000, to: 120_000)))
        pace.recordActivity(nowMs: 120_000)
        #expect((95...101).contains(polls(&pace, from: 120_000, to: 125_000)))
    }

    @Test(arguments: [(false, 100), (true, 1_000)] as [(Bool, UInt64)])
    func `polls less often during a transfer while shots wait`(hasMore: Bool, distanceMs: UInt64) {
        var pace = EventPace(nowMs: 0)
        pace.recordPoll(nowMs: 10_000)
        #expect(!pace.isDueDuringTransfer(nowMs: 10_000 + distanceMs - 1, hasMore: hasMore))
        #expect(pace.isDueDuringTransfer(nowMs: 10_000 + distanceMs, hasMore: hasMore))
    }

    @Test(arguments: [(0, 50), (20, 30), (50, 0), (5_000, 0)] as [(UInt64, UInt64)])
    func `pauses after each poll even if the camera sends data`(sinceMs: UInt64, restMs: UInt64) {
        var pace = EventPace(nowMs: 0)
        pace.recordPoll(nowMs: 10_000)
        #expect(pace.pause(nowMs: 10_000 + sinceMs) == restMs)
    }
}
