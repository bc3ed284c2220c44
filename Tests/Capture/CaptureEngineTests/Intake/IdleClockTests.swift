import FrameFastModel
import FrameFastSystem
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine

@Suite struct IdleClockTests {
    private static func idleClock(_ tick: Duration = .milliseconds(1)) -> IdleClock {
        IdleClock(IdleSchedule(unlistable: 0, facts: CameraFacts()), tick: tick, clock: .system)
    }

    /// Returns the first duties of a clock that sleeps between duties.
    private static func duties(_ count: Int, _ work: IdleClock.Work) async -> [IdleSchedule.Duty] {
        let clock = idleClock()
        var duties: [IdleSchedule.Duty] = []
        while duties.count < count, await clock.sleep({ work }) { duties.append(clock.schedule.nextDuty()) }
        return duties
    }

    @Test func `wakes for an idle camera only when a duty is due`() async {
        #expect(await Self.duties(4, .none) == [.reconcile, .refresh, .refresh, .refresh])
    }

    @Test func `retries parked photos in idle moments`() async {
        #expect(
            await Self.duties(6, .later)
                == [.reconcile, .refresh, .retryParked, .refresh, .retryParked, .refresh])
    }

    @Test func `runs every tick while the connection has work`() async {
        #expect(
            await Self.duties(6, .now) == [.nothing, .nothing, .reconcile, .nothing, .nothing, .nothing])
    }

    /// An actor with an idle clock, like a connection. Other work runs on the actor while the clock sleeps.
    private actor Sleeper {
        let clock = IdleClockTests.idleClock(.seconds(3_600))
        private(set) var dutyChecks = 0

        func sleep() async -> Bool {
            await clock.sleep {
                dutyChecks += 1
                return .none
            }
        }
        func receiveAnnouncement() {
            clock.recordAnnouncement()
            clock.endLongSleep()
        }
        func computerSlept() { clock.computerSlept() }
        var ticksToNextDuty: Int { clock.schedule.ticksToNextDuty(hasParked: false) }
    }

    private func waitForDutyChecks(_ count: Int, _ sleeper: Sleeper) async throws {
        try await eventually("duty check \(count)") {
            await sleeper.dutyChecks >= count ? () : nil
        }
    }

    @Test func `ends a long sleep and compares handles after the computer slept`() async throws {
        let sleeper = Sleeper()
        let sleep = Task { await sleeper.sleep() }
        try await waitForDutyChecks(1, sleeper)
        await sleeper.computerSlept()
        try await waitForDutyChecks(2, sleeper)
        #expect(await sleeper.ticksToNextDuty == IdleSchedule.burstOverTicks)
        sleep.cancel()
        #expect(await sleep.value == false)
    }

    @Test func `recomputes a long sleep after each event`() async throws {
        let sleeper = Sleeper()
        let sleep = Task { await sleeper.sleep() }
        for count in 1...3 {
            try await waitForDutyChecks(count, sleeper)
            await sleeper.receiveAnnouncement()
        }
        try await waitForDutyChecks(4, sleeper)
        sleep.cancel()
        #expect(await sleep.value == false)
        #expect(await sleeper.dutyChecks == 4)
    }

    @Test func `waits a multiple of the listing time before the next listing`() {
        let clock = IdleClock(
            IdleSchedule(unlistable: 0, facts: Self.photosOnly), tick: .milliseconds(500),
            clock: VirtualClock().hostClock)
        clock.recordListDuration(.seconds(50))
        clock.recordAnnouncement()
        let duties = (0..<1_000).map { _ in clock.schedule.nextDuty() }
        #expect(duties.count { $0 == .relist } == 1 && duties.last == .relist)
    }

    private static var photosOnly: CameraFacts {
        var facts = CameraFacts()
        facts.onlyFetchesPhotos = true
        return facts
    }
}
