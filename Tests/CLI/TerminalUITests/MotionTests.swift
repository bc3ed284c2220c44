import Testing

@testable import TerminalUI

@Suite struct MotionTests {
    @Test(
        arguments: [
            ([:], false), (["FRAMEFAST_REDUCE_MOTION": ""], false), (["FRAMEFAST_REDUCE_MOTION": "0"], false),
            (["FRAMEFAST_REDUCE_MOTION": "1"], true), (["TERM": "dumb"], true), (["TERM": "xterm"], false),
        ] as [([String: String], Bool)])
    func `reduces motion if the environment requests it`(environment: [String: String], isReduced: Bool) {
        #expect(Motion.isReduced { environment[$0] } == isReduced)
    }

    @Test(arguments: [0, 99, 100, 1_234_567])
    func `shows one frame and redraws every second with reduced motion`(milliseconds: Int) {
        #expect(Motion.frame(milliseconds, isStill: true) == 0)
        #expect(Motion.frame(milliseconds, isStill: false) == milliseconds / Motion.frameMs)
        #expect(Motion.waitMs(isBusy: true, isStill: true) == 1000)
        #expect(Motion.waitMs(isBusy: false, isStill: false) == 1000)
        #expect(Motion.waitMs(isBusy: true, isStill: false) == Motion.frameMs)
    }

    @Test func `a spinner frame takes at most 200 ms`() { #expect(Motion.frameMs <= 200) }
}
