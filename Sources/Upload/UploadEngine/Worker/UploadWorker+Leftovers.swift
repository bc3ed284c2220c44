import Foundation
import FrameFastModel
import Logging
import Store
import Synchronization

/// The files that uploads left at the destination and that no upload needs any more.
extension UploadWorker {
    /// Under this name the ledger keeps a destination's leftovers.
    static func leftoversKey(_ name: DestinationName) -> String { "leftovers:\(name)" }

    /// The leftovers of a destination in the ledger.
    private struct Kept: Codable {
        /// See ``UploadTarget/place``.
        var place: String
        var leftovers: [UploadLeftover]
    }

    /// Restores the leftovers of earlier runs of the service. Those at another place of this name are not looked for here.
    func restoreLeftovers() async {
        guard let text = try? await ledger.store.uploadSetting(Self.leftoversKey(target.name)),
            let kept = try? JSONDecoder().decode(Kept.self, from: Data(text.utf8)),
            kept.place == target.place
        else { return }
        leftovers.restore(kept.leftovers, at: currentDate())
    }

    /// Records what a dropped or failed upload left, and has it removed.
    func own(_ job: UploadJob) async {
        guard let leftover = await leftover(of: job) else { return }
        leftovers.add(leftover, at: currentDate())
        await saveLeftovers()
        bell.ring()
    }

    /// The leftover of a job with its last resume point; `nil` if no attempt of it was begun.
    private func leftover(of job: UploadJob) async -> UploadLeftover? {
        let record = try? await ledger.store.capture(id: job.captureID)
        guard var leftover = UploadLeftover(job, sha256: record?.sha256) else { return nil }
        leftover.resumePoint = resumePoints[job.id] ?? leftover.resumePoint
        return leftover
    }

    /// The most resume points that are remembered; each is needed until its attempt has ended.
    private static let resumePointsMax = 1000

    /// The upload, whose resume points are recorded here as well as in the ledger.
    func recorded(_ item: UploadItem) -> UploadItem {
        var item = item
        item.saveResumePoint = {
            [save = item.saveResumePoint, job = item.jobID, sha256 = item.sha256] point in
            await save(point)
            await self.saved(point, of: job, sha256: sha256)
        }
        return item
    }

    /// Records the resume point of an attempt, also of one whose job was dropped in the meantime.
    ///
    /// - Parameter sha256: The hash of the version that the attempt sends.
    func saved(_ point: String?, of job: JobID, sha256: String) async {
        if resumePoints.count >= Self.resumePointsMax {
            resumePoints = resumePoints.filter { running[$0.key] != nil }
        }
        resumePoints[job] = point
        guard let point, leftovers.update(point, of: job, sha256: sha256, at: currentDate()) else { return }
        await saveLeftovers()
        bell.ring()
    }

    /// Has what these jobs left removed, now that their attempts have ended.
    func lookForLeftovers(of jobs: [JobID]) {
        if leftovers.attemptsEnded(jobs, at: currentDate()) { bell.ring() }
    }

    /// Starts to remove leftovers when it is time.
    func startDiscarding() {
        if gate.allowance(workers: 1) > 0 { startRound(isAbandoned: false) }
    }

    /// - Parameter isAbandoned: Whether the place is no longer configured.
    private func startRound(isAbandoned: Bool) {
        let now = currentDate()
        guard discarding == nil, let due = leftovers.nextTry(at: now), due <= now else { return }
        let round = leftovers.beginRound(at: now)
        discarding = Task {
            await discard(round, isAbandoned: isAbandoned)
            discarding = nil
            bell.ring()
        }
    }

    private func discard(_ round: [UploadLeftover], isAbandoned: Bool) async {
        var (hasTried, hasLogged) = (false, false)
        loop: for leftover in round where running[leftover.job] == nil {
            if isAbandoned, !leavesPlace.load(ordering: .acquiring) { break }
            // At an abandoned place no upload continues.
            let job = try? await ledger.store.upload(id: leftover.job)
            if !isAbandoned, let job, await needs(leftover, job) {
                leftovers.removed(leftover)
                continue
            }
            // The place may be the same server under another name: then this is the part that is being written.
            if let job, [.uploading, .verifying].contains(job.state) { continue }
            hasTried = true
            do throws(UploadFailure) {
                try await target.destination.discard(leftover.item(station: station.name))
                // The job may continue elsewhere by now.
                if !isAbandoned, job?.state == .failed {
                    try? await ledger.store.forgetResumePoints(job: leftover.job)
                }
                leftovers.removed(leftover)
            } catch {
                switch error.kind {
                case .permanent(let reason), .refused(let reason):
                    if leftovers.refuse(leftover) { log(error, leftover) }
                    guard RefusalRule.scope(reason) == .destination else { continue }
                    // A wrong password is not shown for each of them.
                    leftovers.refuseAll()
                    break loop
                case .transient:
                    // The server answers, and can't remove this one now: the others are tried.
                    if leftovers.removalFailed(leftover), !hasLogged {
                        hasLogged = true
                        log(error, leftover)
                    }
                case .outage, .sourceAway, .cancelled:
                    if leftovers.removalFailed(leftover) { log(error, leftover) }
                    break loop
                }
            }
        }
        leftovers.endRound(at: currentDate(), hasTried: hasTried)
        await saveLeftovers()
    }

