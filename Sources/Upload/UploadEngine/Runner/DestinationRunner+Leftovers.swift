import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization

/// Deleting partial files that no upload needs any more.
extension DestinationRunner {
    /// Returns the ledger key of a destination's leftovers.
    static func leftoversKey(_ name: DestinationName) -> String { "leftovers:\(name)" }

    /// The leftovers of a destination, as a value for the ledger.
    private struct StoredLeftovers: Codable {
        /// The location of the leftovers. See ``UploadTarget/place``.
        var place: String
        var leftovers: [UploadLeftover]
    }

    /// Restores the leftovers of earlier runs. Ignores them if the destination had another location.
    func restoreLeftovers() async {
        if let text = try? await ledger.store.uploadSetting(Self.leftoversKey(target.name)),
            let stored = try? JSONDecoder().decode(StoredLeftovers.self, from: Data(text.utf8)),
            stored.place == target.place
        {
            leftovers.restore(stored.leftovers, at: currentDate())
        }
        hasRestoredLeftovers = true
        await enqueueDropped()
    }

    /// Records a dropped job. Called after the commit of the drop, and before the next commit. A runner that
    /// is ending then finds either the job in the ledger or this record. A job without an attempt has no
    /// leftovers, so the runner does not read its photo from the ledger.
    nonisolated func recordDrop(of job: UploadJob) {
        guard job.claimedAt != nil else { return }
        droppedJobs.withLock { $0.append(job) }
    }

    /// Queues the leftovers of dropped jobs for deletion. Before the runner starts, the jobs wait, because
    /// the queue would replace the stored leftovers of earlier runs.
    func enqueueDropped() async {
        guard hasRestoredLeftovers else { return }
        if hasEndedUploads, isRetired.load(ordering: .relaxed) {
            // The runner has deleted the files of all jobs that were unfinished or already dropped.
            return droppedJobs.withLock { $0 = [] }
        }
        var hasLeftovers = false
        while let job = droppedJobs.withLock(\.first) {
            let leftover = await leftover(of: job)
            // Another task may have queued the leftover during the read of the ledger.
            let isWaiting = droppedJobs.withLock { jobs in
                guard let index = jobs.firstIndex(where: { $0.id == job.id }) else { return false }
                jobs.remove(at: index)
                return true
            }
            if isWaiting, let leftover {
                leftovers.add(leftover, at: currentDate())
                hasLeftovers = true
            }
        }
        guard hasLeftovers else { return }
        await saveLeftovers()
        wakeEvent.signal()
    }

    /// Queues the leftover of a failed upload for deletion.
    func enqueueLeftover(of job: UploadJob) async {
        guard let leftover = await leftover(of: job) else { return }
        leftovers.add(leftover, at: currentDate())
        await saveLeftovers()
        wakeEvent.signal()
    }

    /// Returns the leftover of a job with the job's last resume point. Returns `nil` if no attempt has
    /// started, the photo is delivered, or the ledger does not have the photo's hash.
    private func leftover(of job: UploadJob) async -> UploadLeftover? {
        let record = try? await ledger.store.capture(id: job.captureID)
        guard var leftover = UploadLeftover(job, sha256: record?.sha256) else { return nil }
        leftover.resumePoint = resumePoints[job.id] ?? leftover.resumePoint
        return leftover
    }

    /// The largest number of stored resume points. A resume point is needed only until its attempt has ended.
    private static let resumePointsMax = 1000

    /// Returns the item with a callback that also records each resume point in the runner.
    func recordingResumePoints(of item: UploadItem) -> UploadItem {
        var item = item
        item.saveResumePoint = {
            [save = item.saveResumePoint, job = item.jobID, sha256 = item.sha256] point in
            await save(point)
            await self.recordResumePoint(point, of: job, sha256: sha256)
        }
        return item
    }

    /// Records the resume point of an attempt. The job may have been dropped during the attempt.
    ///
    /// - Parameter sha256: The hash of the file version that the attempt sends.
    func recordResumePoint(_ point: String?, of job: JobID, sha256: String) async {
        if resumePoints.count >= Self.resumePointsMax {
            let running = running
            resumePoints = resumePoints.filter { running[$0.key] != nil }
        }
        resumePoints[job] = point
        guard let point, leftovers.update(point, of: job, sha256: sha256, at: currentDate()) else { return }
        await saveLeftovers()
        wakeEvent.signal()
    }

