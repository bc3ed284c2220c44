import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization

/// A planner that creates the upload jobs of each saved photo, and releases held jobs as soon as the upload
/// mode allows.
///
/// The planner reads new photos from the ledger. A photo that was saved just before a crash is therefore
/// planned after the restart.
actor UploadPlanner {
    /// The largest number of photos that are planned in one commit.
    static let batch = 100
    /// The longest time between two checks of the clock, in seconds. The checks are necessary because the
    /// clock may be set, and daylight saving time may start or end.
    private static let checkSeconds = 600.0
    /// The ledger key of the mode that a person chose for photos without a session.
    private static let modeKey = "mode"
    /// The ledger key of a person's changes to the modes.
    private static let policyKey = "policy"

    nonisolated let wakeEvent: AsyncEvent

    private(set) var rules: PlanningRules
    private var configured: UploadModePolicy
    /// The mode that a person chose for photos without a session, or `nil` to use the configured mode.
    private var chosenMode: UploadMode?
    /// A person's changes to the modes, or `nil` without changes.
    private var keptPolicy: KeptPolicy?
    let ledger: QueueLedger
    private let files: BlockingPool
    let review: UploadReview
    private let onNewWork: @Sendable (_ destinations: Set<DestinationName>) async -> Void
    nonisolated let pendingProtections = Mutex(PendingProtections())
    /// The time at which the latest photo of each session was planned.
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
        rules = PlanningRules(targets: targets, policy: policy, defaultMode: policy.defaultMode)
        configured = policy
        self.ledger = ledger
        self.files = files
        self.wakeEvent = wakeEvent
        self.onNewWork = onNewWork
        review = UploadReview(ledger: ledger, files: files, onNewWork: onNewWork)
        startedAt = ledger.clock.now()
        ledger.stop.register(wakeEvent)
    }

    /// Runs until the service stops.
    func run() async {
        while !ledger.stop.isRaised && !Task.isCancelled {
            while await planBatch() {}
            await applyOpinions()
            await applyProtections()
            await followSchedule()
            await releaseFullSets()
            await releaseRawFiles()
            let now = clock.now()
            var seconds = Self.checkSeconds
            if let minutes = rules.policy.schedule.minutesUntilChange(after: clock.minuteOfDay(now)) {
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
        let rated = Set(photos.filter { rules.needsRating($0.mode) }.map(\.photo.record.shotID))
        guard let verdicts = await ledger.withRetries({ try await $0.verdicts(of: rated) }) else {
            return false
        }
        var partners: Set<ShotID> = []
        for var unplanned in photos {
            let needsRating = rules.needsRating(unplanned.mode)
            if needsRating, let rating = await review.unreadRating(of: unplanned.photo) {
                unplanned.photo.record.rating = rating
            }
            let record = unplanned.photo.record
            lastPhotoAt[record.sessionID] = now
            let verdict = verdicts[record.shotID] ?? ShotVerdict()
            let jobs = rules.targets.compactMap {
                rules.plan(unplanned, to: $0, verdict, minuteOfDay: clock.minuteOfDay(now))
            }
            plans.append((unplanned.photo, jobs))
            refused += rules.unrated(unplanned.photo, verdict)
            if needsRating, record.pairID != nil, (record.rating ?? 0) > 0 { partners.insert(record.shotID) }
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

    /// Adds jobs for existing photos on a person's request.
    func add(session: SessionID?, camera: CameraID?, ids: [CaptureID]?, to names: Set<DestinationName>?)
        async throws -> Int
    {
        let chosen = rules.targets.filter { names?.contains($0.name) ?? true }
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

    /// Restores a person's choices from before a restart. Call this function before ``run()``, because no
    /// photo must be planned before these choices are known.
    func restore() async throws {
        chosenMode = try await ledger.store.uploadSetting(Self.modeKey).flatMap(UploadMode.init(rawValue:))
        keptPolicy = try await ledger.store.uploadSetting(Self.policyKey).flatMap(KeptPolicy.init(text:))
        rules = makeRules(rules.targets)
    }

    /// Applies a new configuration, and keeps a person's choices. Existing jobs do not change. The function
    /// does not read these choices from the ledger again, because another task could plan photos without
    /// them during the read.
    func reconfigure(_ targets: [UploadTarget], configured: UploadModePolicy) {
        self.configured = configured
        rules = makeRules(targets)
        wakeEvent.signal()
    }

    /// Returns the rules of the configuration with a person's choices.
    private func makeRules(_ targets: [UploadTarget]) -> PlanningRules {
        PlanningRules(
            targets: targets, policy: keptPolicy?.applied(to: configured) ?? configured,
            defaultMode: chosenMode ?? configured.defaultMode)
    }

    private func setPolicy(_ changed: UploadModePolicy) async throws {
        guard changed != rules.policy else { return }
        let stored = KeptPolicy(chosen: changed, configured: configured)
        try await ledger.store.setUploadSetting(Self.policyKey, stored.text)
        keptPolicy = stored
        // The configuration may have changed during the write.
        rules.policy = stored.applied(to: configured)
    }

    /// Changes a session's mode and the settings of the modes. Waiting jobs change immediately. A running job
    /// changes only if its attempt fails.
    ///
    /// - Returns: The number of changed jobs that are not running, or `nil` if the session does not exist.
    func setMode(
        _ mode: UploadMode, session: SessionID?, _ change: UploadPolicyChange
    ) async throws -> Int? {
        if let session {
            guard try await ledger.store.setUploadMode(mode, session: session) else { return nil }
        } else {
            try await ledger.store.setUploadSetting(Self.modeKey, mode.rawValue)
            chosenMode = mode
            rules.defaultMode = mode
        }
        try await setPolicy(change.applied(to: rules.policy))
        // The new mode also applies to photos that are not planned yet.
        while await planBatch() {}
        let changed = try await reapplyMode(session: session, mode: mode)
        wakeEvent.signal()
        return changed
    }

    // MARK: Time

    private func followSchedule() async {
        let isOpen = rules.policy.schedule.isOpen(at: clock.minuteOfDay(clock.now()))
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
        guard let count = rules.policy.schedule.afterPhotos, count > 0 else { return }
        do {
            for session in try await sessions(in: .scheduled) {
                for target in rules.targets {
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
        await onNewWork(destination.map { [$0] } ?? Set(rules.targets.map(\.name)))
    }

    /// Returns the sessions whose mode is `mode`. The result contains `nil` if photos without a session have
    /// that mode.
    private func sessions(in mode: UploadMode) async throws -> [SessionID?] {
        let sessions: [SessionID?] = try await ledger.store.sessions(mode: mode)
        return rules.defaultMode == mode ? sessions + [nil] : sessions
    }

    /// Releases the RAW files of a session after its other photos are delivered and no new photo is arriving.
    private func releaseRawFiles() async {
        nextRawCheck = nil
        let now = clock.now()
        do {
            for session in try await sessions(in: .jpegFirst) {
                // If the clock was set back, the time of the latest photo may be far in the future, which
                // would delay the release.
                var last = lastPhotoAt[session] ?? startedAt
                if last > now {
                    last = now
                    lastPhotoAt[session] = now
                }
                for target in rules.targets {
                    guard
                        try await ledger.store.hasHeld(
                            .jpegFirst, session: session, destination: target.name)
                    else { continue }
                    let hasOpen = try await ledger.store.hasOpenPictures(
                        session: session, destination: target.name)
                    if rules.policy.mayReleaseRaw(
                        hasOpenPictures: hasOpen, quietSeconds: now.timeIntervalSince(last))
                    {
                        try await release(.jpegFirst, session: session, to: target.name)
                    } else if !hasOpen {
                        let due = last.addingTimeInterval(rules.policy.rawSettleSeconds)
                        nextRawCheck = min(nextRawCheck ?? due, due)
                    }
                }
            }
        } catch {
            ledger.logger.error("cannot release RAW files", metadata: ["reason": "\(error)"])
        }
    }
}
