import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

/// Tests that stalled uploads are stopped and slow uploads continue.
@Suite(.blocking, .timeLimit(.minutes(10))) struct UploadActivityTests {
    let rig: UploadRig

    init() throws { rig = try UploadRig() }

    /// Creates an attempt to upload a photo of ten bytes.
    private func attempt() -> Attempt {
        var job = UploadJob(
            id: 1, captureID: 1, destination: "nas", remoteName: "a.jpg", sessionID: nil, bodyID: "a",
            bytes: 10,
            createdAt: rig.time.now)
        _ = job.handle(.claimed(at: rig.time.now))
        return Attempt(job, clock: rig.time.clock) { _ in }
    }

    @Test func `activity and progress postpone the stall of an attempt`() async {
        let (attempt, time) = (attempt(), rig.time)
        let began = time.now
        _ = await attempt.run { () async throws(UploadFailure) -> UploadReceipt in
            time.advance(100)
            UploadActivity.current.report()
            throw .stopped
        }
        #expect(attempt.stallDate(after: 120) == began + 220)
        time.advance(50)
        attempt.recordProgress(1)
        #expect(attempt.stallDate(after: 120) == began + 270)
        time.advance(10)
        attempt.recordProgress(1)
        #expect(attempt.stallDate(after: 120) == began + 270, "no bytes were sent since")
    }

    @Test func `the failure of a stalled upload names limit and step`() {
        let attempt = attempt()
        attempt.recordProgress(5)
        let sending = attempt.stallFailure(after: 120)
        #expect(sending.sentence == "The upload showed no progress for 120 s." && sending.step == .send)
        attempt.recordProgress(10)
        let checking = attempt.stallFailure(after: 120)
        #expect(checking.sentence == "The check of the copy showed no progress for 600 s.")
        #expect(checking.step == .readBack)
        #expect(checking.kind == .outage(retryAfterSeconds: nil))
    }

    @Test func `does not stop an upload that reports activity without bytes`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.reads)
        let target = rig.target(place, stallSeconds: UploadTarget.stallSecondsMin)
        try await rig.running(try await rig.service([target])) {
            // The upload takes a quarter of an hour. The time between two reports is at most 100 seconds.
            for _ in 0..<18 {
                let before = place.activity.all.count
                await place.activity.wait { $0.count > before }
                rig.time.advance(50)
            }
            place.setBehavior(.works)
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(place.calls.all.starts == 1)
    }

    @Test func `does not stop a command before its own time limit`() async throws {
        try await rig.save(["a.jpg"])
        let (printer, nas) = (ScriptedDestination(), ScriptedDestination(.hangs))
        let response = printer.delayResponse(to: "a.jpg")
        var target = rig.target(printer, name: "printer")
        target.stallSeconds = UploadTarget.stallSeconds(ownLimitSeconds: 300)
        let stalling = rig.target(nas, stallSeconds: UploadTarget.stallSecondsMin)
        let service = try await rig.service([target, stalling])
        try await rig.running(service) {
            await printer.calls.wait { $0.starts == 1 }
            await rig.waitForProgress(of: 1)
            rig.time.advance(130)
            // Makes each runner read the clock.
            service.networkChanged()
            await nas.calls.wait { $0.contains(.cancelled("a.jpg")) }
            response.signal()
            await printer.calls.wait { $0.uploads == 1 }
        }
        #expect(printer.calls.all.starts == 1)
    }

    @Test(
        arguments: [
            (ScriptedDestination.Behavior.hangs, "The upload showed no progress for 120 s."),
            (.hangsAtEnd, "The check of the copy showed no progress for 600 s."),
        ])
    func `reports that a stalling destination does not accept uploads`(
        behavior: ScriptedDestination.Behavior, sentence: String
    ) async throws {
        try await rig.save(UploadServiceTests.names(1...3))
        let place = ScriptedDestination(behavior)
        let target = rig.target(place, workers: 3, stallSeconds: UploadTarget.stallSecondsMin)
        try await rig.running(try await rig.service([target])) {
            await rig.waitForProgress(of: 3)
            try await rig.advanceClock(by: 30) { rig.events.all.conditions["destination-away"] != nil }
        }
        let condition = try #require(rig.events.all.conditions["destination-away"])
        #expect(condition.sentence == "The destination nas does not accept uploads right now: " + sentence)
    }

    @Test(
        arguments: [(0.0, 120.0), (90, 120), (120, 150), (300, 330), (86_400, 86_430)] as [(Double, Double)])
    func `stall limit is longer than the destination's own limit`(own: Double, limit: Double) {
        #expect(UploadTarget.stallSeconds(ownLimitSeconds: own) == limit)
    }

    /// Returns the number of reports during `work`.
    private func reports(of work: () async throws -> Void) async throws -> Int {
        let count = Mutex(0)
        try await UploadActivity.$current.withValue(UploadActivity { count.withLock { $0 += 1 } }) {
            try await work()
        }
        return count.withLock { $0 }
    }

    @Test func `waiting for bandwidth reports activity`() async throws {
        let pace = UploadPace(bytesPerSecond: 10_000)
        #expect(try await reports { try await pace.waitForBandwidth(3_000) } > 0)
    }

    @Test func `hashing a file before upload reports activity`() async throws {
        try await rig.save(["a.jpg"])
        let record = try #require(try await rig.store.captures(CaptureQuery(limit: 1)).first?.record)
        let pool = BlockingPool(label: "test", width: 1)
        #expect(
            try await reports { try await LocalFile.check(record, on: pool) } == 0,
            "an unmodified file is not read")
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(60)], ofItemAtPath: try #require(record.path))
        #expect(try await reports { try await LocalFile.check(record, on: pool) } == 1)
    }
}
