import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// A planner that creates the upload jobs of each saved photo, and releases held jobs as soon as the upload
/// mode allows.
///
/// The planner reads new photos from the ledger. A photo that was saved just before a crash is therefore
/// planned after the restart.
actor UploadPlanner {
    /// The number of photos that are planned in one commit.
    static let batch = 100
    /// The longest time between two checks of the clock, in seconds. The checks are necessary because the
    /// clock may be set, and daylight saving time may start or end.
    private static let checkSeconds = 600.0
    /// The ledger key of the mode that a person chose for photos without a session.
    private static let modeKey = "mode"
    /// The ledger key of a person's changes to the modes.
    private static let policyKey = "policy"

    nonisolated let wakeEvent: AsyncEvent

    private(set) var targets: [UploadTarget]
    private var configured: UploadModePolicy
    /// The current settings of the modes.
    private(set) var policy: UploadModePolicy
    let ledger: QueueLedger
    private let files: BlockingPool
    let onNewWork: @Sendable (_ destinations: Set<DestinationName>) async -> Void
    private(set) var defaultMode: UploadMode
    /// Whether the ledger may have opinions that are not applied to the uploads. `true` at the start, because
    /// the service may have ended before an opinion was applied.
    var mayHaveOpinions = true
    /// The time of the latest photo of each session.
    private var lastPhotoAt: [SessionID?: Date] = [:]
    private let startedAt: Date
    private var wasOpen: Bool?
    private var nextRawCheck: Date?

    var clock: HostClock { ledger.clock }

    /// - Parameter onNewWork: Called with the destinations that have new jobs.
    init(
        targets: [UploadTarget], policy: UploadModePolicy, ledger: QueueLedger, files: BlockingPool,
        wakeEvent: AsyncEvent,
        onNewWork: @escaping @Sendable (_ destinations: Set<DestinationName>) async -> Void
    ) {
        self.targets = targets
        configured = policy
        self.policy = policy
        self.ledger = ledger
        self.files = files
        self.wakeEvent = wakeEvent
        self.onNewWork = onNewWork
        defaultMode = policy.defaultMode
        startedAt = ledger.clock.now()
        ledger.stop.register(wakeEvent)
    }

    /// Runs until the service stops.
    func run() async {
        while !ledger.stop.isRaised && !Task.isCancelled {
            while await planBatch() {}
            if mayHaveOpinions { await applyOpinions() }
            await followSchedule()
            await releaseFullSets()
            await releaseRawFiles()
            let now = clock.now()
            var seconds = Self.checkSeconds
            if let minutes = policy.schedule.minutesUntilChange(after: clock.minuteOfDay(now)) {
                seconds = min(seconds, Double(minutes) * 60)
            }
            if let nextRawCheck { seconds = min(seconds, nextRawCheck.timeIntervalSince(now)) }
            await wakeEvent.wait(seconds: max(seconds, 0.01), clock)
        }
    }

    // MARK: New photos

    /// - Returns: Whether there may be more unplanned photos.
    func planBatch() async -> Bool {
        guard !ledger.stop.isRaised,
            let photos = await ledger.withRetries({ try await $0.unplannedUploads(limit: Self.batch) }),
            !photos.isEmpty
        else { return false }
        let now = clock.now()
        var plans: [(photo: Photo, jobs: [UploadPlan])] = []
        var refused: [UnratedUpload] = []
        let rated = Set(photos.filter { needsRating($0.mode ?? defaultMode) }.map(\.photo.record.shotID))
        guard let verdicts = await ledger.withRetries({ try await $0.verdicts(of: rated) }) else {
            return false
        }
        var partners: Set<ShotID> = []
        for unplanned in photos {
            let mode = unplanned.mode ?? defaultMode
            let photo = await withRating(unplanned.photo, isNeeded: needsRating(mode))
            lastPhotoAt[photo.record.sessionID] = now
            let verdict = verdicts[photo.record.shotID] ?? ShotVerdict()
            plans.append((photo, plan(photo, mode, verdict, minuteOfDay: clock.minuteOfDay(now))))
            refused += unrated(photo, verdict)
            if needsRating(mode), photo.record.pairID != nil, (photo.record.rating ?? 0) > 0 {
                partners.insert(photo.record.shotID)
            }
        }
        let (complete, refusals) = (plans, refused)
        guard
            await ledger.withRetries({ try await $0.planUploads(complete, unrated: refusals, at: now) })
                != nil
        else { return false }
        SimulatedHost.pass(.uploadsPlanned)
        let destinations = plans.flatMap { $0.jobs.map(\.destination) }
        ledger.report(changed: plans.filter { !$0.jobs.isEmpty }.map(\.photo.id))
        if !destinations.isEmpty { await onNewWork(Set(destinations)) }
        // The rating in one file of a shot counts for the other file.
        await reviewRatedUploads(of: partners)
        return photos.count == Self.batch
    }

    private func plan(
        _ photo: Photo, _ mode: UploadMode, _ verdict: ShotVerdict, minuteOfDay: Int
    ) -> [UploadPlan] {
        targets.filter { $0.rule.refusal(of: photo, verdict: verdict) == nil }.map { target in
            UploadPlan(
                destination: target.name,
                decision: policy.decision(mode, on: photo.record, verdict: verdict, minuteOfDay: minuteOfDay),
                remoteName: target.remoteName(photo))
        }
    }

    /// Returns the destinations that do not accept a photo only because of its rating.
    private func unrated(_ photo: Photo, _ verdict: ShotVerdict) -> [UnratedUpload] {
        targets.filter {
            $0.rule.permanentRefusal(of: photo) == nil && $0.rule.refusal(of: photo, verdict: verdict) != nil
        }.map { UnratedUpload(captureID: photo.id, destination: $0.name) }
    }

    /// Returns the minimum rating of a destination, or `nil` without one.
    func minimumRating(of destination: DestinationName) -> Int? {
        targets.first { $0.name == destination }?.rule.minimumRating
    }

    private func needsRating(_ mode: UploadMode) -> Bool {
        mode == .rated || targets.contains { $0.rule.needsRating }
    }

    func withRating(_ photo: Photo, isNeeded: Bool) async -> Photo {
        guard isNeeded, photo.record.rating == nil, let path = photo.record.path else { return photo }
        var photo = photo
        // An unreadable file has no rating. Its upload reports the error.
        photo.record.rating =
            (try? await files.run {
                let file = try FileReader(path)
                return try RatingReader.rating(size: file.size) { try file.read(at: $0, count: $1) }
            }) ?? 0
        return photo
    }

    /// Adds jobs for existing photos on a person's request.
    func add(session: SessionID?, camera: CameraID?, ids: [CaptureID]?, to names: Set<DestinationName>?)
        async throws -> Int
    {
        let chosen = targets.filter { names?.contains($0.name) ?? true }
        if let ids {
            try await EditedPhotos(store: ledger.store, files: files).recordEdits(
                to: ids, for: chosen.map(\.name))
        }
        var after: CaptureID = 0
        var added = 0
        while true {
            let photos = try await ledger.store.uploadablePhotos(
                after: after, limit: Self.batch, session: session, camera: camera, ids: ids)
            guard let last = photos.last else { break }
            after = last.id
            let priority = ids == nil ? UploadModePolicy.backlogPriority : 0
            added += try await ledger.store.addUploads(
                photos.map { photo in
                    (
                        photo,
                        chosen.map {
                            UploadPlan(
                                destination: $0.name, decision: .queued(priority: priority),
                                remoteName: $0.remoteName(photo))
                        }
                    )
                }, at: clock.now())
            ledger.report(changed: photos.map(\.id))
            await onNewWork(Set(chosen.map(\.name)))
        }
        return added
    }

    // MARK: Modes

    /// Restores a person's choices from before a restart.
    func restore() async {
        if let text = try? await ledger.store.uploadSetting(Self.modeKey),
            let mode = UploadMode(rawValue: text)
        {
            defaultMode = mode
        }
        if let text = try? await ledger.store.uploadSetting(Self.policyKey),
            let stored = KeptPolicy(text: text)
        {
            policy = stored.applied(to: configured)
        }
    }

    /// Applies a new configuration. Existing jobs do not change.
    func reconfigure(_ targets: [UploadTarget], configured: UploadModePolicy) async {
        self.targets = targets
        self.configured = configured
        policy = configured
        defaultMode = configured.defaultMode
        await restore()
        wakeEvent.signal()
    }

    private func setPolicy(_ changed: UploadModePolicy) async throws {
        guard changed != policy else { return }
        let stored = KeptPolicy(chosen: changed, configured: configured)
        try await ledger.store.setUploadSetting(Self.policyKey, stored.text)
        policy = changed
    }

    /// The mode of photos without a session.
    var modeWithoutSession: UploadMode { defaultMode }

    /// Changes a session's mode and the settings of the modes now. Waiting jobs change immediately. A running
    /// job changes only if its attempt fails.
    ///
    /// - Returns: The number of changed jobs that are not running, or `nil` if the session does not exist.
    func setMode(
        _ mode: UploadMode, session: SessionID?, _ change: UploadPolicyChange
    ) async throws -> Int? {
        if let session {
            guard try await ledger.store.setUploadMode(mode, session: session) else { return nil }
        } else {
            try await ledger.store.setUploadSetting(Self.modeKey, mode.rawValue)
            defaultMode = mode
        }
        try await setPolicy(change.applied(to: policy))
        // The new mode also applies to photos that are not planned yet.
        while await planBatch() {}
        let changed = try await reapplyMode(session: session, mode: mode)
        wakeEvent.signal()
        return changed
    }

    private func reapplyMode(session: SessionID?, mode: UploadMode) async throws -> Int {
        var after: JobID = 0
        var changed = 0
        var partners: Set<ShotID> = []
        while true {
            let open = try await ledger.store.openUploads(session: session, after: after, limit: Self.batch)
            guard let last = open.last else { break }
            after = last.job.id
            let minute = clock.minuteOfDay(clock.now())
            var photos: [Photo] = []
            for upload in open {
                let minimum = minimumRating(of: upload.job.destination)
                let photo = await withRating(upload.photo, isNeeded: mode == .rated || minimum != nil)
                if upload.photo.record.rating == nil, let rating = photo.record.rating {
                    try await ledger.store.saveRating(rating, capture: photo.id)
                    if rating > 0, photo.record.pairID != nil { partners.insert(photo.record.shotID) }
                }
                photos.append(photo)
            }
            // Reads the verdicts after the files, because the ratings in these files count. Opinions that
            // arrived during the reading also count.
            let rated = needsRating(mode) ? Set(open.map(\.photo.record.shotID)) : []
            let verdicts = try await ledger.store.verdicts(of: rated)
            var outcomes: [LedgerStore.UploadOutcome] = []
            for (upload, photo) in zip(open, photos) {
                let minimum = minimumRating(of: upload.job.destination)
                if let event = policy.change(
                    of: upload.job, to: mode, photo: photo.record,
                    verdict: verdicts[photo.record.shotID] ?? ShotVerdict(), destinationRating: minimum,
                    minuteOfDay: minute)
                {
                    outcomes.append(.init(jobID: upload.job.id, event: event))
                }
            }
            changed += try await apply(outcomes)
        }
        // The rating in one file of a shot counts for the other file, which may be in an earlier batch.
        try await reviewUploads(of: partners)
        return changed
    }

    /// Applies events to jobs, and reports the changed jobs.
    ///
    /// - Returns: The number of changed jobs that are not running.
    func apply(_ outcomes: [LedgerStore.UploadOutcome]) async throws -> Int {
        guard !outcomes.isEmpty else { return 0 }
        let changes = try await ledger.store.applyToUploads(outcomes).filter { $0.action != .nothing }
        for change in changes { ledger.report(.job(change.job, photo: change.photo)) }
        await onNewWork(Set(changes.map(\.job.destination)))
        return changes.count { !$0.job.isRunning }
    }

    // MARK: Time

    private func followSchedule() async {
        let isOpen = policy.schedule.isOpen(at: clock.minuteOfDay(clock.now()))
        guard wasOpen != isOpen else { return }
        do {
            if isOpen {
                try await release(.scheduled, session: nil)
            } else if wasOpen != nil {
                for session in try await sessions(in: .scheduled) {
                    _ = try await reapplyMode(session: session, mode: .scheduled)
                }
            }
            wasOpen = isOpen
        } catch {
            ledger.logger.error("cannot apply the upload schedule", metadata: ["reason": "\(error)"])
        }
    }

    /// Releases scheduled photos before their time window if enough photos wait.
    private func releaseFullSets() async {
        guard let count = policy.schedule.afterPhotos, count > 0 else { return }
        do {
            for session in try await sessions(in: .scheduled) {
                for target in targets {
                    guard
                        try await ledger.store.hasHeld(
                            .scheduled, session: session, destination: target.name, count: count)
                    else { continue }
                    try await release(.scheduled, session: session, to: target.name)
                }
            }
        } catch {
            ledger.logger.error("cannot release scheduled photos", metadata: ["reason": "\(error)"])
        }
    }

    private func release(_ hold: UploadHold, session: SessionID??, to destination: DestinationName? = nil)
        async throws
    {
        let captures = try await ledger.store.releaseHeld(hold, session: session, destination: destination)
        guard !captures.isEmpty else { return }
        ledger.report(changed: captures)
        await onNewWork(destination.map { [$0] } ?? Set(targets.map(\.name)))
    }

    /// Returns the sessions whose mode is `mode`. The result contains `nil` if photos without a session have
    /// that mode.
    private func sessions(in mode: UploadMode) async throws -> [SessionID?] {
        let sessions: [SessionID?] = try await ledger.store.sessions(mode: mode)
        return defaultMode == mode ? sessions + [nil] : sessions
    }

    /// Releases the RAW files of a session after its other photos are delivered and no new photo is arriving.
    private func releaseRawFiles() async {
        nextRawCheck = nil
        let now = clock.now()
        do {
            for session in try await sessions(in: .jpegFirst) {
                // If the clock was set back, this time may be far in the future and would delay the release.
                var last = lastPhotoAt[session] ?? startedAt
                if last > now {
                    last = now
                    lastPhotoAt[session] = now
                }
                for target in targets {
                    guard
                        try await ledger.store.hasHeld(
                            .jpegFirst, session: session, destination: target.name)
                    else { continue }
                    let hasOpen = try await ledger.store.hasOpenPictures(
                        session: session, destination: target.name)
                    if policy.mayReleaseRaw(
                        hasOpenPictures: hasOpen, quietSeconds: now.timeIntervalSince(last))
                    {
                        try await release(.jpegFirst, session: session, to: target.name)
                    } else if !hasOpen {
                        let due = last.addingTimeInterval(policy.rawSettleSeconds)
                        nextRawCheck = min(nextRawCheck ?? due, due)
                    }
                }
            }
        } catch {
            ledger.logger.error("cannot release RAW files", metadata: ["reason": "\(error)"])
        }
    }
}
