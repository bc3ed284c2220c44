import FrameFastModel
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine

@Suite struct QuietClockTests {
    private static func quiet(_ tick: Duration = .milliseconds(1)) -> QuietClock {
        QuietClock(QuietTime(unlistable: 0, facts: CameraFacts()), tick: tick)
    }

    /// The first duties that somebody comes to who sleeps in between.
    private static func duties(_ count: Int, _ work: QuietClock.Work) async -> [QuietTime.Duty] {
        let clock = quiet()
        var duties: [QuietTime.Duty] = []
        while duties.count < count, await clock.sleep({ work }) { duties.append(clock.time.nextDuty()) }
        return duties
    }

    @Test func `an idle camera is looked at when there is a duty, and only then`() async {
        #expect(await Self.duties(4, .none) == [.reconcile, .refresh, .refresh, .refresh])
    }

    @Test func `what waits for a quieter moment is tried again then`() async {
        #expect(
            await Self.duties(6, .later)
                == [.reconcile, .refresh, .retryParked, .refresh, .retryParked, .refresh])
    }

    @Test func `while something goes on every tick is looked at`() async {
        #expect(
            await Self.duties(6, .now) == [.nothing, .nothing, .reconcile, .nothing, .nothing, .nothing])
    }

    /// Sleeps on an actor, as a session does, while something else happens on it.
    private actor Sleeper {
        let clock = QuietClockTests.quiet(.seconds(3_600))
        private(set) var questions = 0

        func sleep() async -> Bool {
            await clock.sleep {
                questions += 1
                return .none
            }
        }
        func hear() {
            clock.recordAnnouncement()
            clock.endLongSleep()
        }
        func computerSlept() { clock.computerSlept() }
        var ticksToNextDuty: Int { clock.time.ticksToNextDuty(hasParked: false) }
    }

    private func asked(_ count: Int, _ sleeper: Sleeper) async throws {
        try await eventually("question \(count) of the clock") {
            await sleeper.questions >= count ? () : nil
        }
    }

    @Test func `a sleep of the computer ends a long sleep, and the camera is asked soon`() async throws {
        let sleeper = Sleeper()
        let sleep = Task { await sleeper.sleep() }
        try await asked(1, sleeper)
        await sleeper.computerSlept()
        try await asked(2, sleeper)
        #expect(await sleeper.ticksToNextDuty == QuietTime.burstOverTicks)
        sleep.cancel()
        #expect(await sleep.value == false)
    }

    @Test func `what happens meanwhile ends a long sleep, and it is decided anew`() async throws {
        let sleeper = Sleeper()
        let sleep = Task { await sleeper.sleep() }
        for count in 1...3 {
            try await asked(count, sleeper)
            await sleeper.hear()
        }
        try await asked(4, sleeper)
        sleep.cancel()
        #expect(await sleep.value == false)
        #expect(await sleeper.questions == 4)
    }

    @Test func `waits for a multiple of the list's time before the card is listed again`() {
        let clock = QuietClock(
            QuietTime(unlistable: 0, facts: Self.photosOnly), tick: .milliseconds(500))
        clock.recordListDuration(.seconds(50))
        clock.recordAnnouncement()
        let duties = (0..<1_000).map { _ in clock.time.nextDuty() }
        #expect(duties.count { $0 == .relist } == 1 && duties.last == .relist)
    }

    private static var photosOnly: CameraFacts {
        var facts = CameraFacts()
        facts.isPhotosOnly = true
        return facts
    }
}
