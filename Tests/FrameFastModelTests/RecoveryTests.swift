import FrameFastModel
import Testing

@Suite struct RecoveryTests {
    @Test
    func
        `a failed session is opened again once, then by fresh workers that come ever later, some after a reset`()
    {
        var ladder = RecoveryLadder()
        let steps = (0..<8).map { _ in ladder.failed(workerIsAlive: true) }
        #expect(
            steps == [
                .reopen, .freshWorker(afterMs: 250), .freshWorker(afterMs: 500), .resetPort(afterMs: 1_000),
                .freshWorker(afterMs: 2_000), .freshWorker(afterMs: 4_000), .freshWorker(afterMs: 4_000),
                .resetPort(afterMs: 4_000),
            ])
    }

    @Test func `a dead worker is never used again, and success starts the ladder anew`() {
        var ladder = RecoveryLadder()
        let afterDeath = ladder.failed(workerIsAlive: false)
        #expect(afterDeath == .freshWorker(afterMs: 250))
        ladder.connected()
        #expect(ladder.failures == 0)
        let afterSuccess = ladder.failed(workerIsAlive: true)
        #expect(afterSuccess == .reopen)
    }

    @Test func `a camera that is away for a year is still tried every four seconds`() {
        var ladder = RecoveryLadder()
        for _ in 0..<1_000 { _ = ladder.failed(workerIsAlive: true) }
        let next = ladder.failed(workerIsAlive: true)
        #expect(next == .freshWorker(afterMs: RecoveryLadder.pauseMaxMs))
    }

    @Test(arguments: [
        (nil as String?, 60_000, 60_000, false), ("fetch", 9_000, 9_000, false),
        ("fetch", 10_001, 10_001, true),
        // Long, but bytes are flowing.
        ("fetch", 600_000, 200, false), ("fetch", 600_000, 10_001, true),
        // No packet at all so far.
        ("list", 10_001, 0, true), ("list", 9_000, 0, false),
        // Silence from before this call is not this call's.
        ("trigger", 100, 50_000, false),
        // The camera asks its owner whether this computer may connect.
        ("open", 39_000, 39_000, false), ("open", 40_001, 40_001, true),
    ])
    func `a worker hangs when a call has been silent for too long`(
        call: String?, runningMs: Int, silentMs: Int, hangs: Bool
    ) {
        #expect(CallWatch.isHung(call: call, runningMs: runningMs, silentMs: silentMs) == hangs)
    }
}
