import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

/// Tests of waiting and running uploads during the computer's sleep.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ComputerSleepTests {
    private static let hour = 3_600.0
    /// A sleep that is shorter than the waits of these tests but long enough to be detected, in seconds.
    private static let shortSleep = 10.0

    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    @Test(arguments: [shortSleep, hour]) func `computer sleep is not a clock step`(seconds: Double) {
        let time = ManualClock()
        var detector = ClockStepDetector(time.clock)
        time.suspend(seconds)
        let step = detector.detectStep(on: time.clock)
        #expect(step == nil)
        #expect(time.clock.slept() == seconds)
    }

    /// The computer may sleep between two readings of its clocks.
    @Test func `the runner's date includes a sleep only after the sleep was measured`() async throws {
        let isDue = Mutex(false)
        var clock = rig.time.clock
        clock.slept = { [time = rig.time, slept = clock.slept] in
            let seconds = slept()
            let isSleeping = isDue.withLock { isDue in
                defer { isDue = false }
                return isDue
            }
            if isSleeping { time.suspend(Self.hour) }
            return seconds
        }
        let service = try await rig.service([rig.target(ScriptedDestination())], clock: clock)
        let runner = try #require(service.runners.first)
        let before = rig.time.now
        isDue.withLock { $0 = true }
        let dates = (await runner.currentDate(), await runner.currentDate())
        #expect(dates == (before, before + Self.hour))
    }

    @Test func `retries an unreachable destination when the computer wakes`() async throws {
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        try await rig.save(names)
        let place = ScriptedDestination(.away)
        let service = try await rig.service([rig.target(place, workers: 3)])
        try await rig.running(service) {
            // The wait between two probes is now at its maximum.
            try await rig.advanceClock(by: 1) { place.calls.all.probes >= 8 }
            place.setBehavior(.works)
            rig.time.suspend(Self.shortSleep)
            service.computerWoke()
            // The clock does not advance, so no wait ends by time.
            await rig.wait(for: names.count, in: .delivered)
        }
        #expect(place.uploaded.sorted() == names)
    }

    @Test func `restarts a stalled upload after sleep without counting an attempt`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let target = rig.target(place, stallSeconds: UploadTarget.stallSecondsMin)
        let service = try await rig.service([target])
        try await rig.running(service) {
            await rig.waitForProgress(of: 1)
            place.setBehavior(.works)
            rig.time.suspend(Self.hour)
            service.computerWoke()
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(rig.events.all.jobs.values.map(\.attempts) == [0])
        #expect(rig.events.all.conditions.isEmpty)
        #expect(place.calls.all.starts == 2)
    }

    /// - Parameter isProgram: Whether the destination runs a program, for example to print photos. If the
    ///   upload restarted, the program would print the photo twice.
    @Test(arguments: [(true, hour), (true, 200), (false, 200)] as [(Bool, Double)])
    func `computer sleep does not count as time without progress`(isProgram: Bool, asleep: Double)
        async throws
    {
        let (awake, limit) = (60.0, 330.0)
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        var target = rig.target(place)
        target.stallSeconds = limit
        target.continuesAfterSleep = isProgram
        let service = try await rig.service([target])
        try await rig.running(service) {
            await rig.waitForProgress(of: 1)
            rig.time.advance(awake)
            rig.time.suspend(asleep)
            // Makes each runner read the clock.
            _ = try await service.statistics()
            try await rig.advanceClock(by: 5) { place.calls.all.contains(.cancelled("a.jpg")) }
        }
        #expect(rig.time.uptime >= awake + asleep + limit)
    }

    @Test func `keeps an upload running over a short sleep`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            rig.time.suspend(Self.shortSleep)
            service.computerWoke()
            try await rig.advanceClock(by: 1, times: 30)
            #expect(!place.calls.all.contains(.cancelled("a.jpg")))
        }
    }

    @Test func `ignores outages of uploads that started before the sleep`() async throws {
        let names = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
        try await rig.save(names)
        let place = ScriptedDestination(.away)
        let responses = names.map { place.delayResponse(to: $0) }
        let service = try await rig.service([rig.target(place, workers: names.count)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == names.count }
            place.setBehavior(.works)
            rig.time.suspend(Self.shortSleep)
            // These uploads started before the sleep. Otherwise, their outages would open the breaker.
            for response in responses { response.signal() }
            await rig.wait(for: names.count, in: .delivered)
        }
        #expect(rig.events.all.jobs.values.allSatisfy { $0.attempts == 0 })
        #expect(rig.events.all.conditions.isEmpty)
        #expect(place.calls.all.probes == 0)
    }

    @Test func `computer sleep does not shorten the wait after a wrong password`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(
            .fails(UploadFailure(.permanent(.unauthorised), "The password is wrong.")))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.events.wait { $0.conditions["destination-away"]?.severity == .danger }
            let shown = place.calls.all.starts + place.calls.all.probes
            rig.time.suspend(Self.shortSleep)
            service.computerWoke()
            try await rig.advanceClock(by: 1, times: 30)
            #expect(place.calls.all.starts + place.calls.all.probes == shown)
        }
    }
}
