import FrameFastModel

/// The rule for held uploads: the table of modes in `docs/uploads.md`. If the
/// simulation has sessions, photos in `unsorted` are held in every mode.
///
/// The rule does not use `UploadModePolicy`, because the simulation tests that type. No photo of the
/// simulation has a rating or is protected.
struct HoldRule {
    private let plan: SimulationPlan
    private let sessions: [Session]

    init(_ plan: SimulationPlan, _ sessions: [Session]) {
        (self.plan, self.sessions) = (plan, sessions)
    }

    /// Returns the reason for which the upload of a photo is held until a person releases it, or `nil` if the
    /// service must upload the photo.
    private func expectedHold(of record: CaptureRecord) -> UploadHold? {
        // `SessionRule` checks the sessions, and which photos are unsorted.
        if record.isUnsorted, !sessions.isEmpty { return .unsorted }
        let mode = sessions.first { $0.id == record.sessionID }?.uploadMode ?? plan.mode
        return switch mode {
        case .realtime, .jpegFirst: nil
        case .offline: .offline
        case .rated: .unrated
        case .manual: .manual
        case .scheduled: plan.features.schedule == .nightly ? nil : .scheduled
        }
    }

    /// Whether the upload of a photo has reached its final state: held if the rule holds the photo, otherwise
    /// delivered.
    func isComplete(_ record: CaptureRecord, _ job: UploadJob?) -> Bool {
        expectedHold(of: record) == nil ? job?.state == .delivered : job?.state == .held
    }

    /// Returns the difference between an upload and the rule, or `nil` if they agree.
    ///
    /// - Parameter copies: The number of copies at the destination.
    func violation(of record: CaptureRecord, _ job: UploadJob?, copies: Int) -> String? {
        guard let job else { return nil }
        guard let expected = expectedHold(of: record) else {
            // RAW files wait "until the pictures of the session are delivered".
            guard job.state == .held, job.hold != .jpegFirst || record.kind != .raw else { return nil }
            return "upload \(job.id) of capture \(record.id) is held, \(job.hold?.rawValue ?? "no reason")"
        }
        guard job.state != .held || job.hold != expected || copies > 0 else { return nil }
        return "upload \(job.id) of capture \(record.id) is \(job.state), but must be held as \(expected)"
    }
}
