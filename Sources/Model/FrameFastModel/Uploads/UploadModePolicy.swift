/// What becomes of a new job.
public enum UploadVerdict: Hashable, Sendable {
    /// It may start, with this priority.
    case queued(priority: Int)
    /// It is held back.
    case held(UploadHold)
}

/// What the modes do with a photo.
public struct UploadModePolicy: Hashable, Sendable {
    /// What a person wants first.
    public static let firstPriority = 1
    /// RAW files behind pictures, when the mode says so.
    public static let rawPriority = -1
    /// Photos that are added later behind those that come in.
    public static let backlogPriority = -2

    /// Mode of photos without a session.
    public var defaultMode: UploadMode
    /// Fewest stars in ``UploadMode/rated``, 1...5.
    public var minimumRating: Int
    /// When ``UploadMode/scheduled`` uploads run.
    public var schedule: UploadSchedule
    /// How long no photo may have come in before RAW files follow, in seconds: a shot's picture often arrives after
    /// its RAW file, and the next frame of a burst is not far.
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

    /// Decides whether the upload of a photo may start. An older photo never goes out in a newer session's mode.
    ///
    /// - Parameter minuteOfDay: Local time, 0..<1440.
    public func verdict(_ mode: UploadMode, on photo: CaptureRecord, minuteOfDay: Int) -> UploadVerdict {
        guard !photo.isUnsorted else { return .held(.unsorted) }
        return switch mode {
        case .realtime: .queued(priority: 0)
        case .offline: .held(.offline)
        case .jpegFirst: photo.kind == .raw ? .held(.jpegFirst) : .queued(priority: 0)
        case .rated:
            photo.isChosen(minimumRating: minimumRating) ? .queued(priority: 0) : .held(.unrated)
        case .manual: .held(.manual)
        case .scheduled: schedule.isOpen(at: minuteOfDay) ? .queued(priority: 0) : .held(.scheduled)
        }
    }

    /// Whether RAW files that let pictures go first may follow.
    ///
    /// - Parameters:
    ///   - hasOpenPictures: Whether a picture of the session still has to reach the destination.
    ///   - quietSeconds: Time since the last photo came in.
    public func mayReleaseRaw(hasOpenPictures: Bool, quietSeconds: Double) -> Bool {
        !hasOpenPictures && quietSeconds >= rawSettleSeconds
    }

    /// What the mode of a job means for it now; `nil` when nothing changes.
    ///
    /// A person's decision stays, a running transfer goes on until its try ends, and what failed stays failed.
    public func change(of job: UploadJob, to mode: UploadMode, photo: CaptureRecord, minuteOfDay: Int)
        -> UploadJob.Event?
    {
        guard job.state != .delivered && job.state != .failed else { return nil }
        switch verdict(mode, on: photo, minuteOfDay: minuteOfDay) {
        case .queued: return job.hold != nil && job.hold != .person ? .released(byPerson: false) : nil
        case .held(let hold):
            guard !job.isReleased, job.hold != .person, job.hold != hold else { return nil }
            // A RAW file that followed the pictures once does not step back.
            if hold == .jpegFirst && job.state != .held && job.priority == Self.rawPriority { return nil }
            return .held(hold)
        }
    }
}
