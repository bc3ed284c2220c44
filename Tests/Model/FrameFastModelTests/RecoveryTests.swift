import FrameFastModel
import Testing

@Suite struct RecoveryTests {
    @Test func `reopens a failed connection once, then uses new workers and port resets`() {
        var ladder = RecoveryLadder()
        let steps = (0..<8).map { _ in ladder.nextAction(workerIsAlive: true) }
        #expect(
            steps == [
                .reopen, .freshWorker(after: .milliseconds(250)), .freshWorker(after: .milliseconds(500)),
                .resetPort(after: .seconds(1)), .freshWorker(after: .seconds(2)),
                .freshWorker(after: .seconds(4)), .freshWorker(after: .seconds(4)),
                .resetPort(after: .seconds(4)),
            ])
    }

    @Test func `pauses are short while the shutter is open`() {
        var ladder = RecoveryLadder()
        ladder.mayHaveOpenShutter = true
        let steps = (0..<5).map { _ in ladder.nextAction(workerIsAlive: false) }
        #expect(
            steps == [
                .freshWorker(after: .zero), .freshWorker(after: .milliseconds(250)),
                .freshWorker(after: .milliseconds(250)), .resetPort(after: .milliseconds(250)),
                .freshWorker(after: .milliseconds(250)),
            ])
        for _ in steps.count..<RecoveryLadder.shortPausesMax { _ = ladder.nextAction(workerIsAlive: false) }
        let next = ladder.nextAction(workerIsAlive: false)
        #expect(next == .freshWorker(after: .seconds(4)))
    }

    @Test func `a living worker reopens the camera first, even with an open shutter`() {
        var ladder = RecoveryLadder()
        ladder.mayHaveOpenShutter = true
        let steps = (0..<2).map { _ in ladder.nextAction(workerIsAlive: true) }
        #expect(steps == [.reopen, .freshWorker(after: .milliseconds(250))])
    }

    @Test func `resets the port after the second timeout at opening`() {
        var ladder = RecoveryLadder()
        let steps = [true, false, true, false, true, true].map {
            ladder.nextAction(workerIsAlive: true, openTimedOut: $0)
        }
        #expect(
            steps == [
                .reopen, .freshWorker(after: .milliseconds(250)), .resetPort(after: .milliseconds(500)),
                .resetPort(after: .seconds(1)), .freshWorker(after: .seconds(2)),
                .freshWorker(after: .seconds(4)),
            ])
        ladder.reset()
        let first = ladder.nextAction(workerIsAlive: true, openTimedOut: true)
        let second = ladder.nextAction(workerIsAlive: true, openTimedOut: true)
        #expect(first == .reopen && second == .resetPort(after: .milliseconds(250)))
    }

    @Test func `a dead worker is never reused and success resets the ladder`() {
        var ladder = RecoveryLadder()
        let afterDeath = ladder.nextAction(workerIsAlive: false)
        #expect(afterDeath == .freshWorker(after: .milliseconds(250)))
        ladder.reset()
        #expect(ladder.failures == 0)
        let afterSuccess = ladder.nextAction(workerIsAlive: true)
        #expect(afterSuccess == .reopen)
    }

    @Test func `a camera is retried every four seconds without limit`() {
        var ladder = RecoveryLadder()
        for _ in 0..<1_000 { _ = ladder.nextAction(workerIsAlive: true) }
        let next = ladder.nextAction(workerIsAlive: true)
        #expect(next == .freshWorker(after: .seconds(4)))
    }

    @Test(arguments: [
        (nil as String?, 60_000, nil as Int?, false), (nil, 60_000, 60_000, false),
        ("read file", 8_000, 8_000, false), ("read file", 8_001, 8_001, true),
        // Long calls with packets: ten minutes for a movie, and a listing of 10,000 objects on a slow
        // computer.
        ("read file", 600_000, 200, false), ("read file", 600_000, 8_001, true),
        ("list files", 75_000, 5, false),
        // A packet was received less than a millisecond ago.
        ("list files", 75_000, 0, false), ("read file", 600_000, 0, false),
        // No packet has arrived since the start of the call.
        ("list files", 8_001, nil, true), ("list files", 8_000, nil, false),
        ("trigger", 100, nil, false),
        // The camera waits for a person to accept this computer.
        ("open", 39_000, 39_000, false), ("open", 40_000, nil, false), ("open", 40_001, nil, true),
        ("open", 90_000, 1_000, false),
    ])
    func `a worker hangs if a call has no packets for too long`(
        call: String?, runningMs: Int, silentMs: Int?, hangs: Bool
    ) {
        #expect(HangDetection.isHung(call: call, runningMs: runningMs, silentMs: silentMs) == hangs)
    }

    @Test(arguments: [
        (6_000, true, false), (6_001, true, true),
        // Before its first message, a worker may be loading its libraries on a slow computer.
        (6_001, false, false), (40_000, false, false), (40_001, false, true),
    ])
    func `a worker has more time before its first message`(
        sinceMessageMs: Int, hasSentMessage: Bool, isUnresponsive: Bool
    ) {
        #expect(
            HangDetection.isUnresponsive(sinceMessageMs, hasSentMessage: hasSentMessage) == isUnresponsive)
    }

    @Test(arguments: [
        // Between calls, and before the first packet.
        (nil as UInt64?, 5_000 as UInt64?, nil as Int?), (nil, nil, nil), (7_000, nil, nil),
        // The last packet belongs to an earlier call.
        (7_000, 6_999, nil), (7_000, 1_000, nil),
        // The last packet belongs to this call. The packet arrived at the start of the call, later, now, or
        // after the clock was read.
        (7_000, 7_000, 3_000), (7_000, 9_500, 500), (7_000, 10_000, 0), (7_000, 10_001, 0),
    ])
    func `measures the time since the last packet of the running call`(
        beganMs: UInt64?, packetMs: UInt64?, silentMs: Int?
    ) {
        #expect(
            HangDetection.silentMs(
                callBegan: beganMs.map { $0 * 1_000_000 }, lastPacket: packetMs.map { $0 * 1_000_000 },
                now: 10_000 * 1_000_000) == silentMs)
    }

    @Test(arguments: [
        // A call without progress, and calls with progress.
        (8_001, nil as Int?, false), (292_001, nil, false), (300_000, nil, false), (300_001, nil, true),
        (900_000, 0, false), (900_000, 8_001, false), (900_000, 300_001, true),
    ])
    func `a call without visible packets may run for minutes`(
        runningMs: Int, sinceDataMs: Int?, hangs: Bool
    ) {
        let silentMs = HangDetection.silentMsWithoutPackets(runningMs: runningMs, sinceDataMs: sinceDataMs)
        #expect(HangDetection.isHung(call: "list files", runningMs: runningMs, silentMs: silentMs) == hangs)
    }
}
