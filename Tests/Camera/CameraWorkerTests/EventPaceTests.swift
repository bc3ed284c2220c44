import Testing

@testable import CameraWorker

/// Tests of the poll intervals. With a dozen polls a second, a 1D X Mark II does not react to its own dials,
/// as stempelc's canon-tether reports. The worker therefore polls rarely while the camera is idle.
@Suite struct EventPaceTests {
    @Test(
        arguments: [
            (0, 50), (4_900, 50), (5_000, 250), (59_700, 250), (60_000, 1_000), (3_600_000, 1_000),
        ] as [(Int, Int)])
    func `polls less often the longer the camera is idle`(quietMs: Int, distanceMs: Int) {
        var pace = EventPace(at: .milliseconds(1_000))
        let now = Instant.milliseconds(1_000 + quietMs)
        pace.recordPoll(at: now)
        #expect(pace.delay(at: now) == .milliseconds(distanceMs))
        #expect(pace.delay(at: now + .milliseconds(distanceMs - 1)) == .milliseconds(1))
        #expect(pace.delay(at: now + .milliseconds(distanceMs)) == .zero)
    }

    /// Returns the number of polls between two times, if each poll happens on time.
    private func polls(_ pace: inout EventPace, from: Int, to: Int) -> Int {
        var now = Instant.milliseconds(from)
        let end = Instant.milliseconds(to)
        var count = 0
        while now < end {
            let delay = pace.delay(at: now)
            now = now + delay
            guard now < end else { break }
            if delay == .zero { now = now + .milliseconds(1) }
            pace.recordPoll(at: now)
            count += 1
        }
        return count
    }

    @Test func `polls less and less often until a new shot`() {
        var pace = EventPace(at: .start)
        #expect((95...101).contains(polls(&pace, from: 0, to: 5_000)))
        #expect((215...221).contains(polls(&pace, from: 5_000, to: 60_000)))
        #expect((58...61).contains(polls(&pace, from: 60_000, to: 120_000)))
        pace.recordActivity(at: .milliseconds(120_000))
        #expect((95...101).contains(polls(&pace, from: 120_000, to: 125_000)))
    }

    @Test(arguments: [(false, 100), (true, 1_000)] as [(Bool, Int)])
    func `polls less often during a transfer while shots wait`(hasMore: Bool, distanceMs: Int) {
        var pace = EventPace(at: .start)
        pace.recordPoll(at: .milliseconds(10_000))
        #expect(!pace.isDueDuringTransfer(at: .milliseconds(10_000 + distanceMs - 1), hasMore: hasMore))
        #expect(pace.isDueDuringTransfer(at: .milliseconds(10_000 + distanceMs), hasMore: hasMore))
    }

    @Test(arguments: [(0, 50), (20, 30), (50, 0), (5_000, 0)] as [(Int, Int)])
    func `pauses after each poll even if the camera sends data`(sinceMs: Int, restMs: Int) {
        var pace = EventPace(at: .start)
        pace.recordPoll(at: .milliseconds(10_000))
        #expect(pace.pause(at: .milliseconds(10_000 + sinceMs)) == .milliseconds(restMs))
    }
}
