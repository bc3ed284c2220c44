import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// The computer's clock is set while uploads wait or run: by NTP after a start without a network, or by hand.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ClockStepTests {
    private static let hour = 3_600.0
    /// Far more than each wait of these tests, in seconds, and less than the step.
    private static let waitMax = 3_000.0
    /// Time that passes at a turn of the hands, in seconds: little, as a busy computer makes many turns while an upload ends.
    private static let turn = 0.1

    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    @Test(
        arguments: [(0, 0, nil), (7, 7, nil), (7, 3, nil), (7, 3_607, 3_600), (7, -93, -100)]
            as [(Double, Double, Double?)])
    func `a step is what the date moved by more than time passed`(
        passed: Double, moved: Double, step: Double?
    ) {
        let time = ManualClock()
        var detector = ClockStepDetector(time.clock)
        time.advance(passed)
        time.set(forwardBy: moved - passed)
        let (first, second) = (detector.detectStep(on: time.clock), detector.detectStep(on: time.clock))
        #expect(first == step && second == nil)
    }

    @Test func `what waits keeps the length of its wait`() throws {
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

    /// - Parameter isAway: Whether the destination is away, and not only the photo was cut.
    @Test(arguments: [false, true], [-Self.hour, Self.hour])
    func `a clock that is set makes no upload wait for hours`(isAway: Bool, step: Double) async throws {
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        try await rig.save(names)
        let place = ScriptedDestination(isAway ? .away : .works)
        if !isAway { for name in names { place.fail(name, UploadFailure(.transient, "Cut.")) } }
        let service = try await rig.service([rig.target(place, workers: 3)])
        try await rig.running(service) {
            await place.calls.wait { $0.refusals >= 3 }
            for name in names { place.fail(name, nil) }
            place.now(.works)
            rig.time.set(forwardBy: step)
            let before = rig.time.uptime
            try await rig.turn(by: Self.turn) { place.calls.all.uploads == names.count }
            #expect(rig.time.uptime - before < Self.waitMax)
        }
    }

    @Test func `a clock that is set forward stops no upload that moves`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            rig.time.set(forwardBy: Self.hour)
            service.networkChanged()
            try await rig.turn(by: 1, times: 30)
            #expect(!place.calls.all.contains(.cancelled("a.jpg")))
            // It does not move, and that is noticed in its time.
            try await rig.turn(by: 10) { place.calls.all.contains(.cancelled("a.jpg")) }
        }
    }

    @Test func `a clock that is set back lets RAW files follow their pictures`() async throws {
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
            try await rig.turn(by: Self.turn) { rig.deliveries.all.count == 2 }
            #expect(rig.time.uptime - before < Self.waitMax)
        }
    }
}
