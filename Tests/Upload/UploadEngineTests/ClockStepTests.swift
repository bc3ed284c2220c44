import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of waiting and running uploads while NTP or a person sets the clock.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ClockStepTests {
    private static let hour = 3_600.0
    /// A time limit that is longer than every wait in these tests and shorter than the clock step of an hour,
    /// in seconds.
    private static let waitMax = 3_000.0
    /// The time by which one step of the test advances the clock, in seconds. The time is short, because on a
    /// busy computer the test takes many steps before an upload ends.
    private static let tick = 0.1

    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    @Test(
        arguments: [(0, 0, nil), (7, 7, nil), (7, 3, nil), (7, 3_607, 3_600), (7, -93, -100)]
            as [(Double, Double, Double?)])
    func `a clock step is the date change minus the uptime change`(
        passed: Double, moved: Double, step: Double?
    ) {
        let time = ManualClock()
        var detector = ClockStepDetector(time.clock)
        time.advance(passed)
        time.set(forwardBy: moved - passed)
        let (first, second) = (detector.detectStep(on: time.clock), detector.detectStep(on: time.clock))
        #expect(first == step && second == nil)
    }

    @Test func `a clock step does not change the length of waits`() throws {
        let now = LeftoverQueueTests.now
        let set = now.addingTimeInterval(-Self.hour)
        var breaker = Breaker()
        _ = breaker.recordRefusal(at: now, jitter: 0)
        breaker.shiftTimes(by: -Self.hour)
        #expect(breaker.nextProbe == set.addingTimeInterval(120))
        var poll = MissingFilePoll(at: now)
        poll.shiftTimes(by: -Self.hour)
        #expect(poll.due == set)
        var queue = try LeftoverQueueTests.queue([1])
        _ = queue.beginRound(at: now)
        queue.endRound(at: now)
        queue.shiftTimes(by: -Self.hour)
        #expect(queue.nextTry(at: set) == set.addingTimeInterval(30))
    }

    /// - Parameter isAway: Whether the destination is unreachable. If `false`, only the transfer of the photo
    ///   fails.
    @Test(arguments: [false, true], [-Self.hour, Self.hour])
    func `a clock step does not delay uploads by hours`(isAway: Bool, step: Double) async throws {
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        try await rig.save(names)
        let place = ScriptedDestination(isAway ? .away : .works)
        if !isAway { for name in names { place.fail(name, UploadFailure(.transient, "Cut.")) } }
        let service = try await rig.service([rig.target(place, workers: 3)])
        try await rig.running(service) {
            await place.calls.wait { $0.refusals >= 3 }
            for name in names { place.fail(name, nil) }
            place.setBehavior(.works)
            rig.time.set(forwardBy: step)
            let before = rig.time.uptime
            try await rig.advanceClock(by: Self.tick) { place.calls.all.uploads == names.count }
            #expect(rig.time.uptime - before < Self.waitMax)
        }
    }

    @Test func `a forward clock step does not stop a running upload`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let target = rig.target(place, stallSeconds: UploadTarget.stallSecondsMin)
        let service = try await rig.service([target])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            rig.time.set(forwardBy: Self.hour)
            service.networkChanged()
            try await rig.advanceClock(by: 1, times: 30)
            #expect(!place.calls.all.contains(.cancelled("a.jpg")))
            // The runner stops the upload at its stall limit.
            try await rig.advanceClock(by: 10) { place.calls.all.contains(.cancelled("a.jpg")) }
        }
    }

    @Test func `releases RAW files after the clock was set back`() async throws {
        let place = ScriptedDestination()
        let session = try await rig.store.startSession(
            name: "Wedding", uploadMode: .jpegFirst, at: rig.time.now
        ).id
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await rig.save(["1.cr3", "1.jpg"], session: session)
            service.captureSaved()
            await rig.wait(for: 1, in: .delivered)
            rig.time.set(forwardBy: -Self.hour)
            let before = rig.time.uptime
            try await rig.advanceClock(by: Self.tick) { rig.deliveries.all.count == 2 }
            #expect(rig.time.uptime - before < Self.waitMax)
        }
    }
}
