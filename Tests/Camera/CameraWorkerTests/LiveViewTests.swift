import FrameFastModel
import Testing
import WorkerProtocol

@testable import CameraWorker

/// The times at which frames are requested and at which live view ends.
@Suite struct LiveViewTests {
    private static let rest = UInt64(LiveViewLimits.restMs)

    private func on() -> LiveView {
        var view = LiveView()
        view.enqueue(1, LiveFrameOrder(), nowMs: 0)
        _ = view.next(nowMs: 0)
        view.recordStart(nowMs: 0)
        return view
    }

    @Test func `schedules nothing before a frame is requested`() {
        var view = LiveView()
        #expect(view.next(nowMs: 0) == nil)
        #expect(view.delay(nowMs: 0) == nil)
        #expect(!view.isEndDue(nowMs: .max))
    }

    @Test func `performs each request once, oldest first`() {
        var view = LiveView()
        for id: UInt64 in [7, 8] { view.enqueue(id, LiveFrameOrder(), nowMs: 0) }
        #expect(view.delay(nowMs: 0) == 0)
        #expect(view.next(nowMs: 0)?.id == 7)
        #expect(view.next(nowMs: 0)?.id == 8)
        #expect(view.next(nowMs: 0) == nil)
    }

    @Test func `pauses frames for a photo until it arrives or times out`() {
        var view = on()
        view.pauseForPhoto(nowMs: 1_000)
        view.enqueue(2, LiveFrameOrder(), nowMs: 1_000)
        #expect(view.next(nowMs: 1_000) == nil)
        #expect(view.delay(nowMs: 1_000) == LiveView.photoPauseMs)
        var released = view
        released.endPause()
        let sooner = released.next(nowMs: 1_000)?.id
        #expect(sooner == 2)
        let later = view.next(nowMs: 1_000 + LiveView.photoPauseMs)?.id
        #expect(later == 2)
    }

    @Test func `ends live view when idle but not while a request waits`() {
        var view = on()
        #expect(!view.isEndDue(nowMs: Self.rest - 1))
        #expect(view.delay(nowMs: 1_000) == Self.rest - 1_000)
        #expect(view.isEndDue(nowMs: Self.rest))
        view.enqueue(2, LiveFrameOrder(), nowMs: Self.rest - 1)
        #expect(!view.isEndDue(nowMs: 3 * Self.rest))
        view.recordEnd()
        #expect(!view.isEndDue(nowMs: .max))
    }

    @Test func `retries a frame on a busy camera for three seconds`() {
        var view = on()
        view.enqueue(2, LiveFrameOrder(), nowMs: 0)
        var (now, tries): (UInt64, Int) = (0, 0)
        while let (id, order) = view.next(nowMs: now) {
            #expect(id == 2)
            tries += 1
            guard view.retryBusy(id, order, nowMs: now) else { break }
            #expect(view.next(nowMs: now) == nil)
            now += LiveView.busyPauseMs
        }
        #expect(tries == LiveView.busyTriesMax && now < 3_000)
    }

    @Test func `retries ending live view on a busy camera without new frames`() {
        var view = on()
        view.requestEnd(nowMs: 10)
        view.enqueue(2, LiveFrameOrder(), nowMs: 10)
        #expect(view.isEndDue(nowMs: 10))
        var tries = 1
        var now: UInt64 = 10
        while view.recordEndFailure(nowMs: now) {
            #expect(!view.isEndDue(nowMs: now) && view.next(nowMs: now) == nil)
            now += LiveView.endPauseMs
            #expect(view.isEndDue(nowMs: now))
            tries += 1
        }
        #expect(tries == LiveView.endTriesMax)
        view.recordEnd()
        #expect(view.next(nowMs: now)?.id == 2)
    }

    @Test func `checks the temperature at intervals while live view is on`() {
        var off = LiveView()
        var view = on()
        let looks = [
            off.isHeatCheckDue(nowMs: .max), view.isHeatCheckDue(nowMs: LiveView.heatCheckMs - 1),
            view.isHeatCheckDue(nowMs: LiveView.heatCheckMs),
            view.isHeatCheckDue(nowMs: LiveView.heatCheckMs),
        ]
        #expect(looks == [false, false, true, false])
    }
}
