/// The decision about a new job.
public enum UploadDecision: Hashable, Sendable {
    /// The job may start, with this priority.
    case queued(priority: Int)
    /// The job is held.
    case held(UploadHold)
}

/// The rules of the upload modes.
public struct UploadModePolicy: Hashable, Sendable {
    /// The priority of RAW files in ``UploadMode/jpegFirst``. RAW files are uploaded after pictures.
    public static let rawPriority = -1
    /// The priority of older photos that are added later. Older photos are uploaded after new photos.
    public static let backlogPriority = -2

    /// The mode of photos without a session.
    public var defaultMode: UploadMode
    /// The lowest rating for ``UploadMode/rated``, 1...5 stars.
    public var minimumRating: Int
    /// The upload times for ``UploadMode/scheduled``.
    public var schedule: UploadSchedule
    /// The time without new photos after which held RAW files are released, in seconds. A shot's picture
    /// often arrives after its RAW file.
    public var rawSettleSeconds: Double

    /// Creates a policy.
    public init(
        defaultMode: UploadMode = .realtime, minimumRating: Int = 1, schedule: UploadSchedule = .nightly,
        rawSettleSeconds: Double = 10
    ) {
        self.defaultMode = defaultMode
        self.minimumRating = minimumRating
        self.schedule = schedule
        self.rawSettleSeconds = rawSettleSeconds
    }

    /// Returns whether the upload of a photo is queued or held. An unsorted photo is held in every mode.
    ///
    /// - Parameters:
    ///   - verdict: The rating of the photo's shot, for ``UploadMode/rated`` and for the destination.
    ///   - destinationRating: The destination's minimum rating, 1...5 stars, or `nil` without one.
    ///   - minuteOfDay: The local time, in minutes since midnight, 0..<1440.
    public func decision(
        _ mode: UploadMode, on photo: CaptureRecord, verdict: ShotVerdict = ShotVerdict(),
        destinationRating: Int? = nil, minuteOfDay: Int
    ) -> UploadDecision {
        guard !photo.isUnsorted else { return .held(.unsorted) }
        if let destinationRating, let hold = verdict.hold(of: photo, minimumRating: destinationRating) {
            return .held(hold)
        }
        return switch mode {
        case .realtime: .queued(priority: 0)
        case .offline: .held(.offline)
        case .jpegFirst: photo.kind == .raw ? .held(.jpegFirst) : .queued(priority: 0)
        case .rated:
            verdict.hold(of: photo, minimumRating: minimumRating).map(UploadDecision.held)
                ?? .queued(priority: 0)
        case .manual: .held(.manual)
        case .scheduled: schedule.isOpen(at: minuteOfDay) ? .queued(priority: 0) : .held(.scheduled)
        }
    }

    /// Returns whether held RAW files may be released.
    ///
    /// - Parameters:
    ///   - hasOpenPictures: Whether a picture of the session still waits for delivery to the destination.
    ///   - quietSeconds: The time since the last photo arrived.
    public func mayReleaseRaw(hasOpenPictures: Bool, quietSeconds: Double) -> Bool {
        !hasOpenPictures && quietSeconds >= rawSettleSeconds
    }

    /// Returns the event that applies a mode to an existing job, or `nil` if the job does not change.
    ///
    /// A mode does not override a person's decision, stop a running transfer or change a failed job.
    ///
    /// - Parameter destinationRating: The minimum rating of the job's destination, or `nil` without one.
    public func change(
        of job: UploadJob, to mode: UploadMode, photo: CaptureRecord, verdict: ShotVerdict = ShotVerdict(),
        destinationRating: Int? = nil, minuteOfDay: Int
    ) -> UploadJob.Event? {
        guard job.state != .delivered && job.state != .failed else { return nil }
        let decision = decision(
            mode, on: photo, verdict: verdict, destinationRating: destinationRating, minuteOfDay: minuteOfDay)
        switch decision {
        case .queued: return job.hold != nil && job.hold != .person ? .released(byPerson: false) : nil
        case .held(let hold):
            guard !job.isReleased, job.hold != .person, job.hold != hold else { return nil }
            // If a RAW file was released after its pictures, the mode does not hold the file again.
            if hold == .jpegFirst && job.state != .held && job.priority == Self.rawPriority { return nil }
            return .held(hold)
        }
    }
}