    /// Makes the leftovers of these jobs due. Called when attempts of the jobs have ended.
    func retryLeftovers(of jobs: [JobID]) {
        if leftovers.recordEndedAttempts(jobs, at: currentDate()) { wakeEvent.signal() }
    }

    /// Starts a round of deletions if one is due.
    func startDiscarding() {
        if gate.allowance(workers: 1) > 0 { startRound(isAbandoned: false) }
    }

    /// - Parameter isAbandoned: Whether the location is no longer configured.
    private func startRound(isAbandoned: Bool) {
        let now = currentDate()
        guard discarding == nil, let due = leftovers.nextTry(at: now), due <= now else { return }
        let round = leftovers.beginRound(at: now)
        discarding = Task {
            await discard(round, isAbandoned: isAbandoned)
            discarding = nil
            wakeEvent.signal()
        }
    }

    private func discard(_ round: [UploadLeftover], isAbandoned: Bool) async {
        var (hasTried, hasLogged) = (false, false)
        // The end of the commit makes the leftovers of its jobs due.
        loop: for leftover in round
        where running[leftover.job] == nil && !endedJobs.isBeingWritten(leftover.job) {
            if isAbandoned, !leavesPlace.load(ordering: .acquiring) { break }
            // At a location that is no longer configured, no upload continues.
            let job = try? await ledger.store.upload(id: leftover.job)
            if !isAbandoned, let job, await isContinued(leftover, by: job) {
                leftovers.remove(leftover)
                continue
            }
            // Two configured destinations can use the same server. The leftover may therefore be the partial
            // file of a running upload.
            if let job, [.uploading, .verifying].contains(job.state) { continue }
            hasTried = true
            do throws(UploadFailure) {
                try await target.destination.discardLeftovers(of: leftover.item(station: station.name))
                // If the location is abandoned, the job may have resume points for another location. Those
                // resume points stay valid.
                if !isAbandoned, job?.state == .failed {
                    try? await ledger.store.forgetResumePoints(job: leftover.job)
                }
                leftovers.remove(leftover)
            } catch {
                switch error.kind {
                case .permanent(let reason), .refused(let reason):
                    if leftovers.recordRefusal(leftover) { log(error, leftover) }
                    guard RefusalRule.scope(reason) == .destination else { continue }
                    // Ends the round, because a wrong password must not be sent again for each leftover.
                    leftovers.recordRefusalOfAll()
                    break loop
                case .transient:
                    // The server responds but cannot delete this leftover now. The round continues with the
                    // other leftovers.
                    if leftovers.recordFailure(leftover), !hasLogged {
                        hasLogged = true
                        log(error, leftover)
                    }
                case .outage, .sourceAway, .cancelled:
                    if leftovers.recordFailure(leftover) { log(error, leftover) }
                    break loop
                }
            }
        }
        leftovers.endRound(at: currentDate(), hasTried: hasTried)
        await saveLeftovers()
    }

    /// Returns whether an upload resumes this partial file. Each version of an edited photo has its own
    /// partial file.
    private func isContinued(_ leftover: UploadLeftover, by job: UploadJob) async -> Bool {
        guard job.state != .failed else { return false }
        guard let record = try? await ledger.store.capture(id: job.captureID) else { return true }
        return record.sha256 == leftover.sha256
    }

    private func log(_ failure: UploadFailure, _ leftover: UploadLeftover) {
        ledger.logger.notice(
            "cannot remove the partial file of an upload",
            metadata: [
                "destination": "\(target.name)", "name": "\(leftover.remoteName)",
                "reason": "\(failure.sentence)",
            ])
    }

    /// The name and location of the destination. A later runner with the same value resumes this runner's
    /// unfinished uploads.
    nonisolated var place: String { "\(target.name) \(target.place)" }

    /// The time limit for deleting the files of unfinished uploads after the destination was removed, in
    /// seconds.
    private static let discardSeconds = 20.0
    /// The states of jobs that may have left files.
    private static let unfinished: [UploadJob.State] = [.held, .queued, .uploading, .verifying, .retrying]

