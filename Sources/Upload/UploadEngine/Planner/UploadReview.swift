import FrameFastModel
import FrameFastSystem
import Store

/// A review of waiting uploads after a change of ratings or of an upload mode.
struct UploadReview: Sendable {
    let ledger: QueueLedger
    let files: BlockingPool
    let onNewWork: @Sendable (_ destinations: Set<DestinationName>) async -> Void

    /// Applies the rules to the waiting uploads of shots, in one commit, and reports the changes. If a
    /// destination refused a file because of its rating and now accepts the file, adds the upload.
    ///
    /// - Parameter session: The session whose mode has changed, `.some(nil)` for photos without a session, or
    ///   `nil` if only ratings have changed. Uploads of other sessions change only if they depend on ratings.
    /// - Returns: The changed jobs, without new jobs.
    @discardableResult
    func apply(
        _ rules: PlanningRules, to shots: [ShotID], newModeOf session: SessionID?? = nil
    ) async throws -> [UploadJob] {
        let now = ledger.clock.now()
        let minuteOfDay = ledger.clock.minuteOfDay(now)
        let review = try await ledger.store.reviewUploads(of: shots, at: now) { upload, mode, verdict in
            let hasNewMode = session.map { $0 == upload.job.sessionID } ?? false
            guard hasNewMode || rules.followsRating(upload, mode, verdict) else { return nil }
            return rules.change(of: upload, mode, verdict, minuteOfDay: minuteOfDay)
        } plan: { unrated, destination, verdict in
            guard let target = rules.targets.first(where: { $0.name == destination }) else { return nil }
            return rules.plan(unrated, to: target, verdict, minuteOfDay: minuteOfDay)
        } onCommit: { [ledger] review in
            for change in review.changes { ledger.report(.job(change.job, photo: change.photo)) }
        }
        ledger.report(changed: review.added.map(\.captureID))
        let destinations = review.changes.map(\.job.destination) + review.added.map(\.destination)
        if !destinations.isEmpty { await onNewWork(Set(destinations)) }
        return review.changes.map(\.job)
    }

    /// For uploads that depend on a rating, reads missing ratings from files and saves them in the ledger.
    func readRatings(
        of uploads: [(upload: OpenUpload, mode: UploadMode?)], _ rules: PlanningRules
    ) async throws {
        var read: Set<CaptureID> = []
        for (upload, mode) in uploads
        where rules.needsRating(mode, at: upload.job.destination) && read.insert(upload.photo.id).inserted {
            guard let rating = await unreadRating(of: upload.photo) else { continue }
            try await ledger.store.saveRating(rating, capture: upload.photo.id)
        }
    }

    /// Returns the rating in a photo's file, or `nil` if the ledger has the rating or the photo has no file.
    func unreadRating(of photo: Photo) async -> Int? {
        guard photo.record.rating == nil, let path = photo.record.path else { return nil }
        // An unreadable file has no rating. Its upload reports the error.
        let rating: Int? = try? await files.run {
            let file = try FileReader(path)
            return try RatingReader.rating(size: file.size) { try file.read(at: $0, count: $1) }
        }
        return rating ?? 0
    }
}
