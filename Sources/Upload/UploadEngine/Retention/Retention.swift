import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization

/// A loop that removes the local files of photos after the time in their session's rule. The loop removes
/// only photos that are delivered to all their destinations.
///
/// After a delivery, the loop checks only the delivered photo. The loop checks all photos at the start of the
/// service, after a change of a rule, and every hour.
actor Retention {
    /// The time between two checks of all photos, in seconds.
    static let checkSeconds = 3600.0
    /// The largest number of deliveries to check individually. After more deliveries, the loop checks all
    /// photos.
    private static let deliveriesMax = 10_000

    private struct PendingChecks {
        var delivered: Set<CaptureID> = []
        var mustCheckAll = true
        /// Whether every rule keeps photos without a time limit.
        var isIdle = false
    }

    private var rule: RetentionRule
    private let ledger: QueueLedger
    private let clearing: PhotoClearing
    private nonisolated let wakeEvent = AsyncEvent()
    private nonisolated let pendingChecks = Mutex(PendingChecks())
    /// Photos whose files differ from the saved photos. The loop does not check these photos again before a
    /// restart.
    private var unremovable: Set<CaptureID> = []

    /// - Parameter rule: The rule for photos without a session, and for sessions without their own rule.
    init(rule: RetentionRule, ledger: QueueLedger) {
        self.rule = rule
        self.ledger = ledger
        clearing = PhotoClearing(
            store: ledger.store, clock: ledger.clock,
            files: BlockingPool(label: "framefast.retention", width: 1), logger: ledger.logger)
        ledger.stop.register(wakeEvent)
    }

    /// Handles the delivery of a photo to one of its destinations.
    nonisolated func recordDelivery(capture id: CaptureID) {
        let isNew = pendingChecks.withLock { pendingChecks in
            guard !pendingChecks.isIdle else { return false }
            if pendingChecks.delivered.count < Self.deliveriesMax {
                pendingChecks.delivered.insert(id)
            } else {
                pendingChecks.mustCheckAll = true
            }
            return true
        }
        if isNew { wakeEvent.signal() }
    }

    /// Replaces the configured rule.
    func setRule(_ rule: RetentionRule) {
        guard rule != self.rule else { return }
        self.rule = rule
        handleRuleChange()
    }

    /// Handles a change of any rule.
    nonisolated func handleRuleChange() {
        pendingChecks.withLock { pendingChecks in
            pendingChecks.mustCheckAll = true
            pendingChecks.isIdle = false
        }
        wakeEvent.signal()
    }

    /// Runs until the service stops.
    func run() async {
        var nextCheck = ledger.clock.now()
        var mustResume = true
        while !isStopping {
            do {
                if mustResume {
                    let outcome = try await clearing.resumeInterrupted()
                    record(outcome)
                    // Photos in a missing folder are checked again later, because no event reports that a
                    // disk was mounted.
                    mustResume = outcome.unknown > 0
                }
                let now = ledger.clock.now()
                let pending = pendingChecks.withLock { pendingChecks in
                    defer { pendingChecks = PendingChecks(mustCheckAll: false, isIdle: pendingChecks.isIdle) }
                    return pendingChecks
                }
                // After the clock was set back, the next check could be far in the future.
                if pending.mustCheckAll || now >= nextCheck
                    || nextCheck.timeIntervalSince(now) > Self.checkSeconds
                {
                    nextCheck = now.addingTimeInterval(Self.checkSeconds)
                    try await checkAllPhotos(now)
                } else {
                    try await checkPhotos(pending.delivered, now)
                }
            } catch {
                // The next check includes these photos again.
                ledger.logger.error("cannot clear photos", metadata: ["reason": "\(error)"])
                mustResume = true
                pendingChecks.withLock { $0.mustCheckAll = true }
                await wakeEvent.wait(seconds: Self.checkSeconds, ledger.clock)
                continue
            }
            guard pendingChecks.withLock({ $0.delivered.isEmpty && !$0.mustCheckAll }) else { continue }
            await wakeEvent.wait(seconds: nextCheck.timeIntervalSince(ledger.clock.now()), ledger.clock)
        }
    }

    private var isStopping: Bool { ledger.stop.isRaised || Task.isCancelled }

    private func checkPhotos(_ ids: Set<CaptureID>, _ now: Date) async throws {
        let photos = try await ledger.store.clearablePhotos(ids: ids).filter { photo, keep in
            guard let before = (keep ?? rule).clearsSavedBefore(now), let saved = photo.savedAt else {
                return false
            }
            return saved < before && !Self.isNew(photo, before, now)
        }.map(\.photo)
        for start in stride(from: 0, to: photos.count, by: PhotoClearing.batch) where !isStopping {
            try await clear(Array(photos[start..<min(start + PhotoClearing.batch, photos.count)]))
        }
    }

    private func checkAllPhotos(_ now: Date) async throws {
        let rules = try await ledger.store.retentionRules(usual: rule)
        pendingChecks.withLock { $0.isIdle = rules.isEmpty && !$0.mustCheckAll }
        for (session, rule) in rules {
            guard let before = rule.clearsSavedBefore(now) else { continue }
            try await eachBatch(savedBefore: before, session: session) { try await clear($0) }
        }
    }

    private static func isNew(_ photo: CaptureRecord, _ cutoff: Date, _ now: Date) -> Bool {
        RetentionRule.isTaken(photo.object.plausibleTime, after: cutoff, now: now)
    }

    private func clear(_ photos: [CaptureRecord]) async throws {
        record(try await clearing.clear(photos.filter { !unremovable.contains($0.id) }))
    }

    private func record(_ outcome: PhotoClearing.Outcome) {
        unremovable.formUnion(outcome.unremovable)
        if !outcome.gone.isEmpty { ledger.report(.photosCleared(outcome.gone)) }
    }

    private func eachBatch(
        savedBefore: Date, session: SessionID??, _ body: ([CaptureRecord]) async throws -> Void
    ) async throws {
        let now = ledger.clock.now()
        var after: CaptureID = 0
        while !isStopping {
            let photos = try await ledger.store.clearablePhotos(
                savedBefore: savedBefore, session: session, after: after, limit: PhotoClearing.batch)
            guard let last = photos.last else { return }
            after = last.id
            try await body(photos.filter { !Self.isNew($0, savedBefore, now) })
        }
    }

    // MARK: People

    /// Removes the local files of delivered photos on a person's request.
    ///
    /// - Parameter isTrial: Whether to only count the files, without removing them.
    func clearDelivered(session: SessionID??, savedBefore: Date, isTrial: Bool) async throws -> ClearedPhotos
    {
        var all = ClearedPhotos()
        try await eachBatch(savedBefore: savedBefore, session: session) { photos in
            if isTrial {
                all.add(photos)
            } else {
                let outcome = try await clearing.clear(photos)
                record(outcome)
                all.add(outcome.gone)
                all.kept += outcome.kept
            }
        }
        return all
    }
}
