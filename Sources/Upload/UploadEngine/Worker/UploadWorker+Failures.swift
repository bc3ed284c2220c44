import Foundation
import FrameFastModel
import Logging
import Store

/// The consequences of failures: whom they concern, and when the destination is tried again.
extension UploadWorker {
    /// A failure as it is once it is known whom a refusal concerns.
    ///
    /// - Parameters:
    ///   - refusals: ``RefusalJudge/refusalCount`` when the attempt began.
    ///   - resets: ``Breaker/resets`` when the attempt began. If a person closed the breaker since then, or the computer
    ///     slept, a refusal or an outage is out of date, and the photo is sent again.
    func judged(
        _ failure: UploadFailure, _ item: UploadItem, refusalsBefore refusals: Int, resetsBefore resets: Int
    ) async -> UploadFailure {
        guard !isOutdated(failure, resetsBefore: resets) else { return .stopped }
        let isRefusing = gate.breaker.cause == .refused && !gate.breaker.isTrial
        let verdict = await judge.judged(failure, item, isRefusing: isRefusing, refusalsBefore: refusals)
        // The verdict itself is looked at once more right before it is recorded.
        return isOutdated(failure, resetsBefore: resets) ? .stopped : verdict
    }

    /// Whether a failure is about the destination as it was before the breaker was closed.
    func isOutdated(_ failure: UploadFailure, resetsBefore resets: Int) -> Bool {
        guard gate.breaker.resets != resets else { return false }
        return switch failure.kind {
        case .refused, .outage: true
        case .permanent(let reason): RefusalRule.scope(reason) != .photo
        case .transient, .cancelled, .sourceAway: false
        }
    }

    /// Records a failure.
    ///
    /// - Parameter job: The job as it was before the failure.
    func note(_ failure: UploadFailure, of job: UploadJob, at now: Date) {
        if case .permanent = failure.kind { endReport(of: [job.id]) }
        switch failure.kind {
        case .outage(let seconds):
            history.trouble = UploadTrouble(failure, at: now)
            _ = perform(gate.breaker.outage(at: now, retryAfterSeconds: seconds, jitter: clock.random()))
        case .refused:
            history.trouble = UploadTrouble(failure, at: now)
            _ = perform(gate.breaker.refused(at: now, jitter: clock.random()))
        case .permanent(.fileGone):
            missingFiles.fileIsGone(at: now)
        case .permanent(let reason) where reason != .fileChanged: worked()
        case .transient:
            // In a trial this says nothing of the destination: the next job tries.
            repeated.failed(failure, of: job, at: now)
            if repeated.isReported, gate.breaker.state == .closed {
                history.trouble = UploadTrouble(failure, at: now)
            }
            tellRepeated()
        case .permanent, .cancelled, .sourceAway:
            // In a trial this says nothing of the destination: the next job tries.
            break
        }
    }

    /// Tells people of failures that repeat, if that has changed.
    func tellRepeated() {
        guard let event = repeated.event(of: target.name) else { return }
        if case .raised(let condition) = event {
            ledger.logger.warning(
                "uploads fail again and again",
                metadata: ["destination": "\(target.name)", "reason": "\(condition.sentence)"])
        }
        ledger.tell(event)
    }

    /// Ends the report of uploads that were dropped, held, delivered or given up, or that a person retries.
    func reviewRepeated() async {
        let jobs = repeated.reportedJobs
        guard !jobs.isEmpty else { return }
        // The first failure of a job is in the ledger only when its attempt has ended.
        let busy = Set(running.keys)
        guard
            let found = try? await ledger.store.uploads(
                UploadFilter(ids: Array(jobs)), limit: jobs.count)
        else { return }
        let open = found.filter { job in
            let isTried = job.attempts > 0 || busy.contains(job.id) || running[job.id] != nil
            return isTried && ![.held, .failed, .delivered].contains(job.state)
        }
        endReport(of: jobs.subtracting(open.map(\.id)))
    }

    /// Ends the report of uploads that are not tried any more.
    func endReport(of jobs: Set<JobID>) {
        let wasReported = repeated.isReported
        for job in jobs { repeated.ended(job) }
        // Otherwise the reason would be shown until the next delivery.
        if wasReported, !repeated.isReported, gate.breaker.state == .closed { history.trouble = nil }
        tellRepeated()
    }

    /// The destination took a file, or refused one for what it is: an outage before that, too short to open the breaker,
    /// is over.
    func worked() {
        _ = perform(gate.breaker.worked())
        if gate.breaker.state == .closed { history.trouble = nil }
    }

    func probe() async {
        let destination = target.destination
        // The password may have been corrected here meanwhile.
        if gate.breaker.cause == .refused { await destination.renew() }
        var answer = Breaker.ProbeAnswer.reached
        do throws(UploadFailure) {
            try await destination.probe()
            leftovers.destinationWorks(at: currentDate())
        } catch {
            history.trouble = UploadTrouble(error, at: currentDate())
            answer = error.probeAnswer
        }
        if perform(gate.breaker.probed(answer, at: currentDate(), jitter: clock.random())) {
            ledger.logger.error("a probe cannot follow a probe")
        }
        bell.ring()
    }

    /// - Returns: whether the destination is to be asked.
    func perform(_ action: Breaker.Action) -> Bool {
        switch action {
        case .nothing: return false
        case .probe: return true
        case .tryOne, .closed:
            // What the outage made wait may go, before the next claim.
            mustWakeWaiting = true
            if action == .closed { history.trouble = nil }
        case .opened: break
        }
        bell.ring()
        return false
    }
}
