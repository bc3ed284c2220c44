import Foundation
import FrameFastModel
import Logging
import Store

/// The files that uploads left at the destination and that no upload needs any more.
extension UploadWorker {
    /// The most leftovers that are remembered of a destination; a person who drops more has emptied the place by hand.
    private static let leftoversMax = 5000
    /// The shortest and the longest time between two tries to remove something, in seconds. Each failure doubles it.
    private static let leftoverPauseSeconds = 30.0...3_600

    /// Under this name the ledger keeps a destination's leftovers.
    static func leftoversKey(_ name: DestinationName) -> String { "leftovers:\(name)" }

    /// Restores the leftovers of earlier runs of the service.
    func restoreLeftovers() async {
        guard let text = try? await ledger.store.uploadSetting(Self.leftoversKey(target.name)),
            let kept = try? JSONDecoder().decode([UploadLeftover].self, from: Data(text.utf8))
        else { return }
        leftovers = kept
        leftoversDue = clock.now()
    }

    /// Records what a dropped or failed upload left, and has it removed.
    func own(_ job: UploadJob) async {
        guard let leftover = await leftover(of: job) else { return }
        leftovers = leftovers.filter { $0.job != leftover.job }.suffix(Self.leftoversMax - 1) + [leftover]
        leftoversDue = clock.now()
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
        item.saveResumePoint = { [save = item.saveResumePoint, job = item.jobID] point in
            await save(point)
            await self.saved(point, of: job)
        }
        return item
    }

    /// Records the resume point of an attempt, also of one whose job was dropped in the meantime.
    func saved(_ point: String?, of job: JobID) async {
        if resumePoints.count >= Self.resumePointsMax {
            resumePoints = resumePoints.filter { running[$0.key] != nil }
        }
        resumePoints[job] = point
        guard let point, let index = leftovers.firstIndex(where: { $0.job == job }) else { return }
        leftovers[index].resumePoint = point
        leftoversDue = clock.now()
        await saveLeftovers()
        bell.ring()
    }

    /// Has what these jobs left removed, now that their attempts have ended.
    func lookForLeftovers(of jobs: [JobID]) {
        guard leftovers.contains(where: { jobs.contains($0.job) }) else { return }
        leftoversDue = clock.now()
        bell.ring()
    }

    /// Starts to remove leftovers when it is time.
    func startDiscarding() {
        guard discarding == nil, let due = leftoversDue, due <= clock.now(), gate.allowance(workers: 1) > 0
        else { return }
        leftoversDue = nil
        discarding = Task {
            await discardLeftovers()
            discarding = nil
            bell.ring()
        }
    }

    private func discardLeftovers() async {
        let before = leftovers.count
        loop: for leftover in leftovers where running[leftover.job] == nil {
            // The upload continues: its part is not left over.
            let job = try? await ledger.store.upload(id: leftover.job)
            if let job, job.state != .failed {
                leftovers.removeAll { $0 == leftover }
                continue
            }
            do throws(UploadFailure) {
                try await target.destination.discard(leftover.item(station: station.name))
                if job != nil { try? await ledger.store.forgetResumePoints(job: leftover.job) }
                // One that got another resume point in the meantime has something more to remove.
                leftovers.removeAll { $0 == leftover }
            } catch {
                ledger.logger.notice(
                    "cannot remove what an upload left",
                    metadata: [
                        "destination": "\(target.name)", "name": "\(leftover.remoteName)",
                        "reason": "\(error.sentence)",
                    ])
                // What the destination refuses stays; one that does not answer is asked again.
                switch error.kind {
                case .permanent: leftovers.removeAll { $0 == leftover }
                // About this one: the others are tried.
                case .transient: continue
                default: break loop
                }
            }
        }
        await saveLeftovers()
        if !leftovers.isEmpty, leftoversDue == nil {
            let range = Self.leftoverPauseSeconds
            leftoverPause =
                leftovers.count < before ? range.lowerBound : min(leftoverPause * 2, range.upperBound)
            leftoversDue = clock.now().addingTimeInterval(leftoverPause)
        }
    }

    /// Name and place of the destination: a worker with the same ones continues the unfinished uploads of this one.
    nonisolated var place: String { "\(target.name) \(target.place)" }

    /// The longest time for removing what unfinished uploads left, when the destination leaves the configuration, in seconds.
    private static let discardSeconds = 20.0
    /// The states of uploads that may have left something.
    private static let unfinished: [UploadJob.State] = [.held, .queued, .uploading, .verifying, .retrying]

    /// Removes what unfinished uploads left: no later worker knows the way to the place.
    func discardEverything() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.ownUnfinished()
                for leftover in await self.leftovers where !Task.isCancelled {
                    await self.discardFinally(leftover)
                }
            }
            group.addTask { try? await Task.sleep(for: .seconds(Self.discardSeconds)) }
            await group.next()
            group.cancelAll()
        }
        await saveLeftovers()
    }

    /// Records what unfinished uploads left. It is saved once, whatever the number of uploads.
    private func ownUnfinished() async {
        for state in Self.unfinished {
            let filter = UploadFilter(destination: target.name, state: state)
            let jobs = try? await ledger.store.uploads(filter, before: nil, limit: Self.leftoversMax)
            for job in jobs ?? [] where !Task.isCancelled {
                guard let leftover = await leftover(of: job), leftovers.count < Self.leftoversMax else {
                    continue
                }
                leftovers.removeAll { $0.job == leftover.job }
                leftovers.append(leftover)
            }
        }
        await saveLeftovers()
        // At another place these mean nothing.
        try? await ledger.store.forgetResumePoints(destination: target.name)
    }

    private func discardFinally(_ leftover: UploadLeftover) async {
        do throws(UploadFailure) {
            try await target.destination.discard(leftover.item(station: station.name))
            leftovers.removeAll { $0.job == leftover.job }
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
        let text =
            leftovers.isEmpty
            ? nil : (try? JSONEncoder().encode(leftovers)).map { String(decoding: $0, as: UTF8.self) }
        let key = Self.leftoversKey(target.name)
        _ = await ledger.insist { try await $0.setUploadSetting(key, text) }
    }
}
