import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

/// Tests of the pause of uploads after the computer has run out of file descriptors, processes or memory.
@Suite struct ShortagePauseTests {
    private static let began = Date(timeIntervalSince1970: 1_795_271_130)

    @Test(arguments: [(0, 0), (14, 0), (15, 1), (100, 1)] as [(Double, Int)])
    func `no upload runs during the pause, then one upload runs`(seconds: Double, uploads: Int) {
        var pause = ShortagePause()
        #expect(pause.allowance(of: 4, at: Self.began) == 4)
        pause.start(at: Self.began)
        let now = Self.began.addingTimeInterval(seconds)
        #expect(pause.allowance(of: 4, at: now) == uploads)
        #expect(pause.allowance(of: 0, at: now) == 0)
        #expect((pause.endDate(at: now) == nil) == (uploads == 1))
        pause.stop()
        #expect(pause.allowance(of: 4, at: now) == 4)
    }

    @Test(arguments: [3_600, -86_400] as [Double])
    func `a clock step does not change the shortage pause`(step: Double) {
        var pause = ShortagePause()
        pause.start(at: Self.began)
        pause.shiftTimes(by: step)
        let began = Self.began.addingTimeInterval(step)
        #expect(pause.allowance(of: 4, at: began.addingTimeInterval(UploadBackoff.sourceSeconds - 1)) == 0)
        #expect(pause.allowance(of: 4, at: began.addingTimeInterval(UploadBackoff.sourceSeconds)) == 1)
    }
}
