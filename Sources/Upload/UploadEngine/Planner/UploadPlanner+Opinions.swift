import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// Opinions about shots, which release or hold uploads in mode `rated` and to destinations with a minimum
/// rating.
extension UploadPlanner {
    /// Applies the opinions that the ledger has not marked as applied. An opinion that was saved just before
    /// a crash is therefore applied after the restart.
    func applyOpinions() async {
        mayHaveOpinions = true
        do {
            while !ledger.stop.isRaised {
                let opinions = try await ledger.store.unappliedOpinions(limit: Self.batch)
                guard !opinions.isEmpty else {
                    mayHaveOpinions = false
                    return
                }
                // Another task may be planning a photo with its old opinions. After this call, the photo's
                // uploads exist and the review corrects them.
                while await planBatch() {}
                guard !ledger.stop.isRaised else { return }
                try await reviewUploads(of: Set(opinions.map(\.shot)))
                try await ledger.store.markApplied(opinions)
            }
        } catch {
            mayHaveOpinions = true
            ledger.logger.error("cannot apply opinions to uploads", metadata: ["reason": "\(error)"])
        }
    }

    /// Applies the ratings of shots to their waiting uploads, and logs errors.
    func reviewRatedUploads(of shots: Set<ShotID>) async {
        do { try await reviewUploads(of: shots) } catch {
            ledger.logger.error(
                "cannot apply the ratings of shots to uploads", metadata: ["reason": "\(error)"])
        }
    }

    /// Applies the ratings of shots to their waiting uploads. Adds the uploads to destinations that have not
    /// accepted the files because of their rating, if the destinations accept the files now.
    func reviewUploads(of shots: Set<ShotID>) async throws {
        for shot in shots.sorted() {
            try await readRatings(of: shot)
            let (targets, policy, defaultMode, now) = (targets, policy, defaultMode, clock.now())
            let minuteOfDay = clock.minuteOfDay(now)
            let review = try await ledger.store.reviewUploads(of: shot, at: now) { upload, mode, verdict in
                let mode = mode ?? defaultMode
                let minimum = targets.first { $0.name == upload.job.destination }?.rule.minimumRating
                guard mode == .rated || Self.followsRating(upload, minimum, verdict) else { return nil }
                return policy.change(
                    of: upload.job, to: mode, photo: upload.photo.record, verdict: verdict,
                    destinationRating: minimum, minuteOfDay: minuteOfDay)
            } plan: { unrated, destination, verdict in
                let photo = unrated.photo
                guard let target = targets.first(where: { $0.name == destination }),
                    target.rule.refusal(of: photo, verdict: verdict) == nil
                else { return nil }
                let decision = policy.decision(
                    unrated.mode ?? defaultMode, on: photo.record, verdict: verdict, minuteOfDay: minuteOfDay)
                return UploadPlan(
                    destination: destination, decision: decision, remoteName: target.remoteName(photo))
            }
            for change in review.changes { ledger.report(.job(change.job, photo: change.photo)) }
            ledger.report(changed: review.added.map(\.captureID))
            let destinations = review.changes.map(\.job.destination) + review.added.map(\.destination)
            if !destinations.isEmpty { await onNewWork(Set(destinations)) }
        }
    }

    /// Reads the ratings in files that were planned while no rating was necessary.
    private func readRatings(of shot: ShotID) async throws {
        for (upload, mode) in try await ledger.store.openUploads(shot: shot) {
            let isNeeded =
                (mode ?? defaultMode) == .rated || minimumRating(of: upload.job.destination) != nil
            let photo = await withRating(upload.photo, isNeeded: isNeeded)
            guard upload.photo.record.rating == nil, let rating = photo.record.rating else { continue }
            try await ledger.store.saveRating(rating, capture: photo.id)
        }
    }

    /// Returns whether the destination's minimum rating holds an upload, or has held it before. Other uploads
    /// do not depend on the rating in modes other than `rated`.
    private static func followsRating(
        _ upload: OpenUpload, _ minimum: Int?, _ verdict: ShotVerdict
    ) -> Bool {
        guard let minimum else { return false }
        return verdict.hold(of: upload.photo.record, minimumRating: minimum) != nil
            || upload.job.hold == .rejected || upload.job.hold == .unrated
    }
}
