import Foundation
import Testing

@testable import UploadEngine

@Suite struct CaptureYieldTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    /// What stands after looks a step and a half apart, each with a share that the thread waited.
    private func allowances(_ shares: [Double?], isCapturing: Bool = true, workers: Int = 16) -> [Int] {
        var yield = CaptureYield()
        return shares.enumerated().map { index, share in
            let now = start.addingTimeInterval(Double(index) * CaptureYield.stepSeconds * 1.5)
            yield.update(isCapturing: isCapturing, waitedShare: share, workers: workers, at: now)
            return yield.allowance(of: workers, at: now)
        }
    }

    @Test
    func `while photos come in and the processor is short, uploads become fewer, down to none for a rest`() {
        #expect(allowances([0.5, 0.5, 0.5, 0.5, 0.5]) == [8, 4, 2, 1, 0])
    }

    @Test func `a processor that is not short holds nothing back, however many photos come in`() {
        #expect(allowances([0, 0.1, 0.2]) == [16, 16, 16])
    }

    @Test func `without photos, or where nobody knows what the thread waited for, nothing is held back`() {
        #expect(allowances([0.9, 0.9], isCapturing: false) == [16, 16])
        #expect(allowances([0.9, nil, 0.1]) == [8, 16, 16])
    }

    @Test func `when the processor is free again, one more runs at each look`() {
        #expect(allowances([0.5, 0.5, 0.1, 0.1], workers: 4) == [2, 1, 2, 3])
    }

    @Test func `after the rest one upload runs, and shows whether there is room`() {
        var yield = CaptureYield()
        var now = start
        for _ in 0..<4 {
            yield.update(isCapturing: true, waitedShare: 1, workers: 8, at: now)
            now += CaptureYield.stepSeconds * 1.5
        }
        #expect(yield.allowance(of: 8, at: now) == 0)
        now += CaptureYield.restSeconds
        #expect(yield.allowance(of: 8, at: now) == 1)
        yield.update(isCapturing: true, waitedShare: 1, workers: 8, at: now)
        #expect(yield.allowance(of: 8, at: now) == 0)
        // Set back by a day, the clock holds nothing.
        #expect(yield.allowance(of: 8, at: now - 86_400) == 1)
        yield.update(isCapturing: false, waitedShare: 1, workers: 8, at: now)
        #expect(yield.allowance(of: 8, at: now) == 8 && yield.nextUpdate(at: now) == nil)
    }

    @Test func `photos are expected for a second after one was heard of`() {
        let traffic = CaptureTraffic()
        #expect(!traffic.isActive(at: start))
        traffic.recordProgress(at: start)
        #expect(traffic.isActive(at: start + 0.9) && !traffic.isActive(at: start + 1.1))
        #expect(!traffic.isActive(at: start - 60))
    }

    @Test func `what a thread waited is read as the kernel writes it`() throws {
        let before = try #require(ThreadRunTimes("1000 500 3\n"))
        let after = try #require(ThreadRunTimes("1300 600 9\n"))
        #expect(after.waitedShare(since: before) == 0.25)
        #expect(before.waitedShare(since: before) == nil && before.waitedShare(since: after) == nil)
        #expect(ThreadRunTimes("") == nil && ThreadRunTimes("1 x") == nil)
        #expect(ThreadRunTimes.ofCurrentThread() != nil)
    }
}
