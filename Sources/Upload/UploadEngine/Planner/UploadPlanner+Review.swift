import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization

/// Reviews of waiting uploads after a new opinion, a protection in the camera or a new mode. Opinions and
/// protections count in mode `rated` and for destinations with a minimum rating.
extension UploadPlanner {
    /// The protections in the camera that the planner must review.
    struct PendingProtections {
        /// The shots with a photo that was protected since the last review.
        var shots: Set<ShotID> = []
        /// Whether the ledger may have more protected photos that were not reviewed. `true` at the start,
        /// because the service may have ended before the review.
        var mustSearch = true
    }

    /// Applies the opinions that the ledger has not marked as applied. An opinion that was saved just before
    /// a crash is therefore applied after the restart. An opinion about a duplicate is applied to its
    /// original.
    func applyOpinions() async {
        do {
            while !ledger.stop.isRaised {
                let opinions = try await ledger.store.unappliedOpinions(limit: Self.batch)
                guard !opinions.isEmpty else { return }
                // Another task may be planning a photo with its old opinions. After this call, the photo's
                // uploads exist and the review corrects them.
                while await planBatch() {}
                guard !ledger.stop.isRaised else { return }
                try await reviewUploads(of: Set(opinions.map(\.shot)))
                try await ledger.store.markApplied(opinions)
            }
        } catch {
            ledger.logger.error("cannot apply opinions to uploads", metadata: ["reason": "\(error)"])
        }
    }

    /// Wakes the planner, which then reviews the uploads of a shot with a newly protected photo.
    nonisolated func recordProtection(of shot: ShotID) {
        pendingProtections.withLock { _ = $0.shots.insert(shot) }
        wakeEvent.signal()
    }

    /// Wakes the planner, which then searches the ledger for new photos and protections.
    nonisolated func searchLedger() {
        pendingProtections.withLock { $0.mustSearch = true }
        wakeEvent.signal()
    }

    /// Applies protections in the camera to the waiting uploads of the protected photos. A protection that
    /// was recorded just before a crash is applied after the restart.
    func applyProtections() async {
        let pending = pendingProtections.withLock { pending -> PendingProtections in
            defer { pending = PendingProtections(mustSearch: false) }
            return pending
        }
        do {
            var shots = pending.shots
            if pending.mustSearch { shots.formUnion(try await ledger.store.protectedShotsToReview()) }
            guard !shots.isEmpty else { return }
            // Another task may be planning a photo that was not protected when the task read it.
            while await planBatch() {}
            // If the service stops, the search after the next start finds the remaining shots.
            for shot in shots.sorted() where !ledger.stop.isRaised { try await reviewUploads(of: [shot]) }
        } catch {
            pendingProtections.withLock { $0.mustSearch = true }
            ledger.logger.error("cannot apply protections to uploads", metadata: ["reason": "\(error)"])
        }
    }

    /// Applies the ratings of shots to their waiting uploads, and logs errors.
    func reviewRatedUploads(of shots: Set<ShotID>) async {
        do { try await reviewUploads(of: shots) } catch {
            ledger.logger.error(
                "cannot apply the ratings of shots to uploads", metadata: ["reason": "\(error)"])
        }
    }

    /// Applies the ratings of shots to their waiting uploads.
    private func reviewUploads(of shots: Set<ShotID>) async throws {
        for shot in shots.sorted() {
            try await review.readRatings(of: ledger.store.openUploads(shot: shot), rules)
            // Reading may take long. The rules may have changed.
            try await review.apply(rules, to: [shot])
        }
    }

    /// Applies the new mode of a session, or the end of a time window, to the waiting uploads of the session.
    ///
    /// - Returns: The number of changed jobs that are not running.
    func reapplyMode(session: SessionID?, mode: UploadMode) async throws -> Int {
        var after: JobID = 0
        var changed: Set<JobID> = []
        while true {
            let open = try await ledger.store.openUploads(session: session, after: after, limit: Self.batch)
            guard let last = open.last else { return changed.count }
            after = last.job.id
            try await review.readRatings(of: open.map { (upload: $0, mode: Optional(mode)) }, rules)
            let shots = Set(open.map(\.photo.record.shotID)).sorted()
            let jobs = try await review.apply(rules, to: shots, newModeOf: session)
            changed.formUnion(jobs.filter { !$0.isRunning }.map(\.id))
        }
    }
}
