import Foundation
import Testing

@testable import UploadEngine

@Suite struct CaptureYieldTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    /// Returns the allowance after each update. The time between two updates is 1.5 times
    /// `CaptureYield.stepSeconds`.
    private func allowances(_ shares: [Double?], isCapturing: Bool = true, workers: Int = 16) -> [Int] {
        var yield = CaptureYield()
        return shares.enumerated().map { index, share in
            let now = start.addingTimeInterval(Double(index) * CaptureYield.stepSeconds * 1.5)
            yield.update(isCapturing: isCapturing, waitedShare: share, workers: workers, at: now)
            return yield.allowance(of: workers, at: now)
        }
    }

    @Test
    func `halves uploads, then pauses them, while captures need the processor`() {
        #expect(allowances([0.5, 0.5, 0.5, 0.5, 0.5]) == [8, 4, 2, 1, 0])
    }

    @Test func `does not reduce uploads while the processor is free`() {
        #expect(allowances([0, 0.1, 0.2]) == [16, 16, 16])
    }

    @Test func `does not reduce uploads without captures or measurements`() {
        #expect(allowances([0.9, 0.9], isCapturing: false) == [16, 16])
        #expect(allowances([0.9, nil, 0.1]) == [8, 16, 16])
    }

    @Test func `adds one upload per update when the processor is free`() {
        #expect(allowances([0.5, 0.5, 0.1, 0.1], workers: 4) == [2, 1, 2, 3])
    }

    @Test func `runs one upload after the pause`() {
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
        // A clock that was set back by a day delays no upload.
        #expect(yield.allowance(of: 8, at: now - 86_400) == 1)
        yield.update(isCapturing: false, waitedShare: 1, workers: 8, at: now)
        #expect(yield.allowance(of: 8, at: now) == 8 && yield.nextUpdate(at: now) == nil)
    }

    @Test func `a capture counts as active for a second after its last progress`() {
        let traffic = CaptureTraffic()
        #expect(!traffic.isActive(at: start))
        traffic.recordProgress(at: start)
        #expect(traffic.isActive(at: start + 0.9) && !traffic.isActive(at: start + 1.1))
        #expect(!traffic.isActive(at: start - 60))
    }

    @Test func `parses run and wait times from schedstat`() throws {
        let before = try #require(ThreadRunTimes("1000 500 3\n"))
        let after = try #require(ThreadRunTimes("1300 600 9\n"))
        #expect(after.waitedShare(since: before) == 0.25)
        #expect(before.waitedShare(since: before) == nil && before.waitedShare(since: after) == nil)
        #expect(ThreadRunTimes("") == nil && ThreadRunTimes("1 x") == nil)
        #expect(ThreadRunTimes.ofCurrentThread() != nil)
    }
}
