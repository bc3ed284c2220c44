import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

/// Tests of uploads that are stopped between the claim of the job and the end of its attempt.
@Suite(.blocking, .timeLimit(.minutes(10))) struct StoppedUploadsTests {
    private let fixture: AdviceFixture

    private var rig: UploadRig { fixture.rig }
    private var place: ScriptedDestination { fixture.place }

    init() throws { fixture = try AdviceFixture() }

    /// Runs a service during `body`. The uploads of these photos wait for an unmetered network.
    ///
    /// - Parameter body: Receives the service and the job of the first photo.
    private func runWithQueue(
        _ names: [String], workers: Int = 1, _ body: (UploadService, JobID) async throws -> Void
    ) async throws {
        fixture.isMetered.withLock { $0 = true }
        try await rig.save(names)
        let target = rig.target(place, workers: workers, holdsWhenMetered: true)
        let service = try await rig.service([target]) { [fixture] in fixture.isMetered.withLock(\.self) }
        try await rig.running(service) {
            await rig.events.wait {
                $0.contains { if case .state("nas", .metered) = $0 { true } else { false } }
            }
            let jobs = try await eventually("\(names.count) uploads") { () async throws -> [UploadJob]? in
                let jobs = try await service.jobs(limit: names.count)
                return jobs.count == names.count ? jobs : nil
            }
            let first = try #require(jobs.first { $0.remoteName == names[0] }?.id)
            try await body(service, first)
        }
    }

    /// Lets the runner request the next jobs. The claim waits for the blocked writer.
    private func requestClaim(_ service: UploadService) async throws {
        fixture.isMetered.withLock { $0 = false }
        service.networkChanged()
        try await rig.waitForChanges(1)
    }

    /// Creates an attempt to upload a photo of ten bytes.
    private func attempt(
        job id: JobID = 1, photo: CaptureID = 1, claimedAt date: Date,
        report: @escaping @Sendable (UploadJob) -> Void = { _ in }
    ) -> Attempt {
        var job = UploadJob(
            id: id, captureID: photo, destination: "nas", remoteName: "a.jpg", sessionID: nil, bodyID: "a",
            bytes: 10, createdAt: rig.time.now)
        _ = job.handle(.claimed(at: date))
        return Attempt(job, clock: rig.time.clock, report: report)
    }

    @Test(arguments: [false, true])
    func `a hold or drop in the commit of the claim prevents the upload`(isDropped: Bool) async throws {
        try await runWithQueue(["a.jpg", "b.jpg"]) { service, id in
            let filter = UploadFilter(ids: [id])
            let stopping = try await rig.blockingWriter {
                try await requestClaim(service)
                let stopping = Task {
                    try await (isDropped ? service.drop(filter) : service.hold(filter))
                }
                try await rig.waitForChanges(2)
                return stopping
            }
            #expect(try await stopping.value == 1)
            // The runner claims the next photo after it has ended the attempt of the first photo.
            await rig.wait(for: 1, in: .delivered)
            #expect(rig.events.all.changes(of: id) == ["uploading", isDropped ? "dropped" : "held"])
        }
        #expect(place.calls.all.starts == 1)
        #expect(place.uploaded == ["b.jpg"])
    }

    @Test func `sends a photo once after hold and release in its claim's commit`() async throws {
        try await runWithQueue(["a.jpg"], workers: 2) { service, id in
            let filter = UploadFilter(ids: [id])
            let changing = try await rig.blockingWriter {
                try await requestClaim(service)
                let holding = Task { try await service.hold(filter) }
                try await rig.waitForChanges(2)
                let releasing = Task { try await service.release(filter) }
                try await rig.waitForChanges(3)
                return [holding, releasing]
            }
            for change in changing { #expect(try await change.value == 1) }
            await rig.wait(for: 1, in: .delivered)
            #expect(rig.events.all.changes(of: id).prefix(3) == ["uploading", "held", "queued"])
        }
        #expect(place.calls.all.starts == 1)
    }

    /// The destination ignores the cancellation, so the first attempt ends four seconds after the drop.
    @Test func `a photo that is dropped and added again waits for its earlier attempt`() async throws {
        try await rig.save(["a.jpg"])
        place.setBehavior(.ignoresCancellation)
        let service = try await rig.service([rig.target(place, workers: 2)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            let runner = try #require(service.runners.first)
            let running = await runner.running
            let attempt = try #require(running.values.first)
            place.setBehavior(.works)
            #expect(try await service.drop(UploadFilter()) == 1)
            #expect(try await service.add(captures: [1]) == 1)
            await place.calls.wait { $0.starts == 2 }
            #expect(attempt.hasEnded)
            await rig.wait(for: 1, in: .delivered)
        }
    }

    @Test func `a reload that removes the destination prevents a claimed upload`() async throws {
        try await runWithQueue(["a.jpg", "b.jpg"]) { service, _ in
            try await rig.blockingWriter {
                try await requestClaim(service)
                try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
            }
            await place.calls.wait { $0.contains(.closed) }
        }
        #expect(place.calls.all.starts == 0)
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 9)
        #expect(jobs.map(\.state) == [.queued, .queued])
    }

    /// The removed destination has three seconds to finish its uploads.
    @Test func `a hold stops an upload of a removed destination`() async throws {
        try await rig.save(["a.jpg"])
        place.setBehavior(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.waitForProgress(of: 1)
            let runner = try #require(service.runners.first)
            let running = await runner.running
            let attempt = try #require(running.values.first)
            try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
            #expect(try await service.hold(UploadFilter()) == 1)
            attempt.recordProgress(attempt.claimed.bytes)
        }
        let verifying = rig.events.all.contains { event in
            if case .progress(let job, _) = event { job.state == .verifying } else { false }
        }
        #expect(!verifying, "the attempt was not stopped")
    }

    @Test func `reports a hold after a failure in the same commit`() async throws {
        try await rig.save(["a.jpg"])
        place.setBehavior(.fails(UploadFailure(.transient, "The connection was lost.")))
        let response = place.delayResponse(to: "a.jpg")
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            let holding = try await rig.blockingWriter {
                response.signal()
                try await rig.waitForChanges(1)
                let holding = Task { try await service.hold(UploadFilter()) }
                try await rig.waitForChanges(2)
                return holding
            }
            #expect(try await holding.value == 1)
            await rig.events.wait { $0.changes(of: 1).count == 3 }
        }
        #expect(rig.events.all.changes(of: 1) == ["uploading", "retrying", "held"])
    }

    @Test func `a stopped attempt does not start or report progress`() async {
        let reports = Recording<UploadJob>()
        let attempt = attempt(claimedAt: rig.time.now) { reports.add($0) }
        attempt.recordProgress(1)
        attempt.stop()
        attempt.recordProgress(10)
        #expect(reports.all.map(\.sentBytes) == [1])
        let outcome = await attempt.run { () async throws(UploadFailure) -> UploadReceipt in
            UploadReceipt(remoteName: "a.jpg", proof: .size, evidence: "size 10")
        }
        #expect(outcome == .failure(.stopped))
    }

    @Test func `a later claim does not replace an attempt that is ending`() async throws {
        let service = try await rig.service([rig.target(place)])
        let runner = try #require(service.runners.first)
        let (first, second) = (attempt(claimedAt: rig.time.now), attempt(claimedAt: rig.time.now + 1))
        let attempts = RunningAttempts()
        attempts.replace([], of: runner, with: [first])
        attempts.replace([], of: runner, with: [second])
        #expect(attempts.attempts(of: runner)[1] === first)
        let reservations = [second, first, first].map { first.reserve(for: $0.claimed) }
        #expect(reservations == [false, true, false])
        attempts.replace([1], of: runner, with: [second])
        #expect(attempts.attempts(of: runner)[1] === second)
        attempts.replace([1], of: runner, with: [])
        #expect(attempts.attempts(of: runner).isEmpty)
    }

    @Test func `an attempt waits for the same runner's attempts of the photo's earlier jobs`() async throws {
        let service = try await rig.service([rig.target(place), rig.target(place, name: "cloud")])
        let runner = try #require(service.runners.first)
        let otherRunner = try #require(service.runners.last)
        let ids: [(job: JobID, photo: CaptureID)] = [(1, 1), (2, 2), (3, 1), (4, 1)]
        let claimed = ids.map { attempt(job: $0.job, photo: $0.photo, claimedAt: rig.time.now) }
        let attempts = RunningAttempts()
        attempts.replace([], of: runner, with: claimed)
        func earlierJobs(than attempt: Attempt, by runner: DestinationRunner) -> [JobID] {
            attempts.earlierAttempts(forPhotoOf: attempt.claimed, by: runner).map(\.claimed.id).sorted()
        }
        let found = claimed.map { earlierJobs(than: $0, by: runner) }
        #expect(found == [[], [], [1], [1, 3]])
        let foundByOther = claimed.map { earlierJobs(than: $0, by: otherRunner) }
        #expect(foundByOther == [[], [], [], []])
    }

    /// A disk that does not respond may delay the check until after the stop.
    @Test func `a stop during the check of the local file ends the attempt`() async throws {
        try await rig.save(["a.jpg"])
        let record = try #require(try await rig.store.captures(CaptureQuery(limit: 1)).first?.record)
        let pool = BlockingPool(label: "test", width: 1)
        let gate = DispatchSemaphore(value: 0)
        let (started, startedSink) = AsyncStream<Void>.makeStream()
        let blocking = Task {
            await pool.run {
                startedSink.finish()
                gate.wait()
            }
        }
        for await _ in started {}
        let checking = Task { () -> UploadFailure? in
            do throws(UploadFailure) { try await LocalFile.check(record, on: pool) } catch { return error }
            return nil
        }
        checking.cancel()
        gate.signal()
        await blocking.value
        #expect(await checking.value == UploadFailure.stopped)
    }
}

extension [UploadEvent] {
    /// Returns the reported states of a job, and `dropped` if the job was dropped.
    fileprivate func changes(of id: JobID) -> [String] {
        compactMap { event in
            switch event {
            case .job(let job, _) where job.id == id: job.state.rawValue
            case .dropped(let job, _) where job.id == id: "dropped"
            default: nil
            }
        }
    }
}
