import FrameFastModel
import Store

/// The rules for new and waiting uploads: the destinations, and the settings of the upload modes.
struct PlanningRules: Sendable {
    /// The destinations.
    var targets: [UploadTarget]
    /// The current settings of the modes.
    var policy: UploadModePolicy
    /// The mode of photos without a session.
    var defaultMode: UploadMode

    /// Returns the mode of a photo.
    ///
    /// - Parameter mode: The mode of the photo's session, or `nil` for a photo without a session.
    func effectiveMode(_ mode: UploadMode?) -> UploadMode { mode ?? defaultMode }

    /// Returns whether the uploads of a photo depend on its rating.
    func needsRating(_ mode: UploadMode?) -> Bool {
        effectiveMode(mode) == .rated || targets.contains { $0.rule.needsRating }
    }

    /// Returns whether the upload of a photo to one destination depends on the photo's rating.
    func needsRating(_ mode: UploadMode?, at destination: DestinationName) -> Bool {
        effectiveMode(mode) == .rated || minimumRating(of: destination) != nil
    }

    /// Returns the new job of a photo, or `nil` if the destination does not accept the photo.
    func plan(
        _ unplanned: UnplannedPhoto, to target: UploadTarget, _ verdict: ShotVerdict, minuteOfDay: Int
    ) -> UploadPlan? {
        let photo = unplanned.photo
        guard target.rule.refusal(of: photo, verdict: verdict) == nil else { return nil }
        return UploadPlan(
            destination: target.name,
            decision: policy.decision(
                effectiveMode(unplanned.mode), on: photo.record, verdict: verdict, minuteOfDay: minuteOfDay),
            remoteName: target.remoteName(photo))
    }

    /// Returns the destinations whose only reason to refuse a photo is its rating.
    func unrated(_ photo: Photo, _ verdict: ShotVerdict) -> [UnratedUpload] {
        targets.filter {
            $0.rule.permanentRefusal(of: photo) == nil && $0.rule.refusal(of: photo, verdict: verdict) != nil
        }.map { UnratedUpload(captureID: photo.id, destination: $0.name) }
    }

    /// Returns the event that applies the rules to a waiting upload, or `nil` if the upload does not change.
    func change(
        of upload: OpenUpload, _ mode: UploadMode?, _ verdict: ShotVerdict, minuteOfDay: Int
    ) -> UploadJob.Event? {
        policy.change(
            of: upload.job, to: effectiveMode(mode), photo: upload.photo.record, verdict: verdict,
            destinationRating: minimumRating(of: upload.job.destination), minuteOfDay: minuteOfDay)
    }

    /// Returns whether an upload depends on its photo's rating. This is so in three cases: the mode is
    /// `rated`, the upload is held because of a rating, or the new rating would hold the upload.
    func followsRating(_ upload: OpenUpload, _ mode: UploadMode?, _ verdict: ShotVerdict) -> Bool {
        let hold = upload.job.hold
        if effectiveMode(mode) == .rated || hold == .rejected || hold == .unrated { return true }
        guard let minimum = minimumRating(of: upload.job.destination) else { return false }
        return verdict.hold(of: upload.photo.record, minimumRating: minimum) != nil
    }

    /// Returns the minimum rating of a destination, or `nil` without one.
    private func minimumRating(of destination: DestinationName) -> Int? {
        targets.first { $0.name == destination }?.rule.minimumRating
    }
}
