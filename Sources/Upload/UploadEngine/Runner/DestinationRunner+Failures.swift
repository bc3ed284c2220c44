import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// Classifying failures, and retrying the destination.
extension DestinationRunner {
    /// Returns the failure with its final kind.
    ///
    /// - Parameters:
    ///   - refusals: The value of ``RefusalClassifier/refusalCount`` at the start of the attempt.
    ///   - resets: The value of ``Breaker/resets`` at the start of the attempt. If the value has changed,
    ///     refusals and outages are outdated, and the runner sends the photo again.
    func classify(
        _ failure: UploadFailure, _ item: UploadItem, refusalsBefore refusals: Int, resetsBefore resets: Int
    ) async -> UploadFailure {
        guard !isOutdated(failure, resetsBefore: resets) else { return .stopped }
        let isRefusing = gate.breaker.cause == .refused && !gate.breaker.isTrial
        let classified = await refusalClassifier.classify(
            failure, item, isRefusing: isRefusing, refusalsBefore: refusals)
        // During the probe, a reset may have closed the breaker, or another refusal may have opened the
        // breaker. In both cases, an accepted probe is no evidence about this photo.
        let isOutdated = isOutdated(failure, resetsBefore: resets) || isNowRefused(failure, classified)
        return isOutdated ? .stopped : classified
    }

    /// Returns whether the destination now refuses all uploads although a probe led to a different result.
    /// Returns `false` for failures that need no probe.
    private func isNowRefused(_ failure: UploadFailure, _ classified: UploadFailure) -> Bool {
        guard case .permanent(let reason) = failure.kind, RefusalRule.scope(reason) == .unclear else {
            return false
        }
        if case .refused = classified.kind { return false }
        return gate.breaker.cause == .refused && !gate.breaker.isTrial
    }

    /// Returns whether a reset of the breaker during the attempt made the failure outdated. Failures of a
    /// single photo are never outdated.
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
            // A transient failure of a trial job says nothing about the destination. The next job runs as the
            // trial job.
            repeated.record(failure, of: job, at: now)
            if repeated.isReported, gate.breaker.state == .closed {
                history.lastFailure = DestinationFailure(failure, at: now)
            }
            reportRepeatedFailures()
        case .permanent, .cancelled, .sourceAway:
            // If a trial job fails for one of these reasons, the failure says nothing about the destination.
            // The next job runs as the trial job.
            break
        }
    }

    /// Reports the condition about repeated failures if it changed.
    func reportRepeatedFailures() {
        guard let event = repeated.event(of: target.name) else { return }
        if case .raised(let condition) = event {
            ledger.logger.warning(
                "uploads keep failing",
                metadata: ["destination": "\(target.name)", "reason": "\(condition.sentence)"])
        }
        ledger.report(event)
    }

    /// Removes dropped, held, delivered and failed jobs, and jobs that a person retries, from the report of
    /// repeated failures.
    func reviewRepeatedFailures() async {
        let jobs = repeated.reportedJobs
        guard !jobs.isEmpty else { return }
        // Running jobs stay in the report, because the ledger contains a job's first failure only after the
        // attempt has ended.
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

    /// Removes these jobs from the report of repeated failures.
    func endReport(of jobs: Set<JobID>) {
        let wasReported = repeated.isReported
        for job in jobs { repeated.remove(job) }
        // Clears the last failure now, because the next delivery may come much later.
        if wasReported, !repeated.isReported, gate.breaker.state == .closed { history.lastFailure = nil }
        reportRepeatedFailures()
    }

    /// Records that the destination accepted a file, or refused a file because of its content. Resets the
    /// count of consecutive outages.
    func recordSuccess() {
        _ = perform(gate.breaker.recordSuccess())
        if gate.breaker.state == .closed { history.lastFailure = nil }
    }

    func probeDestination() async {
        let destination = target.destination
        // A person may have corrected the password since the last probe.
        if gate.breaker.cause == .refused { await destination.renewCredentials() }
        var result = Breaker.ProbeResult.reached
        do throws(UploadFailure) {
            try await destination.probe()
            leftovers.recordReachableDestination(at: currentDate())
        } catch {
            history.lastFailure = DestinationFailure(error, at: currentDate())
            result = error.probeResult
        }
        if perform(gate.breaker.recordProbe(result, at: currentDate(), jitter: clock.random())) {
            ledger.logger.error("the circuit breaker requested a second probe directly after a probe")
        }
        wakeEvent.signal()
    }

    /// - Returns: Whether the caller must probe the destination.
    func perform(_ action: Breaker.Action) -> Bool {
        switch action {
        case .nothing: return false
        case .probe: return true
        case .tryOne, .closed:
            // Jobs that waited because of the outage become ready before the next claim.
            mustWakeWaiting = true
            if action == .closed { history.lastFailure = nil }
        case .opened: break
        }
        wakeEvent.signal()
        return false
    }
}
