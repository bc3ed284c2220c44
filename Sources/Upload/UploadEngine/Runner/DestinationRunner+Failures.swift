import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// The handling of failures: whom they concern, and when the destination is tried again.
extension DestinationRunner {
    /// Returns the failure with its final kind.
    ///
    /// - Parameters:
    ///   - refusals: The value of ``RefusalClassifier/refusalCount`` at the start of the attempt.
    ///   - resets: The value of ``Breaker/resets`` at the start of the attempt. After a later reset, a
    ///     refusal or an outage is outdated, and the photo is sent again.
    func classify(
        _ failure: UploadFailure, _ item: UploadItem, refusalsBefore refusals: Int, resetsBefore resets: Int
    ) async -> UploadFailure {
        guard !isOutdated(failure, resetsBefore: resets) else { return .stopped }
        let isRefusing = gate.breaker.cause == .refused && !gate.breaker.isTrial
        let verdict = await refusalClassifier.classify(
            failure, item, isRefusing: isRefusing, refusalsBefore: refusals)
        // Checks again, because the breaker may have been reset during the probe.
        return isOutdated(failure, resetsBefore: resets) ? .stopped : verdict
    }

    /// Whether the failure is about the destination before the last reset of the breaker.
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
    /// - Parameter job: The job before the failure.
    func recordFailure(_ failure: UploadFailure, of job: UploadJob, at now: Date) {
        if case .permanent = failure.kind { endReport(of: [job.id]) }
        switch failure.kind {
        case .outage(let seconds):
            history.lastFailure = DestinationFailure(failure, at: now)
            _ = perform(
                gate.breaker.recordOutage(at: now, retryAfterSeconds: seconds, jitter: clock.random()))
        case .refused:
            history.lastFailure = DestinationFailure(failure, at: now)
            _ = perform(gate.breaker.recordRefusal(at: now, jitter: clock.random()))
        case .permanent(.fileGone):
            missingFiles.recordMissingFile(at: now)
        case .permanent(let reason) where reason != .fileChanged: recordSuccess()
        case .transient:
            // During a trial, a transient failure says nothing about the destination. The next job tries.
            repeated.record(failure, of: job, at: now)
            if repeated.isReported, gate.breaker.state == .closed {
                history.lastFailure = DestinationFailure(failure, at: now)
            }
            reportRepeatedFailures()
        case .permanent, .cancelled, .sourceAway:
            // During a trial, these failures say nothing about the destination. The next job tries.
            break
        }
    }

    /// Raises or clears the condition about repeated failures if it changed.
    func reportRepeatedFailures() {
        guard let event = repeated.event(of: target.name) else { return }
        if case .raised(let condition) = event {
            ledger.logger.warning(
                "uploads keep failing",
                metadata: ["destination": "\(target.name)", "reason": "\(condition.sentence)"])
        }
        ledger.report(event)
    }

    /// Removes uploads from the report of repeated failures if they were dropped, held, delivered or given
    /// up, or if a person retries them.
    func reviewRepeatedFailures() async {
        let jobs = repeated.reportedJobs
        guard !jobs.isEmpty else { return }
        // The ledger contains a job's first failure only after the attempt has ended.
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

    /// Removes uploads that are not retried any more from the report of repeated failures.
    func endReport(of jobs: Set<JobID>) {
        let wasReported = repeated.isReported
        for job in jobs { repeated.remove(job) }
        // Otherwise the reason would stay visible until the next delivery.
        if wasReported, !repeated.isReported, gate.breaker.state == .closed { history.lastFailure = nil }
        reportRepeatedFailures()
    }

    /// Records that the destination accepted a file or rejected one for its content. This ends an outage that
    /// was too short to open the breaker.
    func recordSuccess() {
        _ = perform(gate.breaker.recordSuccess())
        if gate.breaker.state == .closed { history.lastFailure = nil }
    }

    func probeDestination() async {
        let destination = target.destination
        // A person may have corrected the password in the meantime.
        if gate.breaker.cause == .refused { await destination.renewCredentials() }
        var answer = Breaker.ProbeAnswer.reached
        do throws(UploadFailure) {
            try await destination.probe()
            leftovers.recordReachableDestination(at: currentDate())
        } catch {
            history.lastFailure = DestinationFailure(error, at: currentDate())
            answer = error.probeAnswer
        }
        if perform(gate.breaker.recordProbe(answer, at: currentDate(), jitter: clock.random())) {
            ledger.logger.error("a probe cannot follow a probe")
        }
        wakeEvent.ring()
    }

    /// - Returns: Whether the caller has to probe the destination.
    func perform(_ action: Breaker.Action) -> Bool {
        switch action {
        case .nothing: return false
        case .probe: return true
        case .tryOne, .closed:
            // Jobs that waited for the outage may start before the next claim.
            mustWakeWaiting = true
            if action == .closed { history.lastFailure = nil }
        case .opened: break
        }
        wakeEvent.ring()
        return false
    }
}
