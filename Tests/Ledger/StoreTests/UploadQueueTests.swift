import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

@Suite struct UploadQueueTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)

    private let scratch: ScratchFolder
    let path: String
    let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        path = scratch.path("ledger.sqlite")
        ledger = try LedgerStore(path: path)
    }

    /// Saves photos with these names, in this order.
    func save(_ names: [String], session: SessionID? = nil, isProtected: Bool? = nil) async throws {
        let objects = names.map {
            CameraObject(
                folder: "/store_1/A", name: $0, size: 10, cameraTime: nil, isProtected: isProtected)
        }
        let seen = try await ledger.recordSeen(objects, camera: "a", session: session, at: Self.now)
        let arrivals = seen.map { Arrival(id: $0.id, bytes: 10, sha256: "aa", transferMs: 1) }
        let naming = LedgerStore.NamingPolicy(
            counterScope: { "\($0.id)" }, path: { record, _ in "/c/\(record.id)-\(record.object.name)" },
            pairSettleSeconds: 1)
        _ = try await ledger.beginPublishing(arrivals, naming: naming)
        try await ledger.finishPublishing(seen.map(\.id), at: Self.now)
    }

    @discardableResult
    func plan(_ decision: UploadDecision = .queued(priority: 0), to destinations: [DestinationName] = ["nas"])
        async throws -> Int
    {
        let photos = try await ledger.unplannedUploads(limit: 100_000).map(\.photo)
        return try await ledger.planUploads(
            photos.map { photo in
                (
                    photo,
                    destinations.map {
                        UploadPlan(destination: $0, decision: decision, remoteName: photo.record.object.name)
                    }
                )
            }, at: Self.now)
    }

    func claim(_ limit: Int = 1, _ order: UploadOrder = .capture, at now: Date = Self.now) async throws
        -> [ClaimedUpload]
    {
        try await ledger.recordOutcomes(
            [], claiming: .init(destination: "nas", limit: limit, order: order), at: now
        ).claimed
    }

    func recordResult(_ id: JobID, _ event: UploadJob.Event) async throws {
        _ = try await ledger.recordOutcomes([.init(jobID: id, event: event)], claiming: nil, at: Self.now)
    }

    static let delivery = UploadJob.Delivery(
        remoteName: "x", proof: "size", evidence: "size 10", alreadyExisted: false)

    @Test func `plans one job for each photo and destination`() async throws {
        try await save(["a.jpg", "b.jpg"])
        let photos = try await ledger.unplannedUploads(limit: 10).map(\.photo)
        #expect(photos.map(\.record.object.name) == ["a.jpg", "b.jpg"])
        #expect(try await plan(to: ["nas", "s3"]) == 4)
        #expect(try await ledger.unplannedUploads(limit: 10).isEmpty)
        let again = try await ledger.planUploads(
            photos.map { ($0, [UploadPlan(destination: "nas", decision: .held(.offline), remoteName: "z")]) },
            at: Self.now)
        #expect(again == 0)
        #expect(try await ledger.uploadCounts()["nas"]?[.queued].jobs == 2)
    }

    @Test func `skips a photo that another task has already planned`() async throws {
        try await save(["a.jpg"])
        let photos = try await ledger.unplannedUploads(limit: 10).map(\.photo)
        #expect(try await plan(to: ["nas"]) == 1)
        let late = UploadPlan(destination: "s3", decision: .queued(priority: 0), remoteName: "a.jpg")
        let added = try await ledger.planUploads(
            photos.map { ($0, [late]) },
            unrated: photos.map { UnratedUpload(captureID: $0.id, destination: "ftp") }, at: Self.now)
        #expect(added == 0)
        #expect(try await ledger.uploads(UploadFilter(), limit: 9).map(\.destination) == ["nas"])
        #expect(try await ledger.unratedUploads(of: 1).isEmpty)
    }

    @Test(arguments: [(UploadOrder.capture, ["a", "b", "c"]), (.newestFirst, ["c", "b", "a"])])
    func `claims jobs by priority, then in the destination's order`(order: UploadOrder, names: [String])
        async throws
    {
        try await save(["low.jpg"])
        try await plan(.queued(priority: -1))
        try await save(["a.jpg", "b.jpg", "c.jpg"])
        try await plan()
        let first = try await claim(2, order).map(\.job.remoteName)
        let rest = try await claim(5, order).map(\.job.remoteName)
        #expect(first + rest == names.map { $0 + ".jpg" } + ["low.jpg"])
        #expect(try await claim(5, order).isEmpty)
    }

    @Test(arguments: UploadOrder.allCases)
    func `claims jobs at the front first, including jobs that were held`(order: UploadOrder) async throws {
        try await save(["held.jpg"])
        try await plan(.held(.offline))
        try await save(["a.jpg", "b.jpg", "c.jpg"])
        try await plan()
        let ids = try await ledger.uploads(UploadFilter(), limit: 10)
            .filter { ["held.jpg", "b.jpg"].contains($0.remoteName) }.map(\.id)
        let count = try await ledger.applyToUploads(.putFirst, filter: UploadFilter(ids: ids))
        #expect(count == 2)
        let names = try await claim(5, order).map(\.job.remoteName)
        #expect(Set(names.prefix(2)) == ["held.jpg", "b.jpg"])
        #expect(Set(names.dropFirst(2)) == ["a.jpg", "c.jpg"])
        // A second call changes nothing, because the jobs are running.
        #expect(try await ledger.applyToUploads(.putFirst, filter: UploadFilter(ids: ids)) == 0)
    }

    @Test func `concurrent tasks never claim the same job`() async throws {
        try await save((0..<200).map { "\($0).jpg" })
        try await plan()
        let ids = try await withThrowingTaskGroup(of: [JobID].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var ids: [JobID] = []
                    while let claim = try await self.claim().first { ids.append(claim.job.id) }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ids.count == 200)
        #expect(Set(ids).count == 200)
    }

    /// Creates two jobs that wait for their next attempt: one after a failed transfer, and one after an
    /// outage.
    private func makeRetryingJobs() async throws -> (transient: JobID, outage: JobID) {
        try await save(["a.jpg", "b.jpg"])
        try await plan()
        let claims = try await claim(2)
        try await recordResult(
            claims[0].job.id, .failed(FailedAttempt(.transient, "Cut."), at: Self.now, jitter: 1))
        try await recordResult(
            claims[1].job.id,
            .failed(FailedAttempt(.outage(retryAfterSeconds: 100), "Away."), at: Self.now, jitter: 0))
        return (claims[0].job.id, claims[1].job.id)
    }

    @Test func `claims a retry when it is due or after the outage ends`() async throws {
        let jobs = try await makeRetryingJobs()
        #expect(try await ledger.nextUploadAttempt(destination: "nas") == Self.now.addingTimeInterval(2))
        #expect(try await claim().isEmpty)
        #expect(try await claim(5, at: Self.now.addingTimeInterval(2)).map(\.job.id) == [jobs.transient])
        #expect(try await ledger.queueRetries(destination: "nas", isAfterOutage: true).count == 1)
        #expect(try await claim().map(\.job.id) == [jobs.outage])
    }

    @Test func `queueRetries queues only the retries of outages, or all retries`() async throws {
        let jobs = try await makeRetryingJobs()
        #expect(try await ledger.queueRetries(destination: "nas", isAfterOutage: true).count == 1)
        #expect(try await claim(2).map(\.job.id) == [jobs.outage])
        #expect(try await ledger.queueRetries(destination: "nas").count == 1)
        #expect(try await claim(2).map(\.job.id) == [jobs.transient])
    }

    @Test func `counts a retry's wait from the commit if the clock went back`() async throws {
        try await save(["a.jpg"])
        try await plan()
        let id = try #require(try await claim().first?.job.id)
        let beforeStep = Self.now.addingTimeInterval(3_600)
        try await recordResult(id, .failed(FailedAttempt(.transient, "Cut."), at: beforeStep, jitter: 1))
        #expect(try await ledger.nextUploadAttempt(destination: "nas") == Self.now.addingTimeInterval(2))
    }

    @Test func `retries a job after the clock was set back`() async throws {
        try await save(["a.jpg"])
        try await plan()
        let id = try #require(try await claim().first?.job.id)
        try await recordResult(id, .failed(FailedAttempt(.transient, "Cut."), at: Self.now, jitter: 1))
        #expect(try await claim(at: Self.now.addingTimeInterval(-86_400)).map(\.job.id) == [id])
    }

    @Test func `queues interrupted jobs and keeps their resume points`() async throws {
        try await save(["a.jpg", "b.jpg", "c.jpg"])
        try await plan()
        let claims = try await claim(2)
        try await ledger.saveResumePoint("part 7", job: claims[0].job.id)
        let reopened = try LedgerStore(path: path)
        #expect(try await reopened.recoverUploads() == 2)
        #expect(try await reopened.uploadCounts()["nas"]?[.queued].jobs == 3)
        #expect(try await claim().first?.job.resumePoint == "part 7")
    }

    @Test func `upload counts equal the jobs after each change`() async throws {
        try await save(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
        try await plan(to: ["nas", "s3"])
        let id = try #require(try await claim().first?.job.id)
        try await recordResult(id, .delivered(Self.delivery, at: Self.now))
        try await ledger.applyToUploads(.held(.person), filter: UploadFilter(destination: "s3"))
        #expect(try await ledger.releaseHeld(.person, session: nil, destination: "s3").count == 4)
        try await ledger.applyToUploads(.held(.offline), filter: UploadFilter(destination: "s3"))
        try await ledger.applyToUploads(.dropped, filter: UploadFilter(state: .queued))
        let counts = try await ledger.uploadCounts()
        #expect(counts["nas"]?.states.mapValues(\.jobs) == [.delivered: 1])
        #expect(counts["nas"]?[.delivered].bytes == 10)
        #expect(counts["s3"]?.states.mapValues(\.jobs) == [.held: 4])
        #expect(counts["s3"]?.holds.mapValues(\.jobs) == [.offline: 4])
    }

    @Test func `returns the jobs that match a filter, page by page`() async throws {
        let session = try await ledger.startSession(name: "S", at: Self.now)
        try await save(["a.jpg", "b.cr3"])
        try await save(["c.jpg", "d.jpg"], session: session.id)
        try await plan(to: ["nas", "s3"])
        let all = try await ledger.uploads(UploadFilter(), limit: 100)
        #expect(all.map(\.id) == [8, 7, 6, 5, 4, 3, 2, 1])
        #expect(try await ledger.uploads(UploadFilter(), before: 4, limit: 2).map(\.id) == [3, 2])
        #expect(try await ledger.uploads(UploadFilter(session: session.id), limit: 9).count == 4)
        #expect(
            try await ledger.uploads(UploadFilter(destination: "s3", state: .queued), limit: 9).count == 4)
        #expect(try await ledger.uploads(UploadFilter(camera: "nobody"), limit: 9).isEmpty)
        #expect(try await ledger.uploads(UploadFilter(ids: []), limit: 9).isEmpty)
        #expect(try await ledger.applyToUploads(.held(.person), filter: UploadFilter(ids: [1, 5])) == 2)
        #expect(
            try await ledger.applyToUploads(.released(byPerson: true), filter: UploadFilter(state: .held))
                == 2)
    }

    @Test(arguments: [UploadJob.Event.held(.person), .dropped])
    func `each returned job change contains the job's photo`(event: UploadJob.Event) async throws {
        try await save(["a.jpg"])
        try await plan()
        let photo = try #require(try await ledger.capture(id: 1))
        let changes = try await ledger.applyToUploads([.init(jobID: 1, event: event)])
        #expect(changes.map(\.photo) == [photo])
    }

    @Test func `adds requested uploads once and queues held jobs`() async throws {
        try await save(["a.jpg", "b.jpg", "c.jpg"])
        try await plan(.held(.manual))
        let photos = try await ledger.uploadablePhotos(after: 0, limit: 10)
        let plans = photos.map {
            (
                $0,
                ["nas", "s3"].map {
                    UploadPlan(destination: $0, decision: .queued(priority: -2), remoteName: "x")
                }
            )
        }
        #expect(try await ledger.addUploads(plans, at: Self.now) == 6)
        #expect(try await ledger.addUploads(plans, at: Self.now) == 0)
        #expect(try await ledger.uploadCounts()["nas"]?[.queued].jobs == 3)
    }

    /// GRDB keeps each compiled statement until the ledger is closed.
    @Test func `filters by job number and by photo number use one statement for all numbers`() async throws {
        try await save(["a.jpg", "b.jpg", "c.jpg"])
        try await plan(.held(.manual))
        let texts = [[], [1], [2, 3]].map { LedgerStore.condition(UploadFilter(ids: $0), extra: nil).0 }
        #expect(Set(texts).count == 1)
        #expect(try await ledger.uploads(UploadFilter(ids: []), limit: 9).isEmpty)
        #expect(try await ledger.uploads(UploadFilter(ids: [2]), limit: 9).map(\.id) == [2])
        let photos = try await ledger.uploadablePhotos(after: 0, limit: 9, ids: [3, 1])
        #expect(photos.map(\.record.id) == [1, 3])
    }

    @Test func `clears only photos that were delivered to every destination`() async throws {
        try await save(["everywhere.jpg", "half.jpg", "failed.jpg"])
        try await plan(to: ["nas", "s3"])
        try await save(["local.jpg"])
        try await plan(to: [])
        try await save(["new.jpg"])
        let jobs = try await ledger.uploads(UploadFilter(), limit: 100)
        for job in jobs where job.captureID == 1 || (job.captureID == 2 && job.destination == "nas") {
            try await recordResult(job.id, .delivered(Self.delivery, at: Self.now))
        }
        for claimed in try await claim(9) {
            try await recordResult(
                claimed.job.id,
                .failed(FailedAttempt(.permanent(reason: "forbidden"), "No."), at: Self.now, jitter: 0))
        }
        let summary = try #require(try await ledger.storageSummaries().first).summary
        #expect(
            [summary.total, summary.uploaded, summary.pending, summary.failed, summary.local].map(\.files)
                == [5, 1, 2, 1, 1])
        let later = Self.now.addingTimeInterval(1)
        let clearable = try await ledger.clearablePhotos(savedBefore: later, session: nil, after: 0, limit: 9)
        #expect(clearable.map(\.id) == [1])
        #expect(
            try await ledger.clearablePhotos(savedBefore: Self.now, session: nil, after: 0, limit: 9).isEmpty)
        #expect(try await ledger.clearablePhotos(ids: [1, 2, 3, 4, 5]).map(\.photo.id) == [1])
        #expect(try await ledger.beginClearing([1, 2, 3, 4, 5], at: later) == [1])
        #expect(try await ledger.interruptedClearings().map(\.id) == [1])
        // A second request for the same photo returns nothing.
        #expect(try await ledger.beginClearing([1], at: later) == [])
        try await ledger.endClearing(gone: [1], kept: [])
        let after = try #require(try await ledger.storageSummaries().first).summary
        #expect([after.total, after.cleared].map(\.files) == [4, 1])
        #expect(try await ledger.capture(id: 1)?.clearedAt == later)
    }

    @Test func `keeps a photo that a destination has refused because of its rating`() async throws {
        try await save(["a.jpg"])
        let photos = try await ledger.unplannedUploads(limit: 9).map(\.photo)
        let nas = UploadPlan(destination: "nas", decision: .queued(priority: 0), remoteName: "a.jpg")
        _ = try await ledger.planUploads(
            photos.map { ($0, [nas]) },
            unrated: photos.map { UnratedUpload(captureID: $0.id, destination: "s3") }, at: Self.now)
        try await recordResult(1, .delivered(Self.delivery, at: Self.now))
        let later = Self.now.addingTimeInterval(1)
        let clearable = try await ledger.clearablePhotos(savedBefore: later, session: nil, after: 0, limit: 9)
        #expect(clearable.isEmpty)
        #expect(try await ledger.clearablePhotos(ids: [1]).isEmpty)
        #expect(try await ledger.beginClearing([1], at: later).isEmpty)
        #expect(try await ledger.hasUnratedUpload(1))
        let summary = try #require(try await ledger.storageSummaries().first).summary
        #expect([summary.uploaded, summary.pending].map(\.files) == [0, 1])
        let shot = try #require(try await ledger.shotOverview(of: 1))
        #expect(shot.files.map(\.isDelivered) == [false])
        // The delivery to the second destination makes the photo clearable.
        let s3 = UploadPlan(destination: "s3", decision: .queued(priority: 0), remoteName: "a.jpg")
        #expect(try await ledger.addUploads(photos.map { ($0, [s3]) }, at: Self.now) == 1)
        try await recordResult(2, .delivered(Self.delivery, at: Self.now))
        #expect(try await ledger.beginClearing([1], at: later) == [1])
    }

    @Test func `a photo counts as pending if its only destination refused its rating`() async throws {
        try await save(["a.jpg"])
        let photos = try await ledger.unplannedUploads(limit: 9).map(\.photo)
        _ = try await ledger.planUploads(
            photos.map { ($0, [UploadPlan]()) },
            unrated: photos.map { UnratedUpload(captureID: $0.id, destination: "s3") }, at: Self.now)
        let summary = try #require(try await ledger.storageSummaries().first).summary
        #expect([summary.pending, summary.local].map(\.files) == [1, 0])
        let shot = try #require(try await ledger.shotOverview(of: 1))
        #expect(shot.files.map(\.isDelivered) == [false])
    }

    @Test func `protecting a photo marks its shot for review and changes no upload`() async throws {
        try await save(["a.jpg"])
        try await plan(.held(.unrated))
        #expect(try await ledger.protectedShotsToReview().isEmpty)
        let photo = try #require(try await ledger.capture(id: 1))
        #expect(try await ledger.recordProtected([photo.object], camera: "a").map(\.id) == [1])
        #expect(try await ledger.upload(id: 1)?.hold == .unrated)
        #expect(try await ledger.protectedShotsToReview() == [1])
    }

    @Test func `planning keeps a protection that was recorded after the photo was read`() async throws {
        try await save(["a.jpg"], isProtected: false)
        let photos = try await ledger.unplannedUploads(limit: 9).map(\.photo)
        #expect(try await ledger.recordProtected(photos.map(\.record.object), camera: "a").count == 1)
        _ = try await ledger.planUploads(photos.map { ($0, [UploadPlan]()) }, at: Self.now)
        #expect(try await ledger.capture(id: 1)?.object.isProtected == true)
    }

    @Test func `plans no uploads for photos saved before the upload queue existed`() async throws {
        let old = scratch.path("old.sqlite")
        do {
            let before = try DatabaseQueue(path: old)
            try Schema.migrator(at: Self.now).migrate(before, upTo: "v2")
            try await before.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO capture (camera_id, folder, name, stem, size, camera_time, state, detected_at)
                        VALUES ('a', '/', 'a.jpg', 'a', 1, 1, 'saved', 0), ('a', '/', 'b.jpg', 'b', 1, 1, 'seen', 0)
                        """)
            }
        }
        let ledger = try LedgerStore(path: old)
        #expect(try await ledger.unplannedUploads(limit: 9).isEmpty)
        try await ledger.finishPublishing([2], at: Self.now)
        #expect(try await ledger.unplannedUploads(limit: 9).map(\.photo.record.object.name) == ["b.jpg"])
    }
}
