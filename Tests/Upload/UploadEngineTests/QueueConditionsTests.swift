import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of the conditions for held and failed uploads, and of the changes that raise these conditions again.
@Suite(.blocking) struct QueueConditionsTests {
    let rig: UploadRig
    private let ledger: QueueLedger
    private let conditions: QueueConditions

    init() throws {
        let rig = try UploadRig()
        self.rig = rig
        ledger = QueueLedger(
            store: rig.store, reserveFile: ReserveFile(folder: rig.folder, bytes: 0), clock: rig.time.clock,
            stop: StopSignal(), directory: rig.folder, report: { rig.record($0) }, logger: rig.quiet)
        conditions = QueueConditions { rig.record($0) }
    }

    /// Returns the sums of held photos for each reason.
    static func holds(_ counts: [UploadHold: Int]) -> [UploadHold: UploadCounts.Sum] {
        counts.mapValues { count in
            var sum = UploadCounts.Sum()
            sum.jobs = count
            return sum
        }
    }

    private func update(_ holds: [UploadHold: Int] = [:], failed: Int = 0) async {
        var counts = UploadCounts()
        counts.holds = Self.holds(holds)
        counts.states[.held] = Self.holds([.person: holds.values.reduce(0, +)])[.person]
        counts.states[.failed] = Self.holds([.person: failed])[.person]
        await conditions.update(
            from: UploadStatistics(
                destination: "nas", state: .ready, counts: counts, running: [], bytesPerSecond: 0), ledger)
    }

    private func condition(_ code: String) -> Condition? { rig.events.all.conditions[code] }

    @Test func `raises the condition again when the hold reason changes`() async {
        await update([.offline: 3])
        await update([.unrated: 3])
        #expect(condition("upload-held")?.sentence.contains(UploadHold.unrated.sentence) == true)
        await update([.unrated: 2, .unsorted: 1])
        #expect(condition("upload-held")?.sentence.contains(UploadHold.unsorted.sentence) == true)
        #expect(rig.events.all.count == 3)
        await update([.unrated: 2, .unsorted: 1])
        #expect(rig.events.all.count == 3)
        await update()
        #expect(condition("upload-held") == nil && rig.events.all.count == 4)
        await update()
        #expect(rig.events.all.count == 4)
    }

    @Test func `raises the condition again for a different failed photo`() async throws {
        try await rig.save(["1.jpg", "2.jpg"])
        let photos = try await rig.store.unplannedUploads(limit: 9).map(\.photo)
        _ = try await rig.store.planUploads(
            photos.map { photo in
                let plan = UploadPlan(
                    destination: "nas", decision: .queued(priority: 0), remoteName: photo.record.object.name)
                return (photo, [plan])
            }, at: rig.time.now)
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 9).map(\.id).sorted()
        try await fail(jobs[0], "It says no to 1.jpg.")
        await update(failed: 1)
        #expect(condition("upload-failed")?.sentence.hasSuffix("It says no to 1.jpg.") == true)
        await update(failed: 1)
        #expect(rig.events.all.count == 1)
        try await rig.store.applyToUploads(.retried, filter: UploadFilter(ids: [jobs[0]]))
        try await fail(jobs[1], "It says no to 2.jpg.")
        await update(failed: 1)
        #expect(condition("upload-failed")?.sentence.hasSuffix("It says no to 2.jpg.") == true)
        #expect(rig.events.all.count == 2)
    }

    private func fail(_ id: JobID, _ sentence: String) async throws {
        let now = rig.time.now
        try await rig.store.applyToUploads(.claimed(at: now), filter: UploadFilter(ids: [id]))
        try await rig.store.applyToUploads(
            .failed(FailedAttempt(.permanent(reason: "forbidden"), sentence), at: now, jitter: 0),
            filter: UploadFilter(ids: [id]))
    }
}
