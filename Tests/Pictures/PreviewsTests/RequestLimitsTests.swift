import FrameFastModel
import Testing

@testable import Previews

@Suite struct RequestLimitsTests {
    static let most = RequestLimits.processorSecondsMax

    /// Each row has the processor time of the request at each check, in seconds. The worker has used 100 s
    /// before the request.
    @Test(
        arguments: [
            ([most], .processorTime), ([most / 2, most + 1], .processorTime), ([0], .stalled),
            ([1, 1], .stalled), ([1, 2, 2.000_5], .stalled), ([1, 2, 3], nil),
            ((1...RequestLimits.checksMax).map { Double($0) / 10 }, .elapsedTime),
        ] as [([Double], RequestLimits.ExceededLimit?)])
    func `distinguishes a long computation from a blocked worker`(
        used: [Double], exceeded: RequestLimits.ExceededLimit?
    ) {
        var limits = RequestLimits(used: 100)
        var found: [RequestLimits.ExceededLimit?] = []
        for seconds in used { found.append(limits.check(used: 100 + seconds)) }
        let before = [RequestLimits.ExceededLimit?](repeating: nil, count: used.count - 1)
        #expect(found == before + [exceeded])
    }

    @Test func `a late check of an ended request does not affect the next request`() {
        var request = RunningRequest()
        let first = request.start()
        let none = request.finish()
        #expect(none == nil)
        let betweenRequests = request.recordExceeded(.stalled, of: first)
        let second = request.start()
        let late = request.recordExceeded(.stalled, of: first)
        let ofSecond = request.finish()
        #expect(!betweenRequests && !late && ofSecond == nil && first != second)
    }

    @Test func `reports the first limit that a request exceeds`() {
        var request = RunningRequest()
        let number = request.start()
        let first = request.recordExceeded(.processorTime, of: number)
        let second = request.recordExceeded(.stalled, of: number)
        let exceeded = request.finish()
        #expect(first && !second && exceeded == .processorTime)
        _ = request.start()
        let next = request.finish()
        #expect(next == nil)
    }

    @Test func `failures lengthen a pause up to its limit, and success ends it`() {
        var pause = RetryPause(Backoff(first: .seconds(10), maximum: .seconds(35)))
        #expect(pause.remainingSeconds(at: 100) == 0)
        var lengths: [Double] = []
        for _ in 1...4 {
            pause.recordFailure(at: 100)
            lengths.append(pause.remainingSeconds(at: 100))
        }
        #expect(lengths == [10, 20, 35, 35])
        #expect(pause.remainingSeconds(at: 134) == 1 && pause.remainingSeconds(at: 136) == 0)
        pause.recordSuccess()
        #expect(pause.remainingSeconds(at: 100) == 0)
        pause.recordFailure(at: 200)
        #expect(pause.remainingSeconds(at: 200) == 10)
    }

    @Test func `forgets the pause that ends first if there are too many pauses`() {
        var pauses = RetryPauses<Int>(PicturePauses.photoBackoff)
        for key in 0...RetryPauses<Int>.keysMax { pauses.recordFailure(of: key, at: Double(key) / 1_000) }
        #expect(pauses.remainingSeconds(of: 0, at: 1) == 0)
        #expect(pauses.remainingSeconds(of: 1, at: 1) > 0)
        pauses.recordSuccess(of: 1)
        #expect(pauses.remainingSeconds(of: 1, at: 1) == 0)
    }
}