    /// Whether an upload continues with its part. A version that was replaced by an edited one has left a part of its own.
    private func needs(_ leftover: UploadLeftover, _ job: UploadJob) async -> Bool {
        guard job.state != .failed else { return false }
        guard let record = try? await ledger.store.capture(id: job.captureID) else { return true }
        return record.sha256 == leftover.sha256
    }

    private func log(_ failure: UploadFailure, _ leftover: UploadLeftover) {
        ledger.logger.notice(
            "cannot remove what an upload left",
            metadata: [
                "destination": "\(target.name)", "name": "\(leftover.remoteName)",
                "reason": "\(failure.sentence)",
            ])
    }

    /// Name and place of the destination: a worker with the same ones continues the unfinished uploads of this one.
    nonisolated var place: String { "\(target.name) \(target.place)" }

    /// The longest time for removing what unfinished uploads left, when the destination leaves the configuration, in seconds.
    private static let discardSeconds = 20.0
    /// The states of uploads that may have left something.
    private static let unfinished: [UploadJob.State] = [.held, .queued, .uploading, .verifying, .retrying]

    /// Removes what unfinished uploads left: no later worker knows the way to the place.
    func discardEverything() async {
        let removal = Task {
            await ownUnfinished()
            for leftover in leftovers.all where !Task.isCancelled {
                // Later, over a network that costs nothing.
                guard !gate.isHeldByMeter else { break }
                await discardFinally(leftover)
            }
        }
        await waitForEnd(of: removal, seconds: Self.discardSeconds, clock)
        removal.cancel()
        await saveLeftovers()
    }

    /// The longest time in which leftovers at a place that left the configuration are removed, in seconds. The service knows the
    /// way to the place as long as it runs.
    static let abandonedSeconds = 86_400.0

    /// Removes what is left at a place that is no longer configured, and that could not be removed at once, for example
    /// because the server is away. Ends early if the place is configured again.
    func discardAbandoned() async {
        guard leavesPlace.load(ordering: .acquiring), !leftovers.all.isEmpty, !ledger.stop.isRaised
        else { return }
        let began = currentDate()
        // Not a date: somebody may set the clock.
        let last = clock.uptime() + Self.abandonedSeconds
        // The first try has just failed.
        _ = leftovers.beginRound(at: began)
        leftovers.endRound(at: began)
        while leavesPlace.load(ordering: .acquiring), !leftovers.all.isEmpty, !ledger.stop.isRaised,
            !Task.isCancelled, clock.uptime() < last
        {
            await lookAtMeter()
            let isHeld = gate.isHeldByMeter
            if !isHeld { startRound(isAbandoned: true) }
            let now = currentDate()
            let left = max(last - clock.uptime(), 0)
            // A round rings when it ends: until then nothing else is tried.
            let wait = leftovers.wait(
                at: now, canTry: discarding == nil && !isHeld,
                longest: isHeld ? min(left, Self.meteredLookSeconds) : left)
            await bell.wait(seconds: wait, clock)
        }
        discarding?.cancel()
        if !ledger.stop.isRaised, let discarding {
            await waitForEnd(of: discarding, seconds: Self.closeSeconds, .system)
        }
        guard !leftovers.all.isEmpty, leavesPlace.load(ordering: .acquiring) else { return }
        ledger.logger.warning(
            "uploads left parts at a place that is no longer configured",
            metadata: ["destination": "\(target.name)", "parts": "\(leftovers.all.count)"])
    }

    /// Records what unfinished uploads left. It is saved once, whatever the number of uploads.
    private func ownUnfinished() async {
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
        // At another place these mean nothing.
        try? await ledger.store.forgetResumePoints(destination: target.name)
    }

    private func discardFinally(_ leftover: UploadLeftover) async {
        do throws(UploadFailure) {
            try await target.destination.discard(leftover.item(station: station.name))
            leftovers.removed(leftover)
        } catch {
            ledger.logger.warning(
                "cannot remove what an upload left at a place that is no longer configured",
                metadata: [
                    "destination": "\(target.name)", "name": "\(leftover.remoteName)",
                    "reason": "\(error.sentence)",
                ])
        }
    }

    private func saveLeftovers() async {
        let isSuperseded = isSuperseded.load(ordering: .acquiring)
        if isSuperseded, hasLeft { return }
        let kept = Kept(place: target.place, leftovers: leftovers.all)
        let text =
            leftovers.all.isEmpty || isSuperseded
            ? nil : (try? JSONEncoder().encode(kept)).map { String(decoding: $0, as: UTF8.self) }
        let key = Self.leftoversKey(target.name)
        _ = await ledger.insist { try await $0.setUploadSetting(key, text) }
    }
}
