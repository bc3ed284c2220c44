import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of repeated transient failures.
@Suite(.blocking, .timeLimit(.minutes(10))) struct RepeatedFailureTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let failure = UploadFailure(.transient, "The copy differs.")

    /// - Parameter attempts: The number of earlier failed attempts.
    private static func job(_ id: JobID, attempts: Int = 0) -> UploadJob {
        var job = UploadJob(
            id: id, captureID: 1, destination: "nas", remoteName: "day/\(id).jpg", sessionID: nil,
            bodyID: "a",
            bytes: 10, createdAt: now)
        job.attempts = attempts
        return job
    }

    /// The failures of a destination, and the reports about them.
    private final class Report {
        var failures = RepeatedFailure()

        /// Returns the sentence of the next event, "over" for the end of the report, or `nil` if there is no
        /// event.
        func next() -> String? {
            switch failures.event(of: "nas") {
            case .raised(let condition): condition.sentence
            case .cleared(let kind, _): kind == .uploadsRepeating ? "over" : "?"
            case nil: nil
            default: "?"
            }
        }
    }

    @Test func `repeated failures of several photos raise one counted condition`() throws {
        let report = Report()
        for index in 1..<RepeatedFailure.countMin {
            report.failures.record(
                Self.failure, of: Self.job(JobID(rawValue: Int64(index))), at: Self.now + Double(index))
            #expect(report.next() == nil)
        }
        report.failures.record(Self.failure, of: Self.job(4), at: Self.now + 60)
        #expect(report.next() == "Uploads to nas failed 4 times in a row: The copy differs.")
        let condition = try #require(report.failures.condition(of: "nas"))
        #expect(condition.since == Self.now + 1)
        #expect(!condition.nextStep.isEmpty)
        let reports = (5...16).filter { index in
            report.failures.record(
                Self.failure, of: Self.job(JobID(rawValue: Int64(index))), at: Self.now + 90)
            return report.next() != nil
        }
        #expect(reports == [8, 16], "the second report follows when the count has doubled")
        report.failures.recordDelivery(of: 1)
        #expect(report.next() == "over")
    }

    @Test func `one failing photo raises a condition while others are delivered`() throws {
        let report = Report()
        let reports = (0..<8).filter { attempts in
            report.failures.record(
                Self.failure, of: Self.job(1, attempts: attempts), at: Self.now + Double(attempts))
            let before = report.next()
            report.failures.recordDelivery(of: 2)
            #expect(report.next() == nil, "the delivery of another photo does not clear the condition")
            return before != nil
        }
        #expect(reports == [3, 7])
        let condition = try #require(report.failures.condition(of: "nas"))
        #expect(condition.sentence == "The upload of 1.jpg to nas failed 8 times in a row: The copy differs.")
        #expect(condition.since == Self.now)
        #expect(condition.nextStep.contains("retries automatically"))
        #expect(!report.failures.isReported, "the destination works")
        report.failures.recordDelivery(of: 1)
        #expect(report.next() == "over")
        #expect(report.failures == RepeatedFailure())
    }

    @Test func `several failing photos share one condition until the last one is dropped`() {
        let report = Report()
        for id: JobID in [1, 3] {
            report.failures.record(Self.failure, of: Self.job(id, attempts: 3), at: Self.now)
            report.failures.recordDelivery(of: 2)
        }
        #expect(
            report.next()
                == "The uploads of 1.jpg and other photos to nas failed at least 4 times in a row: The copy differs."
        )
        report.failures.remove(1)
        #expect(report.next() == "The upload of 3.jpg to nas failed 4 times in a row: The copy differs.")
        report.failures.remove(3)
        #expect(report.next() == "over")
    }

    /// No other photo is waiting.
    @Test func `names the only photo that still fails`() {
        let report = Report()
        for attempts in 0..<5 {
            report.failures.record(Self.failure, of: Self.job(1, attempts: attempts), at: Self.now)
        }
        #expect(report.next() == "The upload of 1.jpg to nas failed 4 times in a row: The copy differs.")
        #expect(report.failures.reportedJobs == [1])
        report.failures.remove(1)
        #expect(report.next() == "over")
        #expect(report.failures == RepeatedFailure())
    }

    @Test func `a manual retry restarts the failure count`() {
        let report = Report()
        report.failures.record(Self.failure, of: Self.job(1, attempts: 5), at: Self.now)
        report.failures.recordDelivery(of: 2)
        #expect(report.next() == "The upload of 1.jpg to nas failed 6 times in a row: The copy differs.")
        report.failures.record(Self.failure, of: Self.job(1), at: Self.now + 60)
        report.failures.recordDelivery(of: 2)
        #expect(report.next() == "over")
    }

    @Test(arguments: [false, true])
    func `reports a photo with repeated checksum errors until delivered or dropped`(
        isDropped: Bool
    ) async throws {
        let rig = try UploadRig()
        try await rig.save(UploadServiceTests.names(1...3))
        let place = ScriptedDestination()
        place.fail("0001.jpg", UploadFailure(.transient, "The photo arrived changed."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await rig.advanceClock(by: 5) { rig.events.all.conditions["uploads-repeating"] != nil }
            let condition = try #require(rig.events.all.conditions["uploads-repeating"])
            #expect(condition.sentence.hasPrefix("The upload of 0001.jpg to nas failed 4 times in a row: "))
            try await rig.save(["0004.jpg"])
            service.captureSaved()
            await rig.wait(for: 3, in: .delivered)
            #expect(rig.events.all.conditions["uploads-repeating"] != nil)
            if isDropped {
                _ = try await service.drop(UploadFilter(state: .retrying))
            } else {
                place.fail("0001.jpg", nil)
            }
            try await rig.advanceClock(by: 5) { rig.events.all.conditions["uploads-repeating"] == nil }
        }
        #expect(place.calls.all.uploads == (isDropped ? 3 : 4))
    }

    @Test(arguments: [true, false])
    func `clears the report of repeated failures when the failing uploads are dropped or held`(
        isDropped: Bool
    ) async throws {
        let rig = try UploadRig()
        let session = try await rig.store.startSession(
            name: "Wedding", uploadMode: .scheduled, at: rig.time.now)
        rig.time.set(minuteOfDay: 22 * 60)
        try await rig.save(["a.jpg"], session: session.id)
        let place = ScriptedDestination(.fails(Self.failure))
        let service = try await rig.service(
            [rig.target(place)], policy: UploadModePolicy(schedule: .nightly))
        try await rig.running(service) {
            try await rig.advanceClock(by: 5) { rig.events.all.conditions["uploads-repeating"] != nil }
            await rig.wait(for: 1, in: .retrying)
            let shown = try await service.statistics().map(\.lastFailure?.sentence)
            #expect(shown == [Self.failure.sentence])
            if isDropped {
                #expect(try await service.drop(UploadFilter()) == 1)
            } else {
                rig.time.set(minuteOfDay: 6 * 60)
            }
            try await rig.advanceClock(by: 60) { rig.events.all.conditions["uploads-repeating"] == nil }
            let left = try await service.statistics().compactMap(\.lastFailure)
            #expect(left.isEmpty)
        }
    }
}