    /// Deletes the files of all unfinished uploads. No later runner has access to this location.
    func discardEverything() async {
        let removal = Task {
            await enqueueUnfinished()
            for leftover in leftovers.all where !Task.isCancelled {
                // The network is now metered. `discardAbandoned` deletes the remaining leftovers.
                guard !gate.isHeldByMeter else { break }
                await discardFinally(leftover)
            }
        }
        await waitForEnd(of: removal, seconds: Self.discardSeconds, clock)
        removal.cancel()
        await saveLeftovers()
    }

    /// The longest time to retry deleting leftovers at a removed location, in seconds. After a restart, the
    /// service has no access to the location.
    static let abandonedSeconds = 86_400.0

    /// Retries deleting leftovers at a location that is no longer configured, if the first try failed. Ends
    /// early if the location is configured again.
    func discardAbandoned() async {
        guard leavesPlace.load(ordering: .acquiring), !leftovers.all.isEmpty, !ledger.stop.isRaised
        else { return }
        let began = currentDate()
        // Uses the uptime, because the date can be set.
        let last = clock.uptime() + Self.abandonedSeconds
        // The first try has just failed. The next try starts after a pause.
        _ = leftovers.beginRound(at: began)
        leftovers.endRound(at: began)
        while leavesPlace.load(ordering: .acquiring), !leftovers.all.isEmpty, !ledger.stop.isRaised,
            !Task.isCancelled, clock.uptime() < last
        {
            await checkMeteredNetwork()
            let isHeld = gate.isHeldByMeter
            if !isHeld { startRound(isAbandoned: true) }
            let now = currentDate()
            let remaining = max(last - clock.uptime(), 0)
            // The end of a round also signals `wakeEvent`.
            let wait = leftovers.wait(
                at: now, canTry: discarding == nil && !isHeld,
                longest: isHeld ? min(remaining, Self.meteredCheckSeconds) : remaining)
            await wakeEvent.wait(seconds: wait, clock)
        }
        discarding?.cancel()
        if !ledger.stop.isRaised, let discarding {
            await waitForEnd(of: discarding, seconds: Self.closeSeconds, .real)
        }
        guard !leftovers.all.isEmpty, leavesPlace.load(ordering: .acquiring) else { return }
        ledger.logger.warning(
            "uploads left partial files at a location that is no longer configured",
            metadata: ["destination": "\(target.name)", "parts": "\(leftovers.all.count)"])
    }

    /// Queues the leftovers of all unfinished uploads, and saves the queue once.
    private func enqueueUnfinished() async {
        for state in Self.unfinished {
            let filter = UploadFilter(destination: target.name, state: state)
            let jobs = try? await ledger.store.uploads(filter, before: nil, limit: LeftoverQueue.countMax)
            for job in jobs ?? [] where !Task.isCancelled {
                guard leftovers.all.count < LeftoverQueue.countMax,
                    let leftover = await leftover(of: job)
                else { continue }
                leftovers.add(leftover, at: currentDate())
            }
        }
        await saveLeftovers()
        // A resume point is useless at another location.
        try? await ledger.store.forgetResumePoints(destination: target.name)
        // All jobs that were dropped before the search are recorded by now, because the runner has written to
        // the ledger since then.
        await enqueueDropped()
    }

    private func discardFinally(_ leftover: UploadLeftover) async {
        do throws(UploadFailure) {
            try await target.destination.discardLeftovers(of: leftover.item(station: station.name))
            leftovers.remove(leftover)
        } catch {
            ledger.logger.warning(
                "cannot remove the partial file of an upload at a location that is no longer configured",
                metadata: [
                    "destination": "\(target.name)", "name": "\(leftover.remoteName)",
                    "reason": "\(error.sentence)",
                ])
        }
    }

    private func saveLeftovers() async {
        let isSuperseded = isSuperseded.load(ordering: .acquiring)
        if isSuperseded, hasEndedUploads { return }
        let stored = StoredLeftovers(place: target.place, leftovers: leftovers.all)
        let text =
            leftovers.all.isEmpty || isSuperseded
            ? nil : (try? JSONEncoder().encode(stored)).map { String(decoding: $0, as: UTF8.self) }
        let key = Self.leftoversKey(target.name)
        _ = await ledger.withRetries { try await $0.setUploadSetting(key, text) }
    }
}
