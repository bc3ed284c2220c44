import FrameFastModel
import TestRig
import Testing

@testable import CameraWorker

/// Tests of the ticks that an interval performs or misses, and of the numbers in requests for operations.
@Suite struct IntervalTicksTests {
    private static let msNs: UInt64 = 1_000_000
    private static func ticks(first: Int = 0, count: Int = 5) -> IntervalTicks {
        IntervalTicks(IntervalCommand(epochNs: 10_000 * msNs, periodMs: 200, first: first, count: count))
    }

    private static func removeDue(_ ticks: inout IntervalTicks, atMs time: UInt64) -> (
        missed: Range<Int>, tick: Int?
    ) {
        ticks.removeDue(nowNs: time * msNs)
    }

    @Test func `a late tick does not delay the next tick`() {
        var ticks = Self.ticks()
        #expect(ticks.dueNs == 10_000 * Self.msNs)
        #expect(Self.removeDue(&ticks, atMs: 9_999).tick == nil && ticks.next == 0)
        #expect(Self.removeDue(&ticks, atMs: 10_150).tick == 0)
        #expect(ticks.dueNs == 10_200 * Self.msNs)
    }

    @Test func `reports the time of the next photo while the interval runs`() {
        let ticks = Self.ticks()
        var operation = RunningOperation(
            command: .interval(ticks.command), step: .ticks(ticks), beganNs: 0, dueNs: 10_000 * Self.msNs)
        func progress() -> CameraOperationProgress {
            operation.progress(nowNs: 9_000 * Self.msNs, wallMs: 5_000_000)
        }
        #expect(progress().nextAtMs == 5_001_000 && progress().nextNs == 10_000 * Self.msNs)
        operation.end = (.stopped, nil)
        #expect(progress().nextAtMs == nil && progress().nextNs == nil)
    }

    @Test(
        arguments: [(0, 0), (40, 40), (2_000, 2_000), (2_001, 2_000), (1_800_000, 2_000)] as [(Int, Int)])
    func `reads the clock every two seconds in case the computer sleeps`(ms: Int, wait: Int) {
        #expect(BootClock.pollDelay(before: .milliseconds(ms)) == .milliseconds(wait))
    }

    @Test func `skips missed ticks and performs the last due tick late`() {
        var ticks = Self.ticks()
        let taken = Self.removeDue(&ticks, atMs: 10_650)
        #expect(taken.missed == 0..<3 && taken.tick == 3)
        #expect(Self.removeDue(&ticks, atMs: 10_800) == (4..<4, 4))
        #expect(ticks.dueNs == nil)
    }

    @Test func `lateness does not accumulate, and a restart reports missed ticks`() {
        var random = SeededRandom(seed: 9)
        var (taken, missed) = ([Int](), [Int]())
        var ticks = Self.ticks(count: 1_000)
        func run(from startMs: UInt64, until endMs: UInt64) {
            var now = startMs
            while now < endMs {
                let (gone, tick) = ticks.removeDue(nowNs: now * Self.msNs)
                missed += gone
                if let tick {
                    taken.append(tick)
                    // Each tick is at most 100 ms late, regardless of the lateness of earlier ticks.
                    #expect(now - (10_000 + UInt64(tick) * 200) <= 100)
                }
                guard let due = ticks.dueNs else { return }
                now = due / Self.msNs + UInt64.random(in: 0...100, using: &random)
            }
        }
        run(from: 10_000, until: 110_000)
        // The service is down for three ticks and continues with the next tick.
        let last = taken.last ?? 0
        ticks = Self.ticks(first: last + 1, count: 1_000)
        run(from: 10_000 + UInt64(last + 4) * 200 + 50, until: .max)
        #expect(missed == Array(last + 1...last + 3))
        #expect(taken.count == 997 && taken == Array(0...last) + Array(last + 4..<1_000))
    }

    @Test func `continues an interval after a reboot from a given tick at a given time`() {
        // Tick 0 was before the reboot, so `firstNs` replaces `epochNs`.
        var command = IntervalCommand(epochNs: 900_000 * Self.msNs, periodMs: 200, first: 40, count: 50)
        command.firstNs = 3_000 * Self.msNs
        var ticks = IntervalTicks(command)
        #expect(ticks.dueNs == 3_000 * Self.msNs)
        #expect(Self.removeDue(&ticks, atMs: 3_050).tick == 40 && ticks.dueNs == 3_200 * Self.msNs)
        #expect(Self.removeDue(&ticks, atMs: 3_650) == (41..<43, 43))
    }

    @Test func `performs no tick if all were missed`() {
        var ticks = Self.ticks(first: 2)
        let taken = Self.removeDue(&ticks, atMs: 99_000)
        #expect(taken.missed == 2..<5 && taken.tick == nil)
        #expect(ticks.dueNs == nil)
    }

    @Test(arguments: [
        CameraOperation.bulb(BulbCommand(durationMs: 0)), .bulb(BulbCommand(durationMs: .max)),
        .interval(IntervalCommand(epochNs: 0, periodMs: 0, count: 1)),
        .interval(IntervalCommand(epochNs: .max, periodMs: 100, count: 1)),
        .interval(IntervalCommand(epochNs: 0, periodMs: 100, first: -1, count: 1)),
        .bracket(BracketCommand(stops: [])), .bracket(BracketCommand(stops: [.nan])),
        .focusStack(FocusStackCommand(count: 0, step: FocusStep(isFar: true))),
        .movie(MovieCommand(durationMs: -1)),
    ])
    func `rejects a request with numbers out of range`(command: CameraOperation) {
        #expect(!command.isWithinBounds)
    }

    @Test(arguments: [
        (CameraSettingKey.shutter, "1/125", 1.0, "1/60"), (.shutter, "1/125", -2, "1/500"),
        (.shutter, "2", 1, "4"),
        (.exposureCompensation, "0", 1.0 / 3, "+0.3"), (.exposureCompensation, "+1", -2, "-1"),
    ])
    func `computes a brighter or darker exposure in stops`(
        key: CameraSettingKey, base: String, stops: Double, value: String
    ) throws {
        let setting = CameraSetting(
            key: key, name: "", value: CameraSettingValue(base, for: key), word: base, writable: .yes)
        let brighter = try #require(setting.brighter(by: stops))
        let wanted = try #require(CameraSettingValue(value, for: key))
        #expect(wanted.nearest(of: key, among: [brighter]) == brighter)
        let difference = try #require(brighter.stops(of: key)) - (try #require(wanted.stops(of: key)))
        #expect(abs(difference) < 0.1)
    }
}
