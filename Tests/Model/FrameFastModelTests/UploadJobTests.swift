import Foundation
import FrameFastModel
import Testing

@Suite struct UploadJobTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)
    static let outage = FailedAttempt(.outage(retryAfterSeconds: nil), "The server is unreachable.")
    static let delivery = UploadJob.Delivery(
        remoteName: "a.jpg", proof: "size", evidence: "size 10", alreadyExisted: false)

    static func job(_ state: UploadJob.State, hold: UploadHold? = nil, isReleased: Bool = false) -> UploadJob
    {
        var job = UploadJob(
            id: 1, captureID: 1, destination: "nas", state: state,
            hold: hold ?? (state == .held ? .offline : nil),
            remoteName: "a.jpg", sessionID: 1, bodyID: "a", bytes: 10, createdAt: now)
        job.isReleased = isReleased
        return job
    }

    struct Step: Sendable, CustomTestStringConvertible {
        var from: UploadJob.State
        var event: UploadJob.Event
        var action: UploadJob.Action
        var to: UploadJob.State
        var hold: UploadHold?
        var testDescription: String { "\(from), \(event)" }
    }

    static func failed(_ kind: FailedAttempt.Kind) -> UploadJob.Event {
        .failed(FailedAttempt(kind, "It failed."), at: now, jitter: 1)
    }

    static let steps: [Step] = [
        Step(from: .queued, event: .claimed(at: now), action: .start, to: .uploading),
        Step(from: .held, event: .claimed(at: now), action: .nothing, to: .held),
        Step(from: .retrying, event: .claimed(at: now), action: .nothing, to: .retrying),
        Step(from: .uploading, event: .claimed(at: now), action: .nothing, to: .uploading),
        Step(from: .delivered, event: .claimed(at: now), action: .nothing, to: .delivered),
        Step(from: .failed, event: .claimed(at: now), action: .nothing, to: .failed),
        Step(from: .uploading, event: .progressed(bytes: 4), action: .reportProgress, to: .uploading),
        Step(from: .uploading, event: .progressed(bytes: 10), action: .reportProgress, to: .verifying),
        Step(from: .verifying, event: .progressed(bytes: 2), action: .reportProgress, to: .uploading),
        Step(from: .queued, event: .progressed(bytes: 4), action: .nothing, to: .queued),
        Step(from: .verifying, event: .delivered(delivery, at: now), action: .store, to: .delivered),
        Step(from: .held, event: .delivered(delivery, at: now), action: .store, to: .delivered),
        Step(from: .delivered, event: .delivered(delivery, at: now), action: .nothing, to: .delivered),
        Step(
            from: .uploading, event: failed(.outage(retryAfterSeconds: nil)),
            action: .retryAt(now.addingTimeInterval(2)), to: .retrying),
        Step(
            from: .uploading, event: failed(.outage(retryAfterSeconds: 30)),
            action: .retryAt(now.addingTimeInterval(31)), to: .retrying),
        Step(
            from: .verifying, event: failed(.transient), action: .retryAt(now.addingTimeInterval(2)),
            to: .retrying),
        Step(from: .uploading, event: failed(.permanent(reason: "forbidden")), action: .notify, to: .failed),
        Step(from: .uploading, event: failed(.cancelled), action: .store, to: .queued),
        Step(from: .uploading, event: failed(.refused), action: .store, to: .queued),
        Step(from: .verifying, event: failed(.refused), action: .store, to: .queued),
        Step(
            from: .uploading, event: failed(.sourceAway), action: .retryAt(now.addingTimeInterval(15)),
            to: .retrying),
        Step(from: .held, event: failed(.cancelled), action: .nothing, to: .held),
        Step(from: .delivered, event: failed(.transient), action: .nothing, to: .delivered),
        Step(from: .queued, event: .held(.offline), action: .store, to: .held, hold: .offline),
        Step(from: .retrying, event: .held(.offline), action: .store, to: .held, hold: .offline),
        Step(from: .uploading, event: .held(.offline), action: .store, to: .uploading, hold: .offline),
        Step(from: .uploading, event: .held(.person), action: .stop, to: .held, hold: .person),
        Step(from: .failed, event: .held(.offline), action: .nothing, to: .failed),
        Step(from: .failed, event: .held(.person), action: .store, to: .held, hold: .person),
        Step(from: .delivered, event: .held(.person), action: .nothing, to: .delivered),
        Step(from: .held, event: .held(.manual), action: .store, to: .held, hold: .manual),
        Step(from: .held, event: .released(byPerson: true), action: .store, to: .queued),
        Step(from: .held, event: .released(byPerson: false), action: .store, to: .queued),
        Step(from: .queued, event: .released(byPerson: true), action: .nothing, to: .queued),
        Step(from: .failed, event: .retried, action: .store, to: .queued),
        Step(from: .retrying, event: .retried, action: .store, to: .queued),
        Step(from: .held, event: .retried, action: .nothing, to: .held),
        Step(from: .delivered, event: .retried, action: .nothing, to: .delivered),
        Step(from: .queued, event: .putFirst, action: .store, to: .queued),
        Step(from: .held, event: .putFirst, action: .store, to: .queued),
        Step(from: .retrying, event: .putFirst, action: .store, to: .queued),
        Step(from: .failed, event: .putFirst, action: .store, to: .queued),
        Step(from: .uploading, event: .putFirst, action: .store, to: .uploading),
        Step(from: .delivered, event: .putFirst, action: .nothing, to: .delivered),
        Step(from: .retrying, event: .due, action: .store, to: .queued),
        Step(from: .failed, event: .due, action: .nothing, to: .failed),
        Step(from: .uploading, event: .recovered, action: .store, to: .queued),
        Step(from: .retrying, event: .recovered, action: .nothing, to: .retrying),
        Step(from: .queued, event: .dropped, action: .remove, to: .queued),
        Step(from: .uploading, event: .dropped, action: .remove, to: .uploading),
        Step(from: .delivered, event: .dropped, action: .nothing, to: .delivered),
    ]

    @Test(arguments: steps)
    func `each event returns its action and sets the next state`(step: Step) {
        var job = Self.job(step.from)
        let action = job.handle(step.event)
        #expect(action == step.action)
        #expect(job.state == step.to)
        if let hold = step.hold { #expect(job.hold == hold) }
        #expect((job.hold != nil) == (job.state == .held || step.hold != nil))
        #expect((job.nextAttemptAt != nil) == (step.to == .retrying && step.from != .retrying))
    }

    @Test(
        arguments: UploadJob.State.allCases.filter { $0 != .delivered },
        [nil, .offline, .person] as [UploadHold?])
    func `a job moved to the front has priority and ignores modes`(
        state: UploadJob.State, hold: UploadHold?
    ) {
        var job = Self.job(state)
        // Only held and running jobs can have a hold.
        if job.isRunning || state == .held { job.hold = hold ?? job.hold }
        job.attempts = 3
        job.failuresInARow = 7
        #expect(job.handle(.putFirst) == .store)
        #expect(job.priority == UploadJob.firstPriority && job.hold == nil)
        #expect(job.isRunning || (job.state == .queued && job.nextAttemptAt == nil))
        if state == .failed || state == .retrying { #expect((job.attempts, job.failuresInARow) == (0, 0)) }
        #expect(job.handle(.putFirst) == .nothing)
        #expect(job.handle(.held(.offline)) == .nothing)
        if job.isRunning {
            _ = job.handle(Self.failed(.transient))
            #expect(job.state == .retrying && job.priority == UploadJob.firstPriority)
        }
    }

    @Test func `a person's hold does not replace the unsorted hold`() {
        var job = Self.job(.held, hold: .unsorted)
        #expect(job.handle(.held(.person)) == .nothing)
        #expect(job.hold == .unsorted)
    }

    @Test func `outages are not counted as attempts and never fail a job`() {
        var job = Self.job(.queued)
        for round in 1...10_000 {
            _ = job.handle(.claimed(at: Self.now))
            _ = job.handle(.failed(Self.outage, at: Self.now, jitter: 0.5))
            #expect(job.state == .retrying)
            #expect(job.attempts == 0)
            #expect(job.failuresInARow == round)
            _ = job.handle(.due)
        }
    }

    @Test(arguments: [FailedAttempt.Kind.refused, .sourceAway])
    func `refusals and missing source files are not counted as failures`(kind: FailedAttempt.Kind) {
        var job = Self.job(.queued)
        for _ in 1...1000 {
            _ = job.handle(.claimed(at: Self.now))
            _ = job.handle(Self.failed(kind))
            #expect((job.attempts, job.failuresInARow) == (0, 0))
            #expect(job.state == (kind == .refused ? .queued : .retrying))
            _ = job.handle(.due)
        }
    }

    @Test(arguments: [(1, 2.0), (2, 4.0), (3, 8.0), (6, 64.0), (7, 120.0), (8, 120.0), (10_000, 120.0)])
    func `each failure doubles the wait up to two minutes`(failuresInARow: Int, longest: Double) {
        #expect(UploadBackoff.seconds(failuresInARow: failuresInARow, jitter: 1) == longest)
        #expect(UploadBackoff.seconds(failuresInARow: failuresInARow, jitter: 0) == longest / 2)
    }

    @Test(arguments: [(30.0, 30.0), (0, 0), (1e9, 3600), (-5, 1), (.infinity, 1), (.nan, 1)])
    func `uses the destination's retry-after time up to a limit`(requested: Double, seconds: Double) {
        #expect(UploadBackoff.seconds(failuresInARow: 1, retryAfterSeconds: requested, jitter: 0) == seconds)
    }

    @Test(arguments: [
        failed(.outage(retryAfterSeconds: nil)), failed(.transient), failed(.cancelled), failed(.refused),
        failed(.sourceAway), .recovered,
    ])
    func `a mode holds a running job after its attempt fails`(end: UploadJob.Event) {
        var job = Self.job(.uploading)
        _ = job.handle(.held(.scheduled))
        _ = job.handle(end)
        #expect(job.state == .held && job.hold == .scheduled && job.nextAttemptAt == nil)
        var releasedJob = Self.job(.uploading)
        _ = releasedJob.handle(.held(.scheduled))
        _ = releasedJob.handle(.released(byPerson: false))
        _ = releasedJob.handle(end)
        #expect(releasedJob.state != .held && releasedJob.hold == nil)
        var deliveredJob = Self.job(.uploading)
        _ = deliveredJob.handle(.held(.scheduled))
        _ = deliveredJob.handle(.delivered(Self.delivery, at: Self.now))
        #expect(deliveredJob.state == .delivered && deliveredJob.hold == nil)
    }

    @Test func `modes do not override a person's hold or release`() {
        var released = Self.job(.held)
        let releaseAction = released.handle(.released(byPerson: true))
        #expect(releaseAction == .store)
        let holdAction = released.handle(.held(.offline))
        #expect(holdAction == .nothing)
        #expect(released.state == .queued)
        var held = Self.job(.held, hold: .person)
        let modeReleaseAction = held.handle(.released(byPerson: false))
        #expect(modeReleaseAction == .nothing)
        let modeHoldAction = held.handle(.held(.offline))
        #expect(modeHoldAction == .nothing)
        #expect(held.hold == .person)
    }

    @Test func `a retry resets the counters and keeps the resume point`() {
        var job = Self.job(.uploading)
        job.resumePoint = "part 3"
        _ = job.handle(
            .failed(FailedAttempt(.permanent(reason: "unauthorised"), "No."), at: Self.now, jitter: 0))
        #expect(job.reason == "unauthorised")
        _ = job.handle(.retried)
        #expect((job.attempts, job.failuresInARow, job.resumePoint) == (0, 0, "part 3"))
        _ = job.handle(.claimed(at: Self.now))
        _ = job.handle(.delivered(Self.delivery, at: Self.now))
        #expect((job.reason, job.resumePoint, job.delivery) == (nil, nil, Self.delivery))
    }
}
