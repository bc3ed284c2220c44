import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// The computer sleeps while uploads wait or run.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ComputerSleepTests {
    private static let hour = 3_600.0
    /// Shorter than the waits of these tests, in seconds, and long enough to be noticed.
    private static let nap = 10.0

    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    @Test(arguments: [nap, hour]) func `a sleep is no step of the clock`(seconds: Double) {
        let time = ManualClock()
        var detector = ClockStepDetector(time.clock)
        time.suspend(seconds)
        let step = detector.detectStep(on: time.clock)
        #expect(step == nil)
        #expect(time.clock.slept() == seconds)
    }

    @Test func `tries a destination that is away as soon as the computer wakes`() async throws {
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        try await rig.save(names)
        let place = ScriptedDestination(.away)
        let service = try await rig.service([rig.target(place, workers: 3)])
        try await rig.running(service) {
            // By then it waits for the longest time between two probes.
            try await rig.turn(by: 1) { place.calls.all.probes >= 8 }
            place.now(.works)
            rig.time.suspend(Self.nap)
            service.computerWoke()
            // The hands stand still: nothing waits any more.
            await rig.wait(for: names.count, in: .delivered)
        }
        #expect(place.uploaded.sorted() == names)
    }

    @Test func `starts an upload that stood still during a sleep again without blame`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.waitForProgress(of: 1)
            place.now(.works)
            rig.time.suspend(Self.hour)
            service.computerWoke()
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(rig.events.all.jobs.values.map(\.attempts) == [0])
        #expect(rig.events.all.conditions.isEmpty)
        #expect(place.calls.all.starts == 2)
    }

    /// A program that prints a photo would print it twice.
    @Test(arguments: [(true, hour), (true, 200), (false, 200)] as [(Bool, Double)])
    func `a sleep is no part of the time without progress`(isProgram: Bool, asleep: Double) async throws {
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
            // Reads the clock of each worker.
            _ = try await service.statistics()
            try await rig.turn(by: 5) { place.calls.all.contains(.cancelled("a.jpg")) }
        }
        #expect(rig.time.uptime >= awake + asleep + limit)
    }

    @Test func `keeps an upload running over a short sleep`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            rig.time.suspend(Self.nap)
            service.computerWoke()
            try await rig.turn(by: 1, times: 30)
            #expect(!place.calls.all.contains(.cancelled("a.jpg")))
        }
    }

    @Test func `an outage of an upload that began before the sleep is not the destination's`() async throws {
        let names = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
        try await rig.save(names)
        let place = ScriptedDestination(.away)
        let answers = names.map { place.delayAnswer(to: $0) }
        let service = try await rig.service([rig.target(place, workers: names.count)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == names.count }
            place.now(.works)
            rig.time.suspend(Self.nap)
            // Each of them met the outage before: together they would close the destination.
            for answer in answers { answer.ring() }
            await rig.wait(for: names.count, in: .delivered)
        }
        #expect(rig.events.all.jobs.values.allSatisfy { $0.attempts == 0 })
        #expect(rig.events.all.conditions.isEmpty)
        #expect(place.calls.all.probes == 0)
    }

    @Test func `shows a wrong password to a destination no earlier because of a sleep`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(
            .fails(UploadFailure(.permanent(.unauthorised), "The password is wrong.")))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.events.wait { $0.conditions["destination-away"]?.severity == .danger }
            let shown = place.calls.all.starts + place.calls.all.probes
            rig.time.suspend(Self.nap)
            service.computerWoke()
            try await rig.turn(by: 1, times: 30)
            #expect(place.calls.all.starts + place.calls.all.probes == shown)
        }
    }
}
