import FrameFastModel
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of the times at which frames are sent and at which live view ends.
@Suite struct LiveViewTests {
    private static let rest = Instant.milliseconds(LiveViewLimits.restMs)
    private static let beforeRest = Instant.milliseconds(LiveViewLimits.restMs - 1)

    private func on() -> LiveView {
        var view = LiveView()
        view.enqueue(1, LiveFrameCommand(), at: .start)
        _ = view.next(at: .start)
        view.recordStart(at: .start)
        return view
    }

    @Test func `schedules nothing before a frame is requested`() {
        var view = LiveView()
        #expect(view.next(at: .start) == nil)
        #expect(view.due == nil)
        #expect(!view.isEndDue(at: .milliseconds(1_000_000_000)))
    }

    @Test func `performs each request once, oldest first`() {
        var view = LiveView()
        for id: UInt64 in [7, 8] { view.enqueue(id, LiveFrameCommand(), at: .start) }
        #expect(view.due == .start)
        #expect(view.next(at: .start)?.id == 7)
        #expect(view.next(at: .start)?.id == 8)
        #expect(view.next(at: .start) == nil)
    }

    @Test func `pauses frames for a photo until it arrives or times out`() {
        var view = on()
        view.pauseForPhoto(at: .milliseconds(1_000))
        view.enqueue(2, LiveFrameCommand(), at: .milliseconds(1_000))
        #expect(view.next(at: .milliseconds(1_000)) == nil)
        #expect(view.due == Instant.milliseconds(1_000) + LiveView.photoPause)
        var released = view
        released.endPause()
        let sooner = released.next(at: .milliseconds(1_000))?.id
        #expect(sooner == 2)
        let later = view.next(at: .milliseconds(1_000) + LiveView.photoPause)?.id
        #expect(later == 2)
    }

    @Test func `ends live view when idle but not while a request waits`() {
        var view = on()
        #expect(!view.isEndDue(at: Self.beforeRest))
        #expect(view.due == Self.rest)
        #expect(view.isEndDue(at: Self.rest))
        view.enqueue(2, LiveFrameCommand(), at: Self.beforeRest)
        #expect(!view.isEndDue(at: .milliseconds(3 * LiveViewLimits.restMs)))
        view.recordEnd()
        #expect(!view.isEndDue(at: .milliseconds(1_000_000_000)))
    }

    @Test func `retries a frame on a busy camera for three seconds`() {
        var view = on()
        view.enqueue(2, LiveFrameCommand(), at: .start)
        var now = Instant.start
        var tries = 0
        while let (id, command) = view.next(at: now) {
            #expect(id == 2)
            tries += 1
            guard view.retryBusy(id, command, at: now) else { break }
            #expect(view.next(at: now) == nil)
            now = now + LiveView.busyRetryInterval
        }
        #expect(tries == LiveView.busyTriesMax && now < .milliseconds(3_000))
    }

    @Test func `retries ending live view on a busy camera before sending frames`() {
        var view = on()
        view.requestEnd(at: .milliseconds(10))
        view.enqueue(2, LiveFrameCommand(), at: .milliseconds(10))
        #expect(view.isEndDue(at: .milliseconds(10)))
        var tries = 1
        var now = Instant.milliseconds(10)
        while view.recordEndFailure(at: now) {
            #expect(!view.isEndDue(at: now) && view.next(at: now) == nil)
            now = now + LiveView.endRetryInterval
            #expect(view.isEndDue(at: now))
            tries += 1
        }
        #expect(tries == LiveView.endTriesMax)
        view.recordEnd()
        #expect(view.next(at: now)?.id == 2)
    }

    @Test func `checks the temperature at intervals while live view is on`() {
        var off = LiveView()
        var view = on()
        let looks = [
            off.isHeatCheckDue(at: .milliseconds(1_000_000_000)),
            view.isHeatCheckDue(at: .milliseconds(9_999)),
            view.isHeatCheckDue(at: .start + LiveView.heatCheck),
            view.isHeatCheckDue(at: .start + LiveView.heatCheck),
        ]
        #expect(looks == [false, false, true, false])
    }

    /// A state of event polling, and the expected step of live view.
    struct Poll: Sendable {
        var mustPoll = true
        var isStoreFull = false
        var delay = Duration.zero
        var step: LiveView.Step
    }

    private static let polls = [
        Poll(step: .poll),
        Poll(delay: .milliseconds(1), step: .frame(id: 1, LiveFrameCommand())),
        Poll(mustPoll: false, step: .frame(id: 1, LiveFrameCommand())),
        Poll(isStoreFull: true, step: .frame(id: 1, LiveFrameCommand())),
    ]

    @Test(arguments: polls)
    func `sends frames between polls and while a full photo store prevents polls`(poll: Poll) {
        var view = LiveView()
        view.enqueue(1, LiveFrameCommand(), at: .start)
        let step = view.nextStep(
            at: .start, mustPoll: poll.mustPoll, isStoreFull: poll.isStoreFull, pollDelay: poll.delay)
        #expect(step == poll.step)
        // The frame request stays in the queue during a poll.
        let isQueued = view.next(at: .start) != nil
        #expect(isQueued == (poll.step == .poll))
    }

    @Test func `ends an idle live view before the next poll or frame`() {
        var view = on()
        let idle = view.nextStep(
            at: Self.beforeRest, mustPoll: true, isStoreFull: false, pollDelay: .zero)
        let end = view.nextStep(at: Self.rest, mustPoll: true, isStoreFull: false, pollDelay: .zero)
        #expect(idle == nil && end == .end)
    }
}
