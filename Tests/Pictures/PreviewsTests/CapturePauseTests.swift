import FrameFastModel
import Testing

@testable import Previews

@Suite struct CapturePauseTests {
    @Test(arguments: [(1, true), (2, true), (3, false), (16, false)])
    func `pictures wait for transfers only with at most two cores`(cores: Int, waits: Bool) {
        var pause = CapturePause(cores: cores)
        #expect(pause.remainingSeconds(at: 10) == nil)
        let hasEnded = pause.update("a", isTransferring: true, at: 10)
        #expect(!hasEnded)
        #expect((pause.remainingSeconds(at: 10) != nil) == waits)
    }

    @Test func `the pause ends with the last transfer of all cameras`() {
        var pause = CapturePause(cores: 2)
        let results = [
            pause.update("a", isTransferring: true, at: 0), pause.update("b", isTransferring: true, at: 1),
            pause.update("a", isTransferring: false, at: 2),
        ]
        #expect(results == [false, false, false])
        #expect(pause.remainingSeconds(at: 2) == CapturePause.secondsMax - 2)
        let hasEnded = pause.update("b", isTransferring: false, at: 2.5)
        #expect(hasEnded && pause.remainingSeconds(at: 2.5) == nil)
        let again = pause.update("b", isTransferring: false, at: 2.5)
        #expect(!again)
    }

    @Test func `background work waits for the end of all transfers and a pause`() {
        var pause = CapturePause(cores: 2)
        #expect(pause.backgroundSeconds(at: 0) == nil)
        _ = pause.update("a", isTransferring: true, at: 0)
        _ = pause.update("a", isTransferring: true, at: 99)
        #expect(pause.backgroundSeconds(at: 100) == CapturePause.silenceSeconds - 1)
        _ = pause.update("a", isTransferring: false, at: 100)
        #expect(pause.backgroundSeconds(at: 101) == CapturePause.settleSeconds - 1)
        // Camera b, which transferred nothing, does not extend the pause.
        _ = pause.update("b", isTransferring: false, at: 101)
        #expect(pause.backgroundSeconds(at: 100 + CapturePause.settleSeconds) == nil)
        var fast = CapturePause(cores: 4)
        _ = fast.update("a", isTransferring: true, at: 0)
        #expect(fast.backgroundSeconds(at: 0) == nil)
    }

    @Test func `a transfer without reports does not delay pictures`() {
        var pause = CapturePause(cores: 2)
        // The camera is removed during its transfer. The end of the transfer is never reported.
        _ = pause.update("a", isTransferring: true, at: 0)
        pause.recordPicture(at: CapturePause.silenceSeconds)
        #expect(pause.remainingSeconds(at: CapturePause.silenceSeconds) == nil)
        #expect(pause.backgroundSeconds(at: CapturePause.silenceSeconds) == nil)
        _ = pause.update("b", isTransferring: true, at: 20)
        #expect(pause.backgroundSeconds(at: 20) == CapturePause.silenceSeconds)
    }

    @Test func `allows a picture after each maximum pause during a long transfer`() {
        var pause = CapturePause(cores: 2)
        _ = pause.update("a", isTransferring: true, at: 0)
        // Progress of the same transfer does not extend the pause.
        _ = pause.update("a", isTransferring: true, at: 1)
        #expect(pause.remainingSeconds(at: CapturePause.secondsMax) == nil)
        pause.recordPicture(at: 4)
        #expect(pause.remainingSeconds(at: 4) == CapturePause.secondsMax)
        _ = pause.update("a", isTransferring: false, at: 5)
        pause.recordPicture(at: 6)
        #expect(pause.remainingSeconds(at: 6) == nil)
    }
}
